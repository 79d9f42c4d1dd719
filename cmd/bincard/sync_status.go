package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/offline/host"
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
	desk "bincard/views/sync"
)

const (
	// localPollInterval and standsFar are how often a node is asked how it stands: one
	// of this machine, and one that is come to over a network.
	localPollInterval  = time.Second
	remotePollInterval = 3 * time.Second
)

// A programSender brings messages to a session's program, once it runs.
type programSender struct {
	once  sync.Once
	ready chan struct{}
	send  func(tea.Msg)
}

func newProgramSender() *programSender { return &programSender{ready: make(chan struct{})} }

// begin is the program's Options.Program.
func (h *programSender) begin(send func(tea.Msg)) {
	h.once.Do(func() { h.send = send; close(h.ready) })
}

func (h *programSender) sendMsg(ctx context.Context, msg tea.Msg) {
	select {
	case <-h.ready:
		h.send(msg)
	case <-ctx.Done():
	}
}

// startPolling has how a link's node stands known, where there can be one: at once
// where it is of this machine.
func (w *monitor) startPolling(ctx context.Context, site *dock.Site, l *backend, h *programSender) {
	w.mu.Lock()
	w.tell = func(text string) { go h.sendMsg(ctx, tui.Warn(text)()) }
	w.mu.Unlock()
	switch {
	case !l.remote:
	case l.node != nil:
		_, _ = w.fetchSync(ctx, site) // follow tells what is amiss
		go w.pollSync(ctx, site, true, h)
	default:
		go w.pollSync(ctx, site, false, h)
	}
}

// pollSync keeps asking how what the terminal works on stands to its service, for
// the header and all screens, and says what is new. It ends where nothing stands
// between the two.
func (w *monitor) pollSync(ctx context.Context, site *dock.Site, near bool, h *programSender) {
	every := remotePollInterval
	if near {
		every = localPollInterval
	}
	look := time.NewTicker(every)
	defer look.Stop()
	var before *api.Sync
	for {
		st, err := w.fetchSync(ctx, site)
		if dock.IsUnsupported(err) {
			return
		}
		if err == nil {
			if text := desk.StatusNotice(english, before, &st); text != "" {
				h.sendMsg(ctx, tui.Warn(text)())
			}
			before = &st
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// fetchSync fetches the node's sync status once.
func (w *monitor) fetchSync(ctx context.Context, site *dock.Site) (api.Sync, error) {
	ctx, cancel := context.WithTimeout(ctx, host.AccessTimeout)
	defer cancel()
	st, err := site.FetchSyncStatus(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil || dock.IsUnsupported(err):
		w.lostSince = time.Time{}
	case w.lostSince.IsZero() && site.SyncStatus() != nil:
		w.lostSince = w.clock.Now()
	}
	return st, err
}

// setSync sets the header's connection and pending counts from a node's sync status.
// If something blocks the queue, it is shown instead of the connection.
func setSync(s *tui.Status, st *api.Sync, now time.Time) {
	s.Pending, s.Refused, s.Offline = int(st.Waiting), int(st.Refused+st.Held), true
	since := func(word string, at *time.Time) {
		if s.Connection = word; at != nil {
			s.Connection += " " + formatSpan(now.Sub(*at))
		}
	}
	switch {
	case st.State == api.SyncDenied:
		s.Connection = "DENIED"
	case st.State == api.SyncOffline && st.Heard == nil:
		since("OFFLINE", st.Read)
	case st.State == api.SyncOffline:
		since("OFFLINE", st.Heard)
	case st.State == api.SyncQuota && st.Next != nil:
		s.Connection = "QUOTA until " + st.Next.Local().Format("15:04")
	case st.State == api.SyncQuota:
		s.Connection = "QUOTA"
	case st.Waiting > 0 && slices.Contains(st.Alarms, api.AlarmLate):
		since("STUCK", st.Oldest)
	default:
		s.Connection, s.Offline = "ONLINE", false
		if st.Heard != nil {
			s.Connection += " " + formatAge(now.Sub(*st.Heard))
		}
	}
}

// formatSpan is short, with the minutes beside the hours: 3 h 12 m.
func formatSpan(d time.Duration) string {
	if d < time.Hour {
		return formatAge(d)
	}
	return fmt.Sprintf("%d h %d m", int(d.Hours()), int(d.Minutes())%60)
}
