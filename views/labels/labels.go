package labels

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/views/count"
	"bincard/views/session"
)

// OfProduct returns the label of one piece of a product.
func OfProduct(item count.Item, now time.Time) label.Label {
	return label.Label{Kind: label.KindProduct, SKU: item.SKU, Name: item.Name, GTIN: label.GTINOf(item.Barcodes, now)}
}

// OfLot returns the label of stock of a lot. expires is zero if unknown, and so is the
// quantity in pieces.
func OfLot(item count.Item, lot string, expires time.Time, quantity int64, now time.Time) label.Label {
	l := OfProduct(item, now)
	l.Kind, l.Lot, l.Expires, l.Quantity, l.Unit = label.KindLot, lot, expires, quantity, item.BaseUnit
	return l
}

// OfSerial returns the label of a serialized piece, with its lot or "".
func OfSerial(item count.Item, serial, lot string, expires time.Time, now time.Time) label.Label {
	l := OfProduct(item, now)
	l.Kind, l.Serial, l.Lot, l.Expires = label.KindSerial, serial, lot, expires
	return l
}

// OfLocation returns the label of a location.
func OfLocation(l session.Location) label.Label {
	return label.Label{Kind: label.KindLocation, Location: l.Code, LocationName: l.Name}
}

// PrintKey is the key of the actions that print labels, on all screens.
const PrintKey = "ctrl+k"

// PrintActions returns the action that opens the screen to print a label. It returns no
// action on a terminal without labels. request returns the label to print, or the reason why
// nothing can be printed now.
func PrintActions(site *session.Site, request func() (r Request, none string)) []tui.Action {
	if site.Labels() == nil {
		return nil
	}

	t := site.T()

	return []tui.Action{
		{
			ID:       "labels.print",
			Key:      PrintKey,
			Label:    t.Get("print label"),
			Short:    t.GetC("label", "print"),
			Help:     t.Get("Print a label of it"),
			NoFooter: !site.HasPrinter(),
			Disabled: func() string { _, none := request(); return none },
			Run:      func() tea.Cmd { r, _ := request(); return tui.Open(r.Route()) },
		},
	}
}

// Always returns a request as PrintActions takes it.
func Always(r Request) func() (Request, string) {
	return func() (Request, string) { return r, "" }
}

// CountText returns a number of labels: "4 labels".
func CountText(t *i18n.Translator, n int64) string {
	return t.GetN(int(n), "%s label", "%s labels")
}

// NoPrinterText says that no printer is set up for the operator's location, and how to set
// one up.
func NoPrinterText(site *session.Site) string {
	t := site.T()
	if at := site.Location().Code; len(site.Labels().Settings.Printers) > 0 && at != "" {
		return t.Get("No label printer is set up for %s. See 'bincard help labels'.", at)
	}
	return t.Get("No label printer is set up. See 'bincard help labels'.")
}
