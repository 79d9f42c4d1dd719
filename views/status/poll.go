package status

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// How often a node is asked for its status: one of this machine, and one over a
// network; and how long it has to answer.
const (
	localPollInterval  = time.Second
	remotePollInterval = 3 * time.Second
	pollTimeout        = 3 * time.Second
)

// A Sender sends messages to a session's program once it runs. Begin is the
// program's Options.Program.
type Sender struct {
	once  sync.Once
	ready chan struct{}
	send  func(tea.Msg)
}

// NewSender returns a sender.
func NewSender() *Sender { return &Sender{ready: make(chan struct{})} }

// Begin sets the function that sends to the program.
func (s *Sender) Begin(send func(tea.Msg)) {
	s.once.Do(func() { s.send = send; close(s.ready) })
}

// Send sends a message, unless ctx ends before the program runs.
func (s *Sender) Send(ctx context.Context, msg tea.Msg) {
	select {
	case <-s.ready:
		s.send(msg)
	case <-ctx.Done():
	}
}

// Poll starts to fetch the sync status of the node in front of a remote service, and
// to send warnings to the program, until ctx ends. A node of this machine is asked
// once before Poll returns.
func (m *Monitor) Poll(ctx context.Context, site *session.Site, localNode bool, to *Sender) {
	m.mu.Lock()
	m.warn = func(text string) { go to.Send(ctx, tui.Warn(text)()) }
	m.mu.Unlock()
	switch {
	case !m.Remote:
	case localNode:
		_, _ = m.fetchSync(ctx, site) // poll reports what is wrong
		go m.poll(ctx, site, localPollInterval, to)
	default:
		go m.poll(ctx, site, remotePollInterval, to)
	}
}

// poll fetches the sync status for the header and all screens, and sends a warning
// about each change that needs one. It ends if there is no node.
func (m *Monitor) poll(ctx context.Context, site *session.Site, every time.Duration, to *Sender) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var before *api.Sync
	for {
		st, err := m.fetchSync(ctx, site)
		if session.IsUnsupported(err) {
			return
		}

		if err == nil {
			if text := notice(m.Translator, before, &st); text != "" {
				to.Send(ctx, tui.Warn(text)())
			}
			before = &st
		}

		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// fetchSync fetches the sync status once.
func (m *Monitor) fetchSync(ctx context.Context, site *session.Site) (api.Sync, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	st, err := site.FetchSyncStatus(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case err == nil || session.IsUnsupported(err):
		m.lostSince = time.Time{}
	case m.lostSince.IsZero() && site.SyncStatus() != nil:
		m.lostSince = m.Now()
	}

	return st, err
}
