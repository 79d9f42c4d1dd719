package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
	desk "bincard/views/sync"
)

const (
	// standsNear and standsFar are how often a node is asked how it stands: one
	// of this machine, and one that is come to over a network.
	standsNear = time.Second
	standsFar  = 3 * time.Second
)

// A herald brings messages to a session's program, once it runs.
type herald struct {
	once  sync.Once
	ready chan struct{}
	send  func(tea.Msg)
}

func newHerald() *herald { return &herald{ready: make(chan struct{})} }

// begin is the program's Options.Program.
func (h *herald) begin(send func(tea.Msg)) { h.once.Do(func() { h.send = send; close(h.ready) }) }

func (h *herald) tell(ctx context.Context, msg tea.Msg) {
	select {
	case <-h.ready:
		h.send(msg)
	case <-ctx.Done():
	}
}

// attend has how a link's node stands known, where there can be one: at once
// where it is of this machine.
func (w *watch) attend(ctx context.Context, site *dock.Site, l *link, h *herald) {
	w.mu.Lock()
	w.tell = func(text string) { go h.tell(ctx, tui.Warn(text)()) }
	w.mu.Unlock()
	switch {
	case !l.remote:
	case l.node != nil:
		_, _ = w.stand(ctx, site) // follow tells what is amiss
		go w.follow(ctx, site, true, h)
	default:
		go w.follow(ctx, site, false, h)
	}
}

// follow keeps asking how what the terminal works on stands to its service, for
// the header and all screens, and says what is new. It ends where nothing stands
// between the two.
func (w *watch) follow(ctx context.Context, site *dock.Site, near bool, h *herald) {
	every := standsFar
	if near {
		every = standsNear
	}
	look := time.NewTicker(every)
	defer look.Stop()
	var before *api.Sync
	for {
		st, err := w.stand(ctx, site)
		if dock.Missing(err) {
			return
		}
		if err == nil {
			if text := desk.News(before, &st); text != "" {
				h.tell(ctx, tui.Warn(text)())
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

// stand asks once how the node stands.
func (w *watch) stand(ctx context.Context, site *dock.Site) (api.Sync, error) {
	ctx, cancel := context.WithTimeout(ctx, firstWords)
	defer cancel()
	st, err := site.Stand(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil || dock.Missing(err):
		w.lost = time.Time{}
	case w.lost.IsZero() && site.Stands() != nil:
		w.lost = w.clock.Now()
	}
	return st, err
}

// stands tells how a node is: its connection, and what waits. Whatever keeps
// the queue from moving is said in its place.
func stands(s *tui.Status, st *api.Sync, now time.Time) {
	s.Waiting, s.Refused, s.Offline = int(st.Waiting), int(st.Refused+st.Held), true
	since := func(word string, at *time.Time) {
		if s.Connection = word; at != nil {
			s.Connection += " " + span(now.Sub(*at))
		}
	}
	switch {
	case st.State == api.SyncBarred:
		s.Connection = "NO-ENTRY"
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
			s.Connection += " " + short(now.Sub(*st.Heard))
		}
	}
}

// span is short, with the minutes beside the hours: 3 h 12 m.
func span(d time.Duration) string {
	if d < time.Hour {
		return short(d)
	}
	return fmt.Sprintf("%d h %d m", int(d.Hours()), int(d.Minutes())%60)
}
