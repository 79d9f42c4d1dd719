package stock

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// countLines are the lines of a count on its panel, each with a row of recorded stock.
type countLines struct {
	panel  *panel.CountPanel
	listed bool      // only listed products are counted
	rows   rowsByKey // from when the count began
}

// show gives the panel one line for each row. The panel keeps what it has counted.
func (x *countLines) show(name string) {
	rows := slices.SortedFunc(maps.Values(x.rows), func(a, b *stockRow) int {
		return cmp.Or(a.compare(b), slices.Compare(a.Product[:], b.Product[:]))
	})
	lines := make([]*count.Line, len(rows))
	for i, r := range rows {
		lines[i] = newLine(r)
	}
	x.panel.Show(panel.CountDocument{Name: name}, lines...)
}

// setLineLot sets the lot of a line that is being counted, from its stock row.
func (x *countLines) setLineLot(i int) {
	if i < 0 || i >= len(x.panel.Lines) {
		return
	}
	l := x.panel.Lines[i]
	if r := x.rows[l.Key]; r != nil && r.Lot != "" && l.Count.Lot == "" {
		l.Count.Lot, l.Count.LotID, l.Count.ExpiresAt = r.Lot, r.LotID, r.ExpiresAt
	}
}

// chooseLine returns the line on which a label for the item of line i is counted: that
// of its lot. A lot without a row gets a new line.
func (x *countLines) chooseLine(i int, r count.Label) int {
	of := x.panel.Lines[i]
	if r.HasNoCode() && !of.ByLot() {
		if row := x.lineOfLot(r.Lot); row >= 0 {
			of = x.panel.Lines[row]
		}
	}

	if !of.ByLot() {
		return i
	}

	here := x.panel.Line()
	if r.Lot == "" {
		if here.Item.ID == of.Item.ID {
			i = x.panel.Current
		}
		x.setLineLot(i)
		return i
	}

	for j, l := range x.panel.Lines {
		if l.Item.ID == of.Item.ID && x.rows.forLine(l).Lot == r.Lot {
			x.setLineLot(j)
			return j
		}
	}

	x.dropEmptyRow(of)

	return x.addRow(&stockRow{Product: of.Item.ID, SKU: of.Item.SKU, Lot: r.Lot, ExpiresAt: r.ExpiresAt, item: of.Item})
}

// dropEmptyRow removes the line of a listed product without recorded stock, because one of its
// lots gets a line.
func (x *countLines) dropEmptyRow(l *count.Line) {
	if x.listed && x.rows.forLine(l).isEmpty() && !hasCount(l) {
		delete(x.rows, l.Key)
		x.panel.Lines = slices.DeleteFunc(x.panel.Lines, func(other *count.Line) bool { return other == l })
	}
}

// lineOfLot returns the first line of a lot, or -1.
func (x *countLines) lineOfLot(code string) int {
	return slices.IndexFunc(x.panel.Lines, func(l *count.Line) bool {
		return code != "" && x.rows.forLine(l).Lot == code
	})
}

// addRow adds a row without recorded stock and returns its line.
func (x *countLines) addRow(r *stockRow) int {
	for _, other := range x.rows { // rows of a product share its balance
		if other.Product == r.Product {
			r.Version, r.Changed = other.Version, other.Changed
		}
	}

	x.rows[r.key()] = r
	x.panel.Lines = append(x.panel.Lines, newLine(r))
	x.setLineLot(len(x.panel.Lines) - 1)

	return len(x.panel.Lines) - 1
}

// addProduct adds an item that was not expected here.
func (x *countLines) addProduct(p *api.Product) int {
	return x.addRow(&stockRow{Product: p.ID, SKU: p.SKU, item: count.ItemOf(p)})
}

// requireLot rejects the label of an item with several lots if it names none, and
// offers to choose one. It returns nil if the lot is clear. It does not open the list
// itself: the next scan would close it and lose this one.
func (x *countLines) requireLot(r count.Label) tea.Cmd {
	t, here := x.panel.T(), x.panel.Line()
	switch {
	case x.panel.Modal():
		return nil
	case r.HasNoCode() && r.Lot != "" && r.Serial == "" && !here.ByLot() && x.lineOfLot(r.Lot) < 0:
		return tui.Fail(t.NewError("Lot %s is not recorded here. Scan the product first, then the lot.", r.Lot))
	case r.Lot != "" || r.HasNoCode():
		return nil
	}

	var lines []int
	for i, l := range x.panel.Lines {
		if _, _, ok := l.Item.MatchCode(t, r.Codes...); ok && l.ByLot() {
			lines = append(lines, i)
		}
	}

	if len(lines) == 0 || slices.Contains(lines, x.panel.Current) && x.panel.IsSelected(here.Item.ID) {
		return nil
	}

	item, row := x.panel.Lines[lines[0]].Item, x.rows.forLine(x.panel.Lines[lines[0]])
	text := t.Get("%s has %s lots here, and this label has none. Scan a label with the lot, or choose it (F7).",
		item.SKU, t.Count(int64(len(lines))))
	switch {
	case len(lines) > 1:
	case row.Lot != "":
		return nil
	case row.isEmpty():
		text = t.Get("%s is tracked by lot, and this label has none. Scan a label with the lot, or choose it (F7).",
			item.SKU)
	}

	return tui.Fail(errors.New(text), tui.Action{
		ID:    "count.which",
		Key:   "f7",
		Label: t.Get("choose the lot"),
		Short: t.Get("lot"),
		Help:  t.Get("Choose the lot being counted"),
		Run:   func() tea.Cmd { return x.chooseLot(r.Scan, item, lines) },
	})
}

// chooseLot asks for the lot of a scanned item and counts the scan there.
func (x *countLines) chooseLot(code scan.Scan, item count.Item, lines []int) tea.Cmd {
	t := x.panel.T()
	options := make([]string, 0, len(lines)+1)
	for _, i := range lines {
		options = append(options, lotText(t, x.rows.forLine(x.panel.Lines[i])))
	}

	options = append(options, t.Get("another lot…"))

	countScan := func() tea.Cmd { return x.panel.OnScan(code) }

	return tui.Choose(tui.Choice{
		Text:    t.Get("Which lot of %s?", item.SKU),
		Options: options,
		OnChoice: func(i int) tea.Cmd {
			if i == len(lines) {
				return x.typeLot(lines[0], countScan)
			}
			x.panel.Choose(lines[i])
			x.setLineLot(lines[i])
			return countScan()
		},
	})
}

// typeLot asks for the lot of a line's item and selects the line of that lot.
func (x *countLines) typeLot(i int, then func() tea.Cmd) tea.Cmd {
	t := x.panel.T()

	return tui.Prompt(tui.Request{
		Text: t.Get("Lot of %s", x.panel.Lines[i].Item.SKU),
		Check: func(text string) error {
			if strings.TrimSpace(text) == "" {
				return t.NewError("Type the lot, or press esc")
			}
			return nil
		},
		OnText: func(text string) tea.Cmd {
			x.panel.Choose(x.chooseLine(i, count.Label{Lot: strings.TrimSpace(text)}))
			if then == nil {
				return nil
			}
			return then()
		},
	})
}

// question returns the prompt during the count.
func (x *countLines) question(small bool) string {
	t := x.panel.T()
	switch {
	case len(x.panel.Lines) == 0 && small:
		return t.Get("scan what is here")
	case len(x.panel.Lines) == 0:
		return t.Get("Scan what you find")
	case x.panel.Line().BySerial():
		return ""
	case x.panel.SelectFirst && !x.panel.IsSelected(x.panel.Line().Item.ID) && small:
		return t.Get("1st scan selects")
	case x.panel.SelectFirst && !x.panel.IsSelected(x.panel.Line().Item.ID):
		return t.Get("Scan a product to select it, then scan each item or type how many")
	case small:
		return ""
	}

	return t.Get("Scan each item, or type how many")
}

// newLine returns the line of a row, which nothing limits.
func newLine(r *stockRow) *count.Line {
	return &count.Line{Key: r.key(), Item: r.item, Shelves: r.Shelves, Pending: api.MaxQuantity}
}

func lotText(t *i18n.Translator, r *stockRow) string {
	switch {
	case r.Lot == "":
		return t.Get("no lot")
	case !r.ExpiresAt.IsZero():
		return t.Get("%s   exp %s", r.Lot, t.Date(r.ExpiresAt))
	}

	return r.Lot
}
