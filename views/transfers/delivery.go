package transfers

import (
	"slices"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
)

func deliveryName(d *delivery) string { return names.Transfer(&d.Lines[0]) }

// openQuantity returns how many pieces of a transfer are to go at this end.
func (e *side) openQuantity(x *api.Transfer) int64 {
	if x.Status != api.TransferInTransit {
		return 0
	}
	return e.pendingOf(x)
}

// openLines returns how many transfers have something to go at this end.
func (e *side) openLines(d *delivery) (n int) {
	for i := range d.Lines {
		if e.openQuantity(&d.Lines[i]) > 0 {
			n++
		}
	}

	return n
}

// lineIDs returns the IDs of the transfers, those with something to go first.
func (e *side) lineIDs(d *delivery) (ids []api.ID) {
	var done []api.ID
	for i := range d.Lines {
		if x := &d.Lines[i]; e.openQuantity(x) > 0 {
			ids = append(ids, x.ID)
		} else {
			done = append(done, x.ID)
		}
	}

	return append(ids, done...)
}

// sum adds up a quantity of the transfers.
func sum(of func(*api.Transfer) int64, all *delivery) (n int64) {
	for i := range all.Lines {
		n += of(&all.Lines[i])
	}
	return n
}

// productText names the product of a delivery of one line, or says how many lines are to
// go.
func (e *side) productText(t *i18n.Translator, d *delivery, one func(*api.Transfer) string) string {
	if len(d.Lines) == 1 {
		return one(&d.Lines[0])
	}
	return panel.LinesToGo(t, e.openLines(d))
}

// choice describes a delivery in a choice of several.
func (e *side) choice(t *i18n.Translator, d *delivery) string {
	first := &d.Lines[0]
	if len(d.Lines) == 1 {
		return t.Get("%s  %s  %s to go", sku(first), name(first), t.Count(e.pendingOf(first)))
	}
	return deliveryName(d) + "  " + names.LocationCode(
		first.SourceLocation,
	) + " → " + names.LocationCode(first.DestinationLocation) + "  " + panel.LinesToGo(t, e.openLines(d))
}

// deliveryClosed returns why nothing of a delivery can be moved at this end, or "", and a
// short form or the status.
func (e *side) deliveryClosed(t *i18n.Translator, d *delivery) (why, short string) {
	if len(d.Lines) == 1 {
		return e.closedReason(t, &d.Lines[0])
	}
	if e.openLines(d) > 0 {
		return "", t.Get("open")
	}

	done, total := t.Count(sum(e.doneOf, d)), t.Count(sum(func(x *api.Transfer) int64 { return x.Quantity }, d))
	inTransit := slices.ContainsFunc(d.Lines, func(x api.Transfer) bool { return x.Status == api.TransferInTransit })
	if inTransit && e.ships() {
		return t.Get("This transfer is shipped (%s of %s).", done, total), t.Get("all shipped")
	}
	if inTransit {
		return t.Get("Nothing is in transit: %s of %s shipped, %s received.",
			t.Count(sum(func(x *api.Transfer) int64 { return x.ShippedQuantity }, d)), total,
			done), t.Get("nothing in transit")
	}

	return t.Get("This transfer is complete (%s of %s).", done, total), t.Get("complete")
}

// lineStatus says what became of a transfer with nothing to go at this end.
func (e *side) lineStatus(t *i18n.Translator, x *api.Transfer) string {
	missing := x.ShippedQuantity - x.ReceivedQuantity
	switch {
	case x.Status == api.TransferInTransit && e.doneOf(x) == 0:
		return t.Get("nothing in transit")
	case x.Status == api.TransferInTransit:
		return widget.GlyphOK + " " + t.Get(e.doneWord)
	case x.Status == api.TransferReceived:
		return widget.GlyphOK + " " + names.Status(t, x.Status)
	case x.Status == api.TransferClosed && missing > 0:
		return t.Get("%s missing", t.Count(missing))
	}

	return names.Status(t, x.Status)
}
