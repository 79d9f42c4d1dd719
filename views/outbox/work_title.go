package outbox

import (
	"cmp"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/submit"

	"github.com/charmbracelet/lipgloss"
)

// operationTitles names the operations.
var operationTitles = i18n.Texts[string]{
	api.CreateInbound.ID:      "expect",
	api.ReceiveInbound.ID:     "receive",
	api.CancelInbound.ID:      "cancel delivery",
	api.CloseInbound.ID:       "close delivery",
	api.CreateTransfer.ID:     "plan transfer of",
	api.ShipTransfer.ID:       "ship",
	api.ReceiveTransfer.ID:    "receive",
	api.CancelTransfer.ID:     "cancel transfer",
	api.CloseTransfer.ID:      "close transfer",
	api.CreateOutbound.ID:     "order",
	api.AllocateOutbound.ID:   "allocate",
	api.AllocateOutbounds.ID:  "allocate",
	api.PickOutbound.ID:       "pick",
	api.UnpickOutbound.ID:     "put back",
	api.PackOutbound.ID:       "pack",
	api.ShipOutbound.ID:       "ship",
	api.FulfillOutbound.ID:    "fulfill",
	api.CancelOutbound.ID:     "cancel order",
	api.CreateReservation.ID:  "reserve",
	api.CommitReservation.ID:  "commit reservation",
	api.ReleaseReservation.ID: "release reservation",
	api.CancelReservation.ID:  "cancel reservation",
	api.AdjustStock.ID:        "adjust",
	api.MoveStock.ID:          "move",
	api.ReceiveStock.ID:       "receive",
	api.ReturnStock.ID:        "return",
	api.FulfillStock.ID:       "fulfill",
	api.WriteOffStock.ID:      "write off",
	api.ReconcileStock.ID:     "count",
	api.RegisterPlate.ID:      "register pallet",
	api.DisassembleStock.ID:   "disassemble",
	api.AssembleStock.ID:      "assemble",
	api.CreateProduct.ID:      "create product",
	api.ChangeProduct.ID:      "correct product",
	api.SetShelves.ID:         "set shelf of",
	api.ChangeLocation.ID:     "correct location",
	api.CreateLocation.ID:     "create location",
	api.CreateOwner.ID:        "create owner",
	api.CreateChannel.ID:      "create channel",
	api.ArchiveProduct.ID:     "archive",
	api.LinkBarcode.ID:        "link barcode to",
	api.UnlinkBarcode.ID:      "unlink barcode from",
	api.ArchiveLot.ID:         "archive lot of",
	api.CreateOperator.ID:     "create operator",
	api.ChangeOperator.ID:     "change operator",
}

// workTitle describes what was done: "receive 48 × OAT-1L on PO-2026-118".
func workTitle(t *i18n.Translator, w *api.Work) string {
	if w.Replaces != "" && (w.Operation == api.ReceiveStock.ID || w.Operation == api.WriteOffStock.ID) {
		w = adjustmentOf(w)
	}

	text := w.Operation
	if title, ok := operationTitles[w.Operation]; ok {
		text = t.Get(title)
	}
	if w.Operation == api.ReceiveInbound.ID || w.Operation == api.ReceiveStock.ID {
		text = t.GetC("receive", "inbound") // other words than for a transfer in some languages
	}

	g := &w.Stock
	sku := g.SKU
	if sku == "" && g.ProductID != api.NoID {
		sku = names.ShortID(g.ProductID)
	}

	if q := quantityText(t, w); q != "" {
		text += " " + q
		if sku != "" {
			text += " ×"
		}
	}

	if sku != "" {
		text += " " + sku
	}

	switch document := documentName(g); {
	case document != "":
		text += " " + t.Get("on %s", document)
	case w.Operation == api.CreateLocation.ID:
		text += " " + g.Location
	case g.Location != "":
		text += " " + t.Get("at %s", g.Location)
	}

	return widget.Clean(text)
}

// adjustmentOf describes the receipt or write-off of tracked items that replaced another
// operation as the adjustment that it is.
func adjustmentOf(w *api.Work) *api.Work {
	adjustment := *w
	if q := w.Stock.Quantity; q != nil {
		signed := *q * direction(w).Sign()
		adjustment.Stock.Quantity = &signed
	}
	adjustment.Operation, adjustment.Stock.Document, adjustment.Stock.Reference = api.AdjustStock.ID, api.NoID, ""
	return &adjustment
}

// shortWorkTitle is workTitle without the document and the location.
func shortWorkTitle(t *i18n.Translator, w *api.Work) string {
	short := *w
	short.Stock.Document, short.Stock.Reference, short.Stock.Location = api.NoID, "", ""
	return strings.ReplaceAll(workTitle(t, &short), " ×", "")
}

// quantityText returns the quantity, signed for an adjustment.
func quantityText(t *i18n.Translator, w *api.Work) string {
	switch {
	case w.Stock.Quantity == nil:
		return ""
	case w.Operation == api.AdjustStock.ID:
		return t.Change(*w.Stock.Quantity)
	}

	return t.Count(*w.Stock.Quantity)
}

// documentName returns the display name of the document, or "" if there is none.
func documentName(g *api.WorkStock) string {
	if g.Document == api.NoID {
		return g.Reference
	}
	return cmp.Or(g.Reference, names.ShortID(g.Document))
}

var waitingTexts = i18n.Texts[api.WorkWait]{
	api.WaitLink:       "no connection",
	api.WaitOrder:      "queued",
	api.WaitDependency: "after another",
	api.WaitOtherSite:  "waits for a site",
	api.WaitQuota:      "quota used up",
	api.WaitKey:        "key rejected",
}

// stateText describes the state of w in a few words.
func stateText(t *i18n.Translator, w *api.Work, now time.Time) string {
	switch w.State {
	case api.WorkRefused:
		return t.Get("failed %s", t.TimeOrDay(w.Since, now))
	case api.WorkHeld:
		return t.Get("on hold %s", t.TimeOrDay(w.Since, now))
	case api.WorkSent:
		if w.Wait == api.WaitOtherSite {
			return t.Get(waitingTexts[w.Wait])
		}
		return t.Get("no answer yet")
	case api.WorkDone:
		return t.Get("synced")
	case api.WorkReplaced:
		return t.Get("replaced")
	case api.WorkDiscarded:
		return t.Get("discarded")
	}

	if w.NotRecorded != nil {
		return t.Get("not recorded yet")
	}
	if text, ok := waitingTexts[w.Wait]; ok {
		return t.Get(text)
	}

	return t.GetC("pending", "sync")
}

// shortStateText is stateText without the time, for small screens.
func shortStateText(t *i18n.Translator, w *api.Work, now time.Time) string {
	switch w.State {
	case api.WorkRefused:
		return strings.TrimSpace(t.Get("failed %s", ""))
	case api.WorkHeld:
		return strings.TrimSpace(t.Get("on hold %s", ""))
	}

	return stateText(t, w, now)
}

// glyph returns the symbol for the state of w.
func glyph(w *api.Work) string {
	switch {
	case w.State.NeedsDecision() || w.State == api.WorkWaiting && w.Risk != nil:
		return widget.GlyphRefused
	case w.State == api.WorkSent:
		return widget.GlyphUnconfirmed
	case w.State == api.WorkDone:
		return widget.GlyphOK
	}

	return widget.GlyphPending
}

// style returns the style of the glyph of w.
func style(t widget.Theme, w *api.Work) lipgloss.Style {
	switch glyph(w) {
	case widget.GlyphRefused:
		if w.State.NeedsDecision() {
			return t.Error
		}
		return t.Warning
	case widget.GlyphUnconfirmed:
		return t.Warning
	case widget.GlyphOK:
		return t.Accent
	}

	return t.Muted
}

// styled renders the glyph of w and text in its style.
func styled(t widget.Theme, w *api.Work, text string) string {
	return style(t, w).Render(glyph(w) + " " + text)
}

// reason returns why w was rejected or held, may be rejected or waits for another site, or
// "".
func reason(t *i18n.Translator, w *api.Work) string {
	if w.Wait == api.WaitOtherSite {
		return t.Get("This depends on an entry from another site that the service has lost.")
	}
	for _, r := range []*api.WorkRefusal{w.Refusal, w.Risk} {
		if r != nil && (r == w.Refusal || w.State.Unresolved()) {
			return submit.UserMessage(t, &api.Error{Code: r.Code, Message: r.Message})
		}
	}

	return ""
}

// actor returns who did it, and on which device.
func actor(t *i18n.Translator, w *api.Work) string {
	switch {
	case w.Device == "":
		return widget.Clean(w.Operator)
	case w.Operator == "":
		return widget.Clean(w.Device)
	}

	return widget.Clean(t.Get("%s, %s", w.Operator, w.Device))
}

// comparison returns the quantities here and at the service.
func comparison(t *i18n.Translator, w *api.Work, small bool) (pairs []widget.Pair) {
	g := &w.Stock
	here, there := sideText(t, g.OpenHere, g.InAll, g.Here, small), sideText(t, g.OpenThere, g.InAll, g.There, small)
	if here != "" {
		pairs = append(pairs, widget.Pair{Label: t.Get("Here"), Value: here})
		there = cmp.Or(there, t.GetC("none", "sync"))
	}
	if there != "" {
		pairs = append(pairs, widget.Pair{Label: t.Get("Service"), Value: there})
	}

	return pairs
}

// sideText describes the document and the stock on one side.
func sideText(t *i18n.Translator, open, all *int64, q *api.Quantities, small bool) string {
	var parts []string
	if small && open != nil && all != nil {
		return t.Get("%s/%s open", t.Count(*open), t.Count(*all))
	}
	if small && q != nil {
		return t.Count(q.OnHand)
	}
	if open != nil && all != nil {
		parts = append(parts, t.Get("%s of %s open", t.Count(*open), t.Count(*all)))
	}
	if q != nil {
		parts = append(parts, t.Get("on hand %s, available %s", t.Count(q.OnHand), t.Count(q.Available)))
	}

	return strings.Join(parts, ", ")
}
