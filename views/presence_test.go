package views_test

import (
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/status"
	"bincard/views/viewtest"
)

// A presentTerminal is a terminal that tells the service what is open at it.
type presentTerminal struct {
	*tuitest.Driver
	presence *tui.Presence
	news     chan tea.Msg
	end      context.CancelFunc
}

func openPresent(t *testing.T, h *viewtest.Warehouse, operator string) *presentTerminal {
	t.Helper()
	store, sender := drafts.InMemory(), status.NewSender()
	p := &presentTerminal{presence: tui.NewPresence(), news: make(chan tea.Msg, 100)}
	sender.Begin(func(msg tea.Msg) { p.news <- msg })
	p.Driver = h.Terminal(t, registry(h), h.SignIn, viewtest.KeepDrafts(store), func(o *shell.Options) {
		o.Login.Current, o.Presence = operator, p.presence
	})
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		status.SharePresence(ctx, h.Site, p.presence, store, time.Millisecond, sender)
	}()
	p.end = func() { end(); <-ended }
	t.Cleanup(p.end)
	return p
}

// learns waits until the terminal knows the number of works that others have open.
func (p *presentTerminal) learns(t *testing.T, n int) *presentTerminal {
	t.Helper()
	return p.learnsOf(t, func(others []tui.OpenWork) bool { return len(others) == n })
}

func (p *presentTerminal) learnsOf(t *testing.T, known func(others []tui.OpenWork) bool) *presentTerminal {
	t.Helper()
	for !known(p.presence.Others()) {
		select {
		case msg := <-p.news:
			p.Send(msg)
		case <-time.After(time.Minute):
			require.Fail(t, "the terminal does not know what others have open")
		}
	}
	for len(p.news) > 0 {
		p.Send(<-p.news)
	}
	return p
}

func TestPresence_ListAndQuestion(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	po := h.Inbound("PO-77", h.Oat, 24, time.Hour)
	h.Inbound("PO-78", h.Coffee, 24, 2*time.Hour)
	eve, ada := openPresent(t, h, "Eve"), openPresent(t, h, "Ada")
	eve.Key("1").Scan("PO-77")
	require.Equal(t, "receive/"+po.ID.String(), eve.Model.Route())
	ada.learns(t, 1).Key("1").Sees("Eve: open")

	ada.Scan("PO-77").Sees("Eve has this open at another terminal. Open it too?").Advance(time.Second).Key("esc")
	require.Equal(t, "receive", ada.Model.Route())
	eve.Scan("OAT-1L").Key("+")
	ada.learnsOf(t, func(o []tui.OpenWork) bool { return len(o) == 1 && o[0].Pieces == 24 }).Sees("Eve: 24 counted")
	ada.Goldens("presence")
	ada.Scan("PO-77").Sees("Eve has counted 24 here at another terminal in 1s. Open it too?").Advance(time.Second).Key("esc")
	eve.Key("esc")
	ada.learnsOf(t, func(o []tui.OpenWork) bool { return len(o) == 1 && o[0].Since.IsZero() })
	ada.Scan("PO-77").Sees("Eve has counted 24 here at another terminal. Open it too?").Advance(time.Second).Key("enter")
	require.Equal(t, "receive/"+po.ID.String(), ada.Model.Route(), "asked, and opened anyway")
	eve.learns(t, 1).Scan("PO-77").Sees("Ada has this open at another terminal, too.").Key("esc") // her own draft

	eve.end() // as if it had died
	h.Clock.Advance(time.Minute)
	ada.Key("esc")
	ada.learns(t, 0).Lacks("Eve:")
}

// A terminal where a document is open is told when it is opened at another one.
func TestPresence_OpenedElsewhereToo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	po := h.Inbound("PO-77", h.Oat, 24, time.Hour)
	eve, ada := openPresent(t, h, "Eve"), openPresent(t, h, "Ada")
	eve.Key("1").Scan("PO-77")
	ada.Key("1").Send(tui.OpenMsg{Route: tui.Path("receive", po.ID.String()), Anyway: true})
	eve.learns(t, 1).Sees("Ada has this open at another terminal, too.")
	ada.Key("esc")
	eve.learns(t, 0)
}
