package stock

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// lay puts a line for every row on the bench; what is counted stays.
func (s *count) lay() {
	rows := make([]*row, 0, len(s.rows))
	for _, r := range s.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)), cmp.Compare(a.Lot, b.Lot), slices.Compare(a.Product[:], b.Product[:]))
	})
	lines := make([]*dock.Line, len(rows))
	for i, r := range rows {
		lines[i] = &dock.Line{Key: r.key(), Goods: r.goods, Pending: api.MaxQuantity}
	}
	s.bench.Name = s.Title()
	s.bench.SetLines(lines...)
}

// lotted says of a line of which lot it is, now that it is counted.
func (s *count) lotted(i int) {
	if i < 0 || i >= len(s.bench.Lines) {
		return
	}
	l := s.bench.Lines[i]
	if r := s.rows[l.Key]; r != nil && r.Lot != "" && l.Count.Lot == "" {
		l.Count.Lot, l.Count.LotID, l.Count.Ends = r.Lot, r.LotID, r.Ends
	}
}

// pick finds the line that a reading of line i's goods is counted on, by the
// lot and the piece that it names; a lot that is in no row gets a line.
func (s *count) pick(i int, r dock.Reading) int {
	of := s.bench.Lines[i]
	if !of.ByLot() {
		return i
	}
	here := s.bench.Line()
	if r.Lot == "" {
		if here.Goods.ID == of.Goods.ID {
			i = s.bench.At
		}
		s.lotted(i)
		return i
	}
	for j, l := range s.bench.Lines {
		if l.Goods.ID == of.Goods.ID && s.rowOf(l).Lot == r.Lot {
			s.lotted(j)
			return j
		}
	}
	return s.add(&row{Product: of.Goods.ID, SKU: of.Goods.SKU, Lot: r.Lot, Ends: r.Ends, goods: of.Goods})
}

// add puts a row on the bench that the books do not have here.
func (s *count) add(r *row) int {
	for _, x := range s.rows { // what the books say of the balance otherwise, they say of it too
		if x.Product == r.Product {
			r.Version, r.Changed = x.Version, x.Changed
		}
	}
	s.rows[r.key()] = r
	s.bench.Lines = append(s.bench.Lines, &dock.Line{Key: r.key(), Goods: r.goods, Pending: api.MaxQuantity})
	s.lotted(len(s.bench.Lines) - 1)
	return len(s.bench.Lines) - 1
}

// join puts goods on the bench that nobody expected here.
func (s *count) join(p *api.Product) int {
	return s.add(&row{Product: p.ID, SKU: p.SKU, goods: dock.GoodsOf(p)})
}

// whichLot refuses goods of which the label does not say the lot where there
// are several, and offers to choose; nil when it is clear. A list that opened by
// itself would be gone with the next scan, and the one before it with it.
func (s *count) whichLot(x scan.Scan, r dock.Reading) tea.Cmd {
	if r.Lot != "" || r.Bare() || s.bench.Modal() {
		return nil
	}
	var lines []int
	for i, l := range s.bench.Lines {
		if _, _, ok := l.Goods.Match(r.Codes...); ok && l.ByLot() {
			lines = append(lines, i)
		}
	}
	if len(lines) == 0 || slices.Contains(lines, s.bench.At) && counts(s.bench.Line()) || len(lines) == 1 && s.rowOf(s.bench.Lines[lines[0]]).Lot != "" {
		return nil
	}
	goods := s.bench.Lines[lines[0]].Goods
	return tui.Fail(fmt.Errorf(lotUnsaid, goods.SKU, widget.Count(int64(len(lines)))),
		tui.Action{ID: "count.which", Keys: []string{"f7"}, Label: labelLots, Short: shortLot, Help: helpCountLot,
			Run: func() tea.Cmd { return s.chooseLot(x, goods, lines) }})
}

// chooseLot asks of which lot the goods of a scan are, and counts it there.
func (s *count) chooseLot(x scan.Scan, goods dock.Goods, lines []int) tea.Cmd {
	options := make([]string, 0, len(lines)+1)
	for _, i := range lines {
		options = append(options, lotName(s.rowOf(s.bench.Lines[i])))
	}
	options = append(options, otherLot)
	return tui.Choose(tui.Choice{Text: fmt.Sprintf(askWhichLot, goods.SKU), Options: options, OnChoice: func(i int) tea.Cmd {
		if i < len(lines) {
			s.bench.At = lines[i]
			s.lotted(lines[i])
			return s.bench.OnScan(x)
		}
		return s.typeLot(lines[0], func() tea.Cmd { return s.bench.OnScan(x) })
	}})
}

// typeLot asks for the lot of the goods of a line, and goes to the line of it.
func (s *count) typeLot(i int, then func() tea.Cmd) tea.Cmd {
	return tui.Prompt(tui.Request{Text: fmt.Sprintf(askLotOf, s.bench.Lines[i].Goods.SKU),
		Check: func(text string) error {
			if strings.TrimSpace(text) == "" {
				return errors.New(lotNeeded)
			}
			return nil
		},
		OnText: func(text string) tea.Cmd {
			s.bench.At = s.pick(i, dock.Reading{Lot: strings.TrimSpace(text)})
			if then == nil {
				return nil
			}
			return then()
		}})
}

func lotName(r *row) string {
	switch {
	case r.Lot == "":
		return inNoLot
	case !r.Ends.IsZero():
		return fmt.Sprintf(saidEnds, r.Lot, r.Ends.Format(time.DateOnly))
	}
	return r.Lot
}

// question is what is asked while the place is counted.
func (s *count) question(small bool) string {
	l := s.bench.Line()
	switch {
	case len(s.bench.Lines) == 0 && small:
		return askEmptyShort
	case len(s.bench.Lines) == 0:
		return askEmpty
	case small || l.BySerial():
		return ""
	}
	return askCount
}

// expected is what the books have of a line, or that they are not to be seen.
func (s *count) expected(l *dock.Line) string {
	if s.kept.Blind && !s.kept.Review {
		return "?"
	}
	return widget.Count(s.rowOf(l).Expected)
}

// diff is what was counted more or less than the books have.
func (s *count) diff(l *dock.Line) int64 {
	if !counts(l) {
		return 0
	}
	return l.Count.Now - s.rowOf(l).Expected
}

// differs tells whether a line has to be put right: by number, or because other
// pieces are there.
func (s *count) differs(l *dock.Line) bool {
	if !counts(l) {
		return false
	}
	lacking, extra := s.swapped(l)
	return s.diff(l) != 0 || len(lacking)+len(extra) > 0
}

// swapped are the pieces that the books have and nobody found, and those that
// were found and the books do not have.
func (s *count) swapped(l *dock.Line) (lacking, extra []string) {
	if !l.BySerial() {
		return nil, nil
	}
	known := s.rowOf(l).Pieces
	for _, p := range known {
		if !slices.Contains(l.Count.Serials, p) {
			lacking = append(lacking, p)
		}
	}
	for _, p := range l.Count.Serials {
		if !slices.Contains(known, p) {
			extra = append(extra, p)
		}
	}
	return lacking, extra
}
