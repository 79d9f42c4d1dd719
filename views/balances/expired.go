package balances

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/catalog"
	"bincard/views/session"
)

// expired is how much of what is available of a balance has expired; see catalog.Expired.
type expired struct {
	balance             api.ID
	available, quantity int64
}

// expiredMsg carries what was read for a balance.
type expiredMsg struct{ expired }

// read reads how much of a balance has expired, unless that is known or being read.
func (e *expired) read(env tui.Env, site *session.Site, b api.SnapshotRow) tea.Cmd {
	if e.balance == b.ID && e.available == b.Available {
		return nil
	}

	*e = expired{balance: b.ID, available: b.Available}
	out := *e

	return env.Latest("expired", func(ctx context.Context) tea.Msg {
		out.quantity = catalog.Expired(ctx, site, b)
		return expiredMsg{out}
	})
}

// show shows what was read, unless it is of another balance than the one shown.
func (e *expired) show(m expiredMsg) {
	if m.balance == e.balance && m.available == e.available {
		*e = m.expired
	}
}

// text says how much has expired, or returns "".
func (e *expired) text(t *i18n.Translator, small bool) string {
	switch {
	case e.quantity == 0:
		return ""
	case small:
		return t.Get("%s expired", t.Count(e.quantity))
	}

	return t.Get("Of the available %s, %s have expired. %s can be picked.", t.Count(e.available), t.Count(e.quantity),
		t.Count(e.available-e.quantity))
}
