package panel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// lookupMsg carries the result of looking up a label.
type lookupMsg struct {
	label    count.Label
	matches  []api.Match
	answered bool
	offers   []tui.Action
	err      error
}

// OnScan counts a scan. While the lot form is open or damaged serials are marked, it
// applies the scan to that.
func (p *CountPanel) OnScan(s scan.Scan) tea.Cmd {
	r := count.ParseLabel(p.T(), s)
	if p.Document.ClosedReason != "" && p.OpenDocument != nil && !r.HasNoCode() {
		return p.lookUp(r, r.Codes) // it may be the next document
	}
	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	if p.lotForm != nil {
		return fillLotForm(p, r)
	}

	if p.markingDamaged {
		p.beginChange()
		entry, err := p.ToggleDamaged(r)
		if err != nil {
			return tui.Fail(err)
		}
		return tea.Batch(tui.Accepted(), p.changed(entry))
	}

	if cmd := selectShelf(p, r); cmd != nil {
		return cmd
	}
	if r.SSCC != "" && r.HasNoCode() && r.Problem == "" && p.Site.Supports(api.GetPlate.Spec) &&
		!slices.ContainsFunc(p.Lines, func(l *count.Line) bool { return l.Announced.SSCC == r.SSCC }) {
		return readPlate(p, r)
	}

	if p.isOfCompleted(r) {
		p.selectCompleted()
		if !r.HasNoCode() { // the code is its lot
			r.Codes, r.Lot = nil, p.Line().Count.Lot
		}
	}

	return p.CountLabel(r)
}

// selectShelf selects the next line whose item is on a scanned shelf, and counts nothing. It
// returns nil if the code is not that of a shelf of the document.
func selectShelf(p *CountPanel, r count.Label) tea.Cmd {
	if r.HasNoCode() || r.Problem != "" {
		return nil
	}

	next, found := -1, false
	for i, l := range p.Lines {
		if _, _, ok := l.Item.MatchCode(p.T(), r.Codes...); ok {
			return nil
		}
		if slices.ContainsFunc(l.Shelves, func(shelf string) bool { return strings.EqualFold(shelf, r.Codes[0]) }) {
			if found = true; l.Remaining() > 0 && (next < 0 || i == p.Current) {
				next = i
			}
		}
	}

	t := p.T()
	switch {
	case !found:
		return nil
	case next < 0:
		return tui.Fail(t.NewError("Everything from shelf %s is counted.", r.Name()))
	}

	p.Current = next
	p.Line().Count.Shelf = r.Codes[0]
	p.guard.choose(p.Line())

	return tea.Batch(tui.Accepted(), tui.Toast(t.Get("Shelf %s: scan %s", r.Name(), p.Line().Item.SKU)))
}

// plateMsg carries what is on a scanned plate.
type plateMsg struct {
	label count.Label
	plate api.Plate
	err   error
}

func readPlate(p *CountPanel, r count.Label) tea.Cmd {
	p.finder.pending = true
	site := p.Site

	return p.Env.Do(func(ctx context.Context) tea.Msg {
		plate, err := session.Call(ctx, site, api.GetPlate, api.PlateInput{SSCC: r.SSCC})
		return plateMsg{r, plate, err}
	})
}

// countPlate counts a plate that nothing was taken from, or says why not.
func countPlate(p *CountPanel, m plateMsg) tea.Cmd {
	t, here := p.T(), cmp.Or(p.Document.Location.ID, p.Site.Location().ID)
	left, of := m.plate.Left()
	p.finder.pending = false
	switch {
	case session.IsUnsupported(m.err), api.HasCode(m.err, api.NotFound):
		return p.CountLabel(m.label)
	case m.err != nil:
		return fail(t.Get("%s was not counted. %s", m.label.Name(), submit.UserMessage(t, m.err)))
	case p.Job.Receives && left == 0: // what left with it arrives
	case left == 0, m.plate.LocationID != here:
		return fail(t.Get("%s Nothing was counted: check the label.", count.PlateText(t, &m.plate)))
	case left < of && p.AllowZero && !p.Env.IsSupervisor(): // the count is blind
		return fail(t.Get("Pallet %s was opened. Nothing was counted: count the items.", m.plate.SSCC))
	case left < of:
		return fail(t.Get("%s Nothing was counted: count the items.", count.PlateText(t, &m.plate)))
	}

	p.beginChange()

	return p.showResult(p.CountPlate(&m.plate), m.label)
}

// CountLabel counts a label on the current line, or on the line that it names.
func (p *CountPanel) CountLabel(r count.Label) tea.Cmd {
	p.beginChange()
	return p.showResult(p.Scan(r), r)
}

// showResult shows the result of a scan.
func (p *CountPanel) showResult(o count.ScanResult, r count.Label, offers ...tui.Action) tea.Cmd {
	switch {
	case o.Entry != nil:
		if o.Other == nil {
			p.guard.choose(p.Line())
		}
		return tea.Batch(tui.Accepted(), p.changed(*o.Entry))

	case o.Lookup != nil:
		return p.lookUp(r, o.Lookup)
	case o.Question != "":
		return tui.ConfirmScan(o.Question, r.Scan, func() tea.Cmd {
			p.beginChange()
			return p.showResult(o.Confirm(), r)
		})
	}

	if unknown := (*count.UnknownCodeError)(nil); errors.As(o.Err, &unknown) && p.Line().NeedsShelf() {
		l := p.Line()
		return tui.Fail(p.T().NewError("%s is not the shelf of %s. It is on %s.", r.Name(), l.Item.SKU, l.ShelfText()))
	}

	var elsewhere *count.SerialElsewhereError
	var picked *count.PickedLotError
	if errors.As(o.Err, &elsewhere) && p.Job.SerialElsewhere != nil {
		return p.Job.SerialElsewhere(elsewhere)
	}
	if elsewhere != nil && (p.Document.PickFrom != nil || p.Job.NewSerials) {
		return p.finder.findSerial(p.Env, elsewhere)
	}

	switch {
	case o.Other != nil && o.Other.Product != nil && p.Job.OtherProduct != nil:
		return p.Job.OtherProduct(r, o.Other.Product)
	case errors.As(o.Err, &picked) && p.Job.SwapLot != nil:
		offers = []tui.Action{p.Job.SwapLot(picked.Line.Key, func() tea.Cmd {
			p.beginChange()
			return p.showResult(o.Confirm(), r)
		})}
	case o.Other == nil:
		offers = p.recoveryActions(o.Err, &r)
	case o.Other.Product != nil && p.OpenDocument != nil && len(offers) == 0:
		return tui.Fail(o.Err, openItemAction(p.Site, o.Other.Product))
	case o.Other.Location != nil:
		offers = []tui.Action{p.location.switchAction(session.LocationOfPlace(o.Other.Location))}
	}

	return tui.Fail(o.Err, append(offers, p.unknownCodeActions(o.Err)...)...)
}

// openItemAction returns the action for an item that no open document here needs. The screen of
// the item has its documents and stock, and the jobs on it; the count stays in the draft.
func openItemAction(site *session.Site, product *api.Product) tui.Action {
	t, found := site.T(), []api.Match{{Kind: api.KindProduct, ID: product.ID, Product: product}}
	return tui.Action{ID: "panel.item", Key: "f8",
		Label: t.Get("open %s", product.SKU), Short: t.Get("item"),
		Help: t.Get("Show the documents and the stock of the item"),
		Run:  func() tea.Cmd { return Navigate(site, site.Destinations(found)) }}
}

// lookUp looks up the codes of a label.
func (p *CountPanel) lookUp(r count.Label, codes []string) tea.Cmd {
	p.finder.pending = true
	var itemIDs []api.ID
	for _, l := range p.Lines {
		itemIDs = append(itemIDs, l.Item.ID)
	}

	site, otherItem, searchDocuments := p.Site, p.Job.OtherItem, p.OpenDocument != nil

	return p.Env.Do(func(ctx context.Context) tea.Msg {
		matches, err := site.Lookup(ctx, codes...)
		if session.IsUnsupported(err) {
			if searchDocuments {
				matches, err = site.SearchDocuments(ctx, codes...)
			}
			if err != nil || len(matches) == 0 {
				return lookupMsg{label: r}
			}
		}

		m := lookupMsg{label: r, matches: matches, answered: true, err: err}
		if len(matches) > 0 && otherItem != nil && matches[0].Product != nil &&
			!slices.Contains(itemIDs, matches[0].Product.ID) {
			m.offers = otherItem(ctx, &matches[0])
		}

		return m
	})
}

func (p *CountPanel) lookupAnswered(m lookupMsg) tea.Cmd {
	p.finder.pending = false
	if location := locationIn(m.matches); p.Job.OtherLocation != nil && location.IsSet() {
		return p.Job.OtherLocation(location)
	}
	if documents := Documents(m.matches); p.OpenDocument != nil && documents != nil {
		return p.OpenDocument(m.label, documents)
	}

	if err := p.CheckEditable(); err != nil {
		if locationIn(m.matches).IsSet() && p.Document.ClosedReason != "" {
			return Navigate(p.Site, p.Site.Destinations(m.matches)) // nothing is left to do at this one
		}
		return tui.Fail(err)
	}

	if m.err != nil {
		return fail(p.T().Get("%s was not counted. %s", m.label.Name(), submit.UserMessage(p.T(), m.err)))
	}

	p.beginChange()

	return p.showResult(p.ResolveScan(m.label, m.matches, m.answered), m.label, m.offers...)
}

// OpenAbove returns what opens scanned documents above the screen of a panel, whose draft stays.
func OpenAbove(site *session.Site) func(count.Label, []api.Match) tea.Cmd {
	return func(_ count.Label, found []api.Match) tea.Cmd { return Navigate(site, site.Destinations(found)) }
}

// Documents returns the matches that are documents if the first one is, or nil.
func Documents(matches []api.Match) []api.Match {
	if len(matches) == 0 || !isDocument(matches[0]) {
		return nil
	}
	return slices.DeleteFunc(matches, func(m api.Match) bool { return !isDocument(m) })
}

func isDocument(m api.Match) bool { return m.Inbound != nil || m.Outbound != nil || m.Transfer != nil }

// locationIn returns the location of the first match, or zero if it is not a location.
func locationIn(matches []api.Match) session.Location {
	if len(matches) == 0 || matches[0].Location == nil {
		return session.Location{}
	}
	return session.LocationOfPlace(matches[0].Location)
}
