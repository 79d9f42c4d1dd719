package inbounds

import (
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// openLines returns the open inbounds of a delivery.
func openLines(d *delivery) (open []*api.Inbound) {
	for i := range d.Lines {
		if d.Lines[i].Status.Open() {
			open = append(open, &d.Lines[i])
		}
	}

	return open
}

// lineIDs returns the IDs of the inbounds, those of open ones first.
func lineIDs(d *delivery) (ids []api.ID) {
	for _, in := range openLines(d) {
		ids = append(ids, in.ID)
	}
	for i := range d.Lines {
		if !d.Lines[i].Status.Open() {
			ids = append(ids, d.Lines[i].ID)
		}
	}

	return ids
}

func deliveryName(d *delivery) string { return names.Inbound(&d.Lines[0]) }

// pending returns how many pieces of a delivery are to go.
func pending(d *delivery) (n int64) {
	for _, in := range openLines(d) {
		n += in.Pending()
	}
	return n
}

func expected(d *delivery) (n int64) {
	for i := range d.Lines {
		n += d.Lines[i].ExpectedQuantity
	}
	return n
}

// productText names the product of a delivery of one line, or says how many lines are to
// go.
func productText(t *i18n.Translator, d *delivery, one func(*api.Inbound) string) string {
	if len(d.Lines) == 1 {
		return one(&d.Lines[0])
	}
	return panel.LinesToGo(t, len(openLines(d)))
}

// choice describes a delivery in a choice of several.
func choice(t *i18n.Translator, d *delivery) string {
	first := &d.Lines[0]
	if len(d.Lines) == 1 {
		return t.Get("%s  %s  %s to go", sku(first), name(first), t.Count(first.Pending()))
	}
	return deliveryName(d) + "  " + session.LocationOf(first.Location).Code + "  " +
		panel.LinesToGo(t, len(openLines(d)))
}

// closedReason returns why nothing of a delivery can be received, or "", and a short form
// of it or the status.
func closedReason(t *i18n.Translator, d *delivery) (reason, short string) {
	var received int64
	for i := range d.Lines {
		received += d.Lines[i].ReceivedQuantity
	}

	in := &d.Lines[0]
	status := names.Status(t, in.Status)
	switch open := openLines(d); {
	case len(open) > 0:
		return "", names.Status(t, open[0].Status)
	case len(d.Lines) == 1:
		return t.Get("This delivery is %s (%s of %s).", status, t.Count(received), t.Count(in.ExpectedQuantity)), status
	}

	return t.Get("This delivery is complete (%s of %s).", t.Count(received), t.Count(expected(d))), t.Get("complete")
}

// lineStatus says what became of an inbound that is not open. extra is what came over it.
func lineStatus(t *i18n.Translator, in *api.Inbound, extra int64) string {
	missing, over := in.ExpectedQuantity-in.ReceivedQuantity, in.ReceivedQuantity-in.ExpectedQuantity+extra
	switch {
	case in.Status.Open():
		return ""
	case in.Status == api.InboundReceived && over > 0:
		return t.Get("%s extra", t.Count(over))
	case in.Status == api.InboundReceived:
		return widget.GlyphOK + " " + names.Status(t, in.Status)
	case in.Status == api.InboundClosed && missing > 0:
		return t.Get("%s missing", t.Count(missing))
	}

	return names.Status(t, in.Status)
}
