package panel

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/views/count"
	"bincard/views/labels"
)

// labelsMade offers the labels of the receipt, and shows which are printed without asking.
func (p *CountPanel) labelsMade(m labelsMsg) tea.Cmd {
	t := p.T()
	p.received, p.receivedPieces = m.batch, m.pieces
	switch {
	case m.err != nil:
		text := t.Get("Labels not printed: %s", t.Message(m.err.Error()))
		if !p.Site.HasPrinter() {
			text = t.Get("Labels not printed: %s", labels.NoPrinterText(p.Site))
		}
		p.feed.add(count.FeedEntry{Source: text, Sync: count.NotPrinted}, p.Env.Now())
		return tui.Warn(text)
	case m.queued > 0:
		return tui.Toast(t.Get("%s to %s", labels.CountText(t, int64(m.queued)), m.printer))
	}
	return nil
}

// WithLabels adds the actions that print labels: those of what was just received, and that
// of the document with an ID.
func (p *CountPanel) WithLabels(actions []tui.Action, id api.ID) []tui.Action {
	document := labels.PrintActions(p.Site, labels.Always(labels.Request{Kind: label.KindDocument, Subject: id.String()}))
	if p.Job.Receives {
		document = append(document, p.newNumbers()...)
	}
	if len(p.received) == 0 {
		return append(actions, document...)
	}
	t := p.T()
	n := int64(printing.Total(p.received))
	if len(document) > 0 { // in the palette
		document[0].Keys, document[0].NoFooter = nil, true
		document[0].Label = t.Get("print label of the document")
	}
	received := tui.Action{ID: "labels.received", Keys: []string{labels.PrintKey}, Label: t.Get("labels for the %s received: %s", t.Count(p.receivedPieces), t.Count(n)), Short: labels.CountText(t, n), NoFooter: !p.Site.HasPrinter(),
		Help: t.Get("Print the labels of what was just received"),
		Run: func() tea.Cmd {
			p.Site.SetReceived(p.received)
			return tui.Open(labels.ReceivedRoute)
		}}
	return append(slices.Insert(actions, min(2, len(actions)), received), document...)
}

// newNumbers returns the action that prints labels of new serial numbers, or of a new lot, for
// what is received. Scanned, they count as those of a supplier.
func (p *CountPanel) newNumbers() []tui.Action {
	line := p.Line()
	if line == nil {
		return nil
	}
	r, ok := labels.NewNumbers(p.Site, line.Item, line.Remaining())
	if !ok {
		return nil
	}
	return []tui.Action{labels.NewNumbersAction(p.T(), r)}
}
