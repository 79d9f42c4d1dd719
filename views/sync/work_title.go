package sync

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// operationTitles are what the operations are called, in the words of the warehouse.
var operationTitles = map[string]*string{
	api.CreateInbound.ID: &deedCreateInbound, api.ReceiveInbound.ID: &deedReceive, api.CancelInbound.ID: &deedCancelInbound,
	api.CloseInbound.ID: &deedCloseInbound, api.CreateTransfer.ID: &deedCreateTransfer, api.ShipTransfer.ID: &deedShip,
	api.ReceiveTransfer.ID: &deedArrive, api.CancelTransfer.ID: &deedCancelTransfer, api.CloseTransfer.ID: &deedCloseTransfer,
	api.CreateOutbound.ID: &deedCreateOutbound, api.AllocateOutbound.ID: &deedAllocate, api.PickOutbound.ID: &deedPick,
	api.PackOutbound.ID: &deedPack, api.ShipOutbound.ID: &deedShip, api.FulfillOutbound.ID: &deedFulfill,
	api.CancelOutbound.ID: &deedCancelOutbound, api.CreateReservation.ID: &deedReserve, api.CommitReservation.ID: &deedCommit,
	api.ReleaseReservation.ID: &deedRelease, api.CancelReservation.ID: &deedCancelReservation, api.AdjustStock.ID: &deedAdjust,
	api.MoveStock.ID: &deedMove, api.ReceiveStock.ID: &deedReceiveStock, api.ReturnStock.ID: &deedReturn,
	api.FulfillStock.ID: &deedFulfillStock, api.WriteOffStock.ID: &deedWriteOff, api.ReconcileStock.ID: &deedReconcile,
	api.DisassembleStock.ID: &deedDisassemble, api.AssembleStock.ID: &deedAssemble, api.CreateProduct.ID: &deedProduct,
	api.CreateLocation.ID: &deedLocation, api.CreateOwner.ID: &deedOwner, api.CreateChannel.ID: &deedChannel,
	api.ArchiveProduct.ID: &deedArchiveProduct, api.ArchiveLot.ID: &deedArchiveLot,
}

// workTitle is what was done: "receive 48 × OAT-1L on PO-2026-118".
func workTitle(w *api.Work) string {
	words := w.Operation
	if d := operationTitles[w.Operation]; d != nil {
		words = *d
	}
	g := &w.Goods
	sku := g.SKU
	if sku == "" && g.ProductID != (api.ID{}) {
		sku = dock.ShortID(g.ProductID)
	}
	if q := quantityText(w); q != "" {
		words += " " + q
		if sku != "" {
			words += " ×"
		}
	}
	if sku != "" {
		words += " " + sku
	}
	switch paper := documentName(g); {
	case paper != "":
		words += " " + fmt.Sprintf(wordOn, paper)
	case w.Operation == api.CreateLocation.ID:
		words += " " + g.Location
	case g.Location != "":
		words += " " + fmt.Sprintf(wordAt, g.Location)
	}
	return widget.Clean(words)
}

// shortWorkTitle is a deed without where it was done.
func shortWorkTitle(w *api.Work) string {
	short := *w
	short.Goods.Document, short.Goods.Reference, short.Goods.Location = api.ID{}, "", ""
	return strings.ReplaceAll(workTitle(&short), " ×", "")
}

// quantityText is how much, with its sign where it is a difference.
func quantityText(w *api.Work) string {
	switch {
	case w.Goods.Quantity == nil:
		return ""
	case w.Operation == api.AdjustStock.ID:
		return widget.Change(*w.Goods.Quantity)
	}
	return widget.Count(*w.Goods.Quantity)
}

// documentName is what people call the document, "" where there is none.
func documentName(g *api.WorkGoods) string {
	if g.Document == (api.ID{}) {
		return g.Reference
	}
	return cmp.Or(g.Reference, dock.ShortID(g.Document))
}

// needsDecision tells whether a person must decide.
func needsDecision(w *api.Work) bool { return w.State == api.WorkRefused || w.State == api.WorkHeld }

// isOpen tells whether anything is still to be done about it.
func isOpen(w *api.Work) bool {
	return needsDecision(w) || w.State == api.WorkWaiting || w.State == api.WorkSent
}

var waitingTexts = map[api.WorkWait]*string{api.WaitLink: &stateLine, api.WaitOrder: &stateOrder, api.WaitDependency: &stateNeed,
	api.WaitQuota: &stateQuota, api.WaitKey: &stateKey}

// stateText is what became of it, in a few words.
func stateText(w *api.Work, now time.Time) string {
	switch w.State {
	case api.WorkRefused:
		return fmt.Sprintf(stateRefused, timeOrDay(w.Since, now))
	case api.WorkHeld:
		return fmt.Sprintf(stateHeld, timeOrDay(w.Since, now))
	case api.WorkSent:
		return stateSent
	case api.WorkDone:
		return stateDone
	case api.WorkReplaced:
		return stateReplaced
	case api.WorkDiscarded:
		return stateDropped
	}
	if words := waitingTexts[w.Wait]; words != nil {
		return *words
	}
	return stateWaiting
}

// shortStateText is stateText without the time, which a small screen has no room for.
func shortStateText(w *api.Work, now time.Time) string {
	switch w.State {
	case api.WorkRefused:
		return strings.TrimSpace(fmt.Sprintf(stateRefused, ""))
	case api.WorkHeld:
		return strings.TrimSpace(fmt.Sprintf(stateHeld, ""))
	}
	return stateText(w, now)
}

// timeOrDay is the time of a moment of today, else its day.
func timeOrDay(at, now time.Time) string {
	if widget.Today(at, now) {
		return at.In(now.Location()).Format("15:04")
	}
	return widget.Day(at, now)
}

// glyph tells what became of work where there are no colours.
func glyph(w *api.Work) string {
	switch {
	case needsDecision(w) || w.State == api.WorkWaiting && w.Risk != nil:
		return theme.GlyphRefused
	case w.State == api.WorkSent:
		return theme.GlyphUnconfirmed
	case w.State == api.WorkDone:
		return theme.GlyphOK
	}
	return theme.GlyphPending
}

// style is the colour of the glyph.
func style(t theme.Theme, w *api.Work) lipgloss.Style {
	switch glyph(w) {
	case theme.GlyphRefused:
		if needsDecision(w) {
			return t.Error
		}
		return t.Warning
	case theme.GlyphUnconfirmed:
		return t.Warning
	case theme.GlyphOK:
		return t.Accent
	}
	return t.Muted
}

// styled is words about work in its colour, with its glyph.
func styled(t theme.Theme, w *api.Work, words string) string {
	return style(t, w).Render(glyph(w) + " " + words)
}

// reason is why it was refused or held, or may be, in the words of the service.
func reason(w *api.Work) string {
	for _, r := range []*api.WorkRefusal{w.Refusal, w.Risk} {
		if r != nil && (r == w.Refusal || isOpen(w)) {
			return dock.UserMessage(&api.Error{Code: r.Code, Message: r.Message})
		}
	}
	return ""
}

// actor did it, and by which device.
func actor(w *api.Work) string {
	switch {
	case w.Device == "":
		return widget.Clean(w.Operator)
	case w.Operator == "":
		return widget.Clean(w.Device)
	}
	return widget.Clean(fmt.Sprintf(byDevice, w.Operator, w.Device))
}

// comparison are the numbers here and there.
func comparison(w *api.Work, small bool) (pairs []widget.Pair) {
	g := &w.Goods
	here, there := sideText(g.OpenHere, g.InAll, g.Here, small), sideText(g.OpenThere, g.InAll, g.There, small)
	if here != "" {
		pairs = append(pairs, widget.Pair{Label: fieldHere, Value: here})
		there = cmp.Or(there, noneThere)
	}
	if there != "" {
		pairs = append(pairs, widget.Pair{Label: fieldThere, Value: there})
	}
	return pairs
}

// sideText are what is known at one side: the document, and the stock.
func sideText(open, all *int64, q *api.Quantities, small bool) string {
	var parts []string
	if small && open != nil && all != nil {
		return fmt.Sprintf(openShort, widget.Count(*open), widget.Count(*all))
	}
	if small && q != nil {
		return widget.Count(q.OnHand)
	}
	if open != nil && all != nil {
		parts = append(parts, fmt.Sprintf(openWords, widget.Count(*open), widget.Count(*all)))
	}
	if q != nil {
		parts = append(parts, fmt.Sprintf(onHandWords, widget.Count(q.OnHand), widget.Count(q.Available)))
	}
	return strings.Join(parts, ", ")
}
