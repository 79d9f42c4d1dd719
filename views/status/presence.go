package status

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/panel"
	"bincard/views/session"
)

// PresenceInterval is how often a terminal tells the service what is open.
const PresenceInterval = api.PresenceLife / 3

// SharePresence tells the service what is open here, and the screens what is open at other
// terminals, until ctx ends or the service turns out not to support it.
func SharePresence(ctx context.Context, site *session.Site, p *tui.Presence, drafts tui.Drafts, every time.Duration,
	to *Sender,
) {
	name := uuid.NewString()
	for {
		others, err := askPresence(ctx, site, name, openHere(p, drafts))
		switch {
		case session.IsUnsupported(err):
			return
		case p.SetOthers(others): // nobody is known to be there when the service does not answer
			to.Send(ctx, tui.PresenceMsg{})
		}

		select {
		case <-time.After(every):
		case <-p.Changed():
		case <-ctx.Done():
			return
		}
	}
}

// openHere returns what is open at this terminal, and then what is counted and not open.
func openHere(p *tui.Presence, drafts tui.Drafts) (open []api.Presence) {
	unsent, _ := panel.UnsentDrafts(drafts, "") // a list that cannot be read is reported by screens
	for _, w := range p.Own() {
		open = append(open, api.Presence{Work: w.Route, Person: w.Person, Since: &w.Since})
	}

	for _, d := range unsent {
		i := slices.IndexFunc(open, func(w api.Presence) bool { return w.Work == d.Route && w.Person == d.Owner })
		switch {
		case i >= 0:
			open[i].Counted = d.Pieces
		case d.Pieces > 0:
			open = append(open, api.Presence{Work: d.Route, Person: d.Owner, Counted: d.Pieces})
		}
	}

	return open
}

func askPresence(
	ctx context.Context,
	site *session.Site,
	name string,
	open []api.Presence,
) (others []tui.OpenWork, err error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	out, err := session.Call(ctx, site, api.ListPresence, api.NewListPresenceInput(name, open))
	for _, w := range out.Items {
		work := tui.OpenWork{Route: w.Work, Person: w.Person, Pieces: w.Counted}
		if w.Since != nil {
			work.Since = *w.Since
		}
		others = append(others, work)
	}

	return others, err
}
