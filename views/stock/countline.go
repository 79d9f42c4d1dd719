package stock

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// setLines puts a line on the panel for every row and keeps the count.
func (s *countScreen) setLines() {
	rows := make([]*stockRow, 0, len(s.rows))
	for _, r := range s.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *stockRow) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)), cmp.Compare(a.Lot, b.Lot), slices.Compare(a.Product[:], b.Product[:]))
	})
	lines := make([]*count.Line, len(rows))
	for i, r := range rows {
		lines[i] = &count.Line{Key: r.key(), Item: r.item, Pending: api.MaxQuantity}
	}
	s.panel.Show(panel.CountDocument{Name: s.Title()}, lines...)
}

// setLineLot sets the lot of a line that is being counted, from its stock row.
func (s *countScreen) setLineLot(i int) {
	if i < 0 || i >= len(s.panel.Lines) {
		return
	}
	l := s.panel.Lines[i]
	if r := s.rows[l.Key]; r != nil && r.Lot != "" && l.Count.Lot == "" {
		l.Count.Lot, l.Count.LotID, l.Count.ExpiresAt = r.Lot, r.LotID, r.ExpiresAt
	}
}

// chooseLine returns the line on which a label for the item of line i is counted: that
// of its lot. A lot without a row gets a new line.
func (s *countScreen) chooseLine(i int, r count.Label) int {
	of := s.panel.Lines[i]
	if r.HasNoCode() && !of.ByLot() {
		if row := s.lineOfLot(r.Lot); row >= 0 {
			of = s.panel.Lines[row]
		}
	}
	if !of.ByLot() {
		return i
	}
	here := s.panel.Line()
	if r.Lot == "" {
		if here.Item.ID == of.Item.ID {
			i = s.panel.Current
		}
		s.setLineLot(i)
		return i
	}
	for j, l := range s.panel.Lines {
		if l.Item.ID == of.Item.ID && s.rowOf(l).Lot == r.Lot {
			s.setLineLot(j)
			return j
		}
	}
	s.dropEmptyRow(of)
	return s.addRow(&stockRow{Product: of.Item.ID, SKU: of.Item.SKU, Lot: r.Lot, ExpiresAt: r.ExpiresAt, item: of.Item})
}

// lineOfLot returns the first line of a lot, or -1.
func (s *countScreen) lineOfLot(code string) int {
	return slices.IndexFunc(s.panel.Lines, func(l *count.Line) bool { return code != "" && s.rowOf(l).Lot == code })
}

// addRow adds a row without recorded stock and returns its line.
func (s *countScreen) addRow(r *stockRow) int {
	for _, x := range s.rows { // rows of a product share its balance
		if x.Product == r.Product {
			r.Version, r.Changed = x.Version, x.Changed
		}
	}
	s.rows[r.key()] = r
	s.panel.Lines = append(s.panel.Lines, &count.Line{Key: r.key(), Item: r.item, Pending: api.MaxQuantity})
	s.setLineLot(len(s.panel.Lines) - 1)
	return len(s.panel.Lines) - 1
}

// addProduct adds an item that was not expected here.
func (s *countScreen) addProduct(p *api.Product) int {
	return s.addRow(&stockRow{Product: p.ID, SKU: p.SKU, item: count.ItemOf(p)})
}

// requireLot rejects the label of an item with several lots if it names none, and
// offers to choose one. It returns nil if the lot is clear. It does not open the list
// itself: the next scan would close it and lose this one.
func (s *countScreen) requireLot(x scan.Scan, r count.Label) tea.Cmd {
	t := s.site.T()

	if r.HasNoCode() && r.Lot != "" && r.Serial == "" && !s.panel.Line().ByLot() && s.lineOfLot(r.Lot) < 0 && !s.panel.Modal() {
		return tui.Fail(errors.New(t.Get("Lot %s is not recorded here. Scan the product first, then the lot.", r.Lot)))
	}
	if r.Lot != "" || r.HasNoCode() || s.panel.Modal() {
		return nil
	}
	var lines []int
	for i, l := range s.panel.Lines {
		if _, _, ok := l.Item.MatchCode(t, r.Codes...); ok && l.ByLot() {
			lines = append(lines, i)
		}
	}
	if len(lines) == 0 || slices.Contains(lines, s.panel.Current) && s.panel.IsSelected(s.panel.Line().Item.ID) || len(lines) == 1 && s.rowOf(s.panel.Lines[lines[0]]).Lot != "" {
		return nil
	}
	item := s.panel.Lines[lines[0]].Item
	text := t.Get("%s has %s lots here and this label names none. Scan a label with the lot, or choose it (F7).", item.SKU, t.Count(int64(len(lines))))
	if len(lines) == 1 && s.rowOf(s.panel.Lines[lines[0]]).isEmpty() {
		text = t.Get("%s is tracked by lot and this label names none. Scan a label with the lot, or choose it (F7).", item.SKU)
	}
	return tui.Fail(errors.New(text),
		tui.Action{ID: "count.which", Keys: []string{"f7"}, Label: t.Get("choose the lot"), Short: t.Get("lot"), Help: t.Get("Choose the lot being counted"),
			Run: func() tea.Cmd { return s.chooseLot(x, item, lines) }})
}

// chooseLot asks for the lot of a scanned item and counts the scan there.
func (s *countScreen) chooseLot(x scan.Scan, item count.Item, lines []int) tea.Cmd {
	options := make([]string, 0, len(lines)+1)
	for _, i := range lines {
		options = append(options, lotText(s.site.T(), s.rowOf(s.panel.Lines[i])))
	}
	options = append(options, s.site.T().Get("another lot…"))
	return tui.Choose(tui.Choice{Text: s.site.T().Get("Which lot of %s?", item.SKU), Options: options, OnChoice: func(i int) tea.Cmd {
		if i < len(lines) {
			s.panel.Choose(lines[i])
			s.setLineLot(lines[i])
			return s.panel.OnScan(x)
		}
		return s.typeLot(lines[0], func() tea.Cmd { return s.panel.OnScan(x) })
	}})
}

// typeLot asks for the lot of a line's item and selects the line of that lot.
func (s *countScreen) typeLot(i int, then func() tea.Cmd) tea.Cmd {
	return tui.Prompt(tui.Request{Text: s.site.T().Get("Lot of %s", s.panel.Lines[i].Item.SKU),
		Check: func(text string) error {
			if strings.TrimSpace(text) == "" {
				return errors.New(s.site.T().Get("Type the lot, or press esc"))
			}
			return nil
		},
		OnText: func(text string) tea.Cmd {
			s.panel.Choose(s.chooseLine(i, count.Label{Lot: strings.TrimSpace(text)}))
			if then == nil {
				return nil
			}
			return then()
		}})
}

func lotText(t *i18n.Translator, r *stockRow) string {
	switch {
	case r.Lot == "":
		return t.Get("no lot")
	case !r.ExpiresAt.IsZero():
		return t.Get("%s   exp %s", r.Lot, r.ExpiresAt.Format(time.DateOnly))
	}
	return r.Lot
}

// question returns the prompt during the count.
func (s *countScreen) question(small bool) string {
	t := s.site.T()

	l := s.panel.Line()
	switch {
	case len(s.panel.Lines) == 0 && small:
		return t.Get("scan what is here")
	case len(s.panel.Lines) == 0:
		return t.Get("No stock recorded here: scan what you find")
	case small || l.BySerial():
		return ""
	}
	return t.Get("Scan each item, or type how many")
}

// expected returns the recorded quantity of a line, or "?" in a blind count.
func (s *countScreen) expected(l *count.Line) string {
	if s.hidesExpected() {
		return "?"
	}
	return s.site.T().Count(s.rowOf(l).Expected)
}

// difference returns the counted quantity minus the recorded one, 0 if the line is not
// counted.
func (s *countScreen) difference(l *count.Line) int64 {
	if !hasCount(l) {
		return 0
	}
	return l.Count.Quantity - s.rowOf(l).Expected
}

// differs reports whether a line must be corrected, because its quantity or its
// serials differ.
func (s *countScreen) differs(l *count.Line) bool {
	if !hasCount(l) {
		return false
	}
	missing, extra := s.serialDifferences(l)
	return s.difference(l) != 0 || len(missing)+len(extra) > 0
}

// serialDifferences returns the recorded serials that were not found, and the found
// serials that are not recorded.
func (s *countScreen) serialDifferences(l *count.Line) (missing, extra []string) {
	if !l.BySerial() {
		return nil, nil
	}
	recorded := s.rowOf(l).Serials
	for _, p := range recorded {
		if !slices.Contains(l.Count.Serials, p) {
			missing = append(missing, p)
		}
	}
	for _, p := range l.Count.Serials {
		if !slices.Contains(recorded, p) {
			extra = append(extra, p)
		}
	}
	return missing, extra
}
