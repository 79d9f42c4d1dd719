package outbounds

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/names"
	"bincard/views/panel"
)

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	if size.Small() {
		return s.smallView(size)
	}

	t, width := s.Theme, size.Width-2
	when := s.dueText()
	if alerts.IsOutboundLate(s.Doc, s.Now()) {
		when = t.Warn(when)
	}

	top := []string{" " + widget.Between(t.Strong.Render(widget.Clean(s.Doc.CustomerName)), when, width)}
	if hint := s.hint(); hint != "" {
		top = append(top, " "+t.Warn(widget.Clip(hint, width-2)))
	} else {
		top = append(top, " "+t.Muted.Render(s.totalsText()))
	}

	top = append(top, "")
	top = append(top, s.table(t, size)...)
	top = append(top, "")
	top = append(top, s.details(t, width)...)
	top = append(top, "")
	frame := s.Panel.Frame()
	if text := frame.LocationWarning(size); text != "" {
		top = append(top, text)
	}

	top = append(top, strings.Split(frame.QuestionView(size), "\n")...)
	top = append(top, "")

	return strings.Join(append(top, frame.Feed(size, size.Height-len(top))...), "\n")
}

// smallView shows the current line, and what of it or which others wait for stock.
func (s *screen) smallView(size tui.Size) string {
	t, l := s.T, s.currentLine()
	others := 0
	for _, x := range lines(s.Doc) {
		if x.PendingAllocationQuantity > 0 {
			others++
		}
	}

	waiting := ""
	switch {
	case !s.Doc.Status.Open():
	case s.allocatable(s.Panel.Line()) > 0:
		waiting = t.Get("%s can be allocated", t.Count(s.allocatable(s.Panel.Line())))
	case l.PendingAllocationQuantity > 0:
		waiting = t.GetC("%s waiting", "outbounds", t.Count(l.PendingAllocationQuantity))
	case others > 0:
		waiting = t.GetN(others, "%s line waiting", "%s lines waiting")
	}

	return s.Panel.Frame().View(size, panel.DocumentSummary{
		Party:     s.Doc.CustomerName,
		When:      s.dueText(),
		Late:      alerts.IsOutboundLate(s.Doc, s.Now()),
		Note:      waiting,
		Recorded:  s.sentText(l),
		Total:     l.RequestedQuantity,
		Done:      l.FulfilledQuantity,
		TotalWord: t.Get("ordered"),
		DoneWord:  t.GetC("sent", "outbounds"),
	})
}

// currentLine returns the line that is being counted.
func (s *screen) currentLine() api.OutboundLine {
	all := lines(s.Doc)
	return all[max(0, min(s.Panel.Current, len(all)-1))]
}

// dueText returns the status and the ship date of an open order.
func (s *screen) dueText() string {
	due := s.Doc.Due(s.Now().Location())
	if due == nil || !s.Doc.Status.Open() {
		return s.Panel.Document.Status(names.Status(s.T, s.Doc.Status))
	}
	return s.T.Get("%s, ships %s", names.Status(s.T, s.Doc.Status), s.T.When(*due, s.Now()))
}

// hint explains why nothing is ready, or "".
func (s *screen) hint() string {
	t := s.T

	p := s.Doc.Progress
	switch {
	case !s.Doc.Status.Open() || p.PendingFulfillmentQuantity > 0:
		return ""
	case s.allocatable(s.Panel.Lines...) > 0:
		return t.Get("%s waiting, %s can be allocated now. Press F3.", t.Count(p.PendingAllocationQuantity),
			t.Count(s.allocatable(s.Panel.Lines...)))
	case p.PendingAllocationQuantity > 0 && s.site.Supports(api.AllocateOutbound.Spec) && !s.noneToAllocate():
		return t.Get("%s waiting for stock. Press F3 to allocate new stock.", t.Count(p.PendingAllocationQuantity))
	case p.PendingAllocationQuantity > 0:
		return t.Get("%s waiting for stock.", t.Count(p.PendingAllocationQuantity))
	}

	return ""
}

// totalsText returns the quantities of the whole order.
func (s *screen) totalsText() string {
	t := s.T

	p := s.Doc.Progress
	text := t.Get("%s ordered   %s ready   %s fulfilled", t.Count(p.RequestedQuantity),
		t.Count(p.PendingFulfillmentQuantity), t.Count(p.FulfilledQuantity))
	if picked := p.PickedQuantity - p.FulfilledQuantity; picked > 0 && s.Doc.Status.Open() {
		text += "   " + t.Get("%s picked", t.Count(picked))
	}
	switch n := s.allocatable(s.Panel.Lines...); {
	case p.PendingAllocationQuantity == 0 || !s.Doc.Status.Open():
	case n > 0:
		text += "   " + t.Get("%s waiting, %s can be allocated now", t.Count(p.PendingAllocationQuantity), t.Count(n))
	default:
		text += "   " + t.Get("%s waiting for stock", t.Count(p.PendingAllocationQuantity))
	}

	return text
}

// table shows the lines of the order with the current one selected.
func (s *screen) table(t widget.Theme, size tui.Size) []string {
	list := widget.NewList(func(l api.OutboundLine) string { return l.ID.String() }, s.lineColumns(size)...)
	all := lines(s.Doc)
	list.SetRows(all)
	list.MoveTo(s.Panel.Current)
	height := min(len(all), max(1, size.Height-14)) + 1
	if len(all) == 1 {
		height = 2
	}

	text := list.View(t, size.Width-2, max(3, height))

	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// details shows the current line with its packaging, quantities, and counted lot or
// serials.
func (s *screen) details(t widget.Theme, width int) []string {
	l := s.Panel.Line()
	doc := s.currentLine()
	ready := min(60, max(20, width/4))
	row := func(label, value string) string {
		return widget.Clip("   "+t.Muted.Render(widget.Left(label, 10))+strings.TrimRight(value, " "), width)
	}
	out := []string{
		"   " + widget.Between(t.Strong.Render(widget.Clean(l.Item.Title())),
			t.Muted.Render(widget.Clean(l.Item.PackText(s.T))), width-6),
		row(s.T.Get("Ready"), s.T.Get("%s   %s  %s when done", widget.Right(s.T.Count(l.Pending), 6),
			widget.Bar(t, doc.FulfilledQuantity+l.Count.Quantity, doc.RequestedQuantity, ready),
			widget.Percent(s.T, doc.FulfilledQuantity+l.Count.Quantity, doc.RequestedQuantity))),
	}

	if text := l.ShelfText(); text != "" {
		out = append(out, row(s.T.Get("Shelf"), widget.Clean(text)))
	}

	label := s.T.Get("Sent")
	for _, text := range wrapLots(s.sentText(doc), width-13) {
		if text != "" {
			out, label = append(out, row(label, text)), ""
		}
	}

	if l.BySerial() || len(l.Count.Serials) > 0 {
		return append(out, row(s.T.Get("Serials"), panel.SerialsText(t, l)))
	}

	lot := ""
	label = s.T.Get("Lot")
	if text := widget.Clean(l.Count.LotText(s.T)); text != "" {
		lot = widget.Left(text, max(14, widget.Width(text))) + "  "
	}
	for _, text := range wrapLots(s.lotsText(doc), width-13-widget.Width(lot)) {
		out = append(out, row(label, lot+t.Muted.Render(text)))
		label, lot = "", strings.Repeat(" ", widget.Width(lot))
	}

	return out
}

// insertBefore puts actions before the one with an ID, or last.
func insertBefore(actions []tui.Action, id string, more []tui.Action) []tui.Action {
	at := slices.IndexFunc(actions, func(a tui.Action) bool { return a.ID == id })
	if at < 0 {
		at = len(actions)
	}
	return slices.Insert(actions, at, more...)
}

// Speech describes the order with its lines as rows.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}

	facts := []string{strings.TrimSpace(widget.Clean(s.Doc.CustomerName) + "  " + s.totalsText())}
	facts = append(facts, s.dueText())
	if hint := s.hint(); hint != "" {
		facts = append(facts, hint)
	}

	if len(s.Panel.Lines) == 1 {
		l := s.Panel.Line()
		facts = append(
			facts,
			strings.TrimSpace(s.T.Get("%s  %s  ready %s  %s", l.Item.SKU, l.Item.Name, s.T.Count(l.Pending),
				l.Item.PackText(s.T))),
		)
	}

	if text := s.lotsText(s.currentLine()); text != "" {
		facts = append(facts, text)
	}

	return s.Panel.Frame().Speech(facts...)
}

// Speech describes the new order with its lines and form.
func (s *newOrderForm) Speech() tui.Speech {
	t := s.T

	if s.submission.Unfinished() {
		return tui.Speech{Facts: []string{t.Get("No answer yet: enter to retry")}, Question: t.Get("retry or back")}
	}

	facts := []string{
		t.Get(`from %s: scan the items, then enter the customer; type "order" to finish`, s.site.Location().String()),
	}
	for _, w := range s.lines {
		facts = append(facts, t.Count(w.Quantity)+" × "+w.SKU+"  "+w.Name)
	}

	return tui.Speech{Facts: facts, Form: s.form}
}
