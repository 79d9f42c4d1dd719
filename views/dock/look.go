package dock

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// foundMsg answers what a code is.
type foundMsg struct {
	reading Reading
	matches []api.Match
	asked   bool
	offers  []tui.Action
	err     error
}

// OnScan counts a scan.
func (b *Bench) OnScan(s scan.Scan) tea.Cmd {
	if err := b.Thaw(); err != nil {
		return tui.Fail(err)
	}
	r := Read(s)
	if b.form != nil {
		return b.fillForm(r)
	}
	if b.marking {
		return b.mark(r)
	}
	b.before = b.counts()
	return b.become(b.Scan(r), r)
}

// become shows what became of a scan.
func (b *Bench) become(o Outcome, r Reading, offers ...tui.Action) tea.Cmd {
	switch {
	case o.Said != nil:
		b.note(*o.Said)
		return tui.Accepted()
	case o.Ask != nil:
		return b.look(r, o.Ask)
	case o.Doubt != "":
		return tui.ConfirmScan(o.Doubt, r.Scan, func() tea.Cmd {
			b.before = b.counts()
			return b.become(o.Yes(), r)
		})
	}
	switch {
	case o.Other == nil:
		offers = b.offers(o.Err, &r)
	case o.Other.Location != nil:
		offers = []tui.Action{b.goThere(placeOf(o.Other.Location))}
	}
	return tui.Fail(o.Err, append(offers, b.unknowns(o.Err)...)...)
}

func (b *Bench) look(r Reading, codes []string) tea.Cmd {
	b.asking = true
	var mine []api.ID
	for _, l := range b.Lines {
		mine = append(mine, l.Goods.ID)
	}
	elsewhere := b.Elsewhere
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		matches, err := b.Site.LookUp(ctx, codes...)
		if Missing(err) {
			return foundMsg{reading: r}
		}
		m := foundMsg{reading: r, matches: matches, asked: true, err: err}
		if len(matches) > 0 && elsewhere != nil && matches[0].Product != nil && !slices.Contains(mine, matches[0].Product.ID) {
			m.offers = elsewhere(ctx, &matches[0])
		}
		return m
	})
}

func (b *Bench) found(m foundMsg) tea.Cmd {
	b.asking = false
	if place := placeIn(m.matches); b.Placed != nil && place.Chosen() {
		return b.Placed(place)
	}
	if m.err != nil {
		return tui.Fail(errorf(notLookedUp, m.reading.Name(), Words(m.err)))
	}
	b.before = b.counts()
	return b.become(b.Told(m.reading, m.matches, m.asked), m.reading, m.offers...)
}

// placeIn is the location that a code was found to be, or none.
func placeIn(matches []api.Match) Place {
	if len(matches) == 0 || matches[0].Location == nil {
		return Place{}
	}
	at := matches[0].Location
	return Place{ID: at.ID, Code: at.Code, Name: at.Name}
}
