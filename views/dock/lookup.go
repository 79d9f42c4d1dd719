package dock

import (
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// lookupMsg carries the result of looking up a label.
type lookupMsg struct {
	label    Label
	matches  []api.Match
	answered bool
	offers   []tui.Action
	err      error
}

// OnScan counts a scan. While the lot form is open or damaged serials are marked, it
// applies the scan to that.
func (b *CountPanel) OnScan(s scan.Scan) tea.Cmd {
	if err := b.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	r := ParseLabel(b.T(), s)
	if b.form != nil {
		return b.fillLotForm(r)
	}
	if b.markingDamaged {
		return b.markDamaged(r)
	}
	b.countsBefore = b.snapshotCounts()
	return b.showResult(b.Scan(r), r)
}

// showResult shows the result of a scan.
func (b *CountPanel) showResult(o ScanResult, r Label, offers ...tui.Action) tea.Cmd {
	switch {
	case o.Entry != nil:
		b.addFeed(*o.Entry)
		return tui.Accepted()
	case o.Lookup != nil:
		return b.lookUp(r, o.Lookup)
	case o.Question != "":
		return tui.ConfirmScan(o.Question, r.Scan, func() tea.Cmd {
			b.countsBefore = b.snapshotCounts()
			return b.showResult(o.Confirm(), r)
		})
	}
	switch {
	case o.Other == nil:
		offers = b.recoveryActions(o.Err, &r)
	case o.Other.Location != nil:
		offers = []tui.Action{b.switchLocation(toLocation(o.Other.Location))}
	}
	return tui.Fail(o.Err, append(offers, b.unknownCodeActions(o.Err)...)...)
}

func (b *CountPanel) lookUp(r Label, codes []string) tea.Cmd {
	b.lookingUp = true
	var itemIDs []api.ID
	for _, l := range b.Lines {
		itemIDs = append(itemIDs, l.Item.ID)
	}
	actionsFor := b.ActionsFor
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		matches, err := b.Site.Lookup(ctx, codes...)
		if IsUnsupported(err) {
			return lookupMsg{label: r}
		}
		m := lookupMsg{label: r, matches: matches, answered: true, err: err}
		if len(matches) > 0 && actionsFor != nil && matches[0].Product != nil && !slices.Contains(itemIDs, matches[0].Product.ID) {
			m.offers = actionsFor(ctx, &matches[0])
		}
		return m
	})
}

func (b *CountPanel) lookupAnswered(m lookupMsg) tea.Cmd {
	b.lookingUp = false
	if location := locationIn(m.matches); b.OnLocation != nil && location.IsSet() {
		return b.OnLocation(location)
	}
	if m.err != nil {
		return tui.Fail(errors.New(b.T().Get("%s was not counted. %s", m.label.Name(), UserMessage(b.T(), m.err))))
	}
	b.countsBefore = b.snapshotCounts()
	return b.showResult(b.ResolveScan(m.label, m.matches, m.answered), m.label, m.offers...)
}

// locationIn returns the location of the first match, zero if it is not a location.
func locationIn(matches []api.Match) Location {
	if len(matches) == 0 || matches[0].Location == nil {
		return Location{}
	}
	at := matches[0].Location
	return Location{ID: at.ID, Code: at.Code, Name: at.Name}
}
