package export

import (
	"io"
	"slices"
	"time"

	"github.com/xuri/excelize/v2"

	"bincard/tui/i18n"
)

const (
	maxSheetRows = 1_048_576 // of Excel
	maxWidth     = 40        // of a column, in characters
)

// A head is the title of a column of a workbook, how wide its first rows are, in characters, and
// whether it has a total.
type head struct {
	title string
	width int
	total bool
}

// A workbook is an Excel workbook that is written row by row. Numbers and times are typed, so that
// each program displays them in its own form; times are in the zone of the computer.
type workbook struct {
	t     *i18n.Translator
	book  *excelize.File
	sheet *excelize.StreamWriter
	heads []head
	row   int // the last one
	sums  []int64

	bold, day, moment int // styles
}

const sheetName = "Sheet1" // of a new workbook

func newWorkbook(t *i18n.Translator, heads []head) (*workbook, error) {
	w := &workbook{t: t, book: excelize.NewFile(), heads: heads, sums: make([]int64, len(heads))}
	for _, style := range []struct {
		id *int
		of excelize.Style
	}{
		{&w.bold, excelize.Style{Font: &excelize.Font{Bold: true}}},
		// The short date of the reader's country, alone and with the time.
		{&w.day, excelize.Style{NumFmt: 14}},
		{&w.moment, excelize.Style{NumFmt: 22}},
	} {
		id, err := w.book.NewStyle(&style.of)
		if err != nil {
			return nil, err
		}
		*style.id = id
	}

	sheet, err := w.book.NewStreamWriter(sheetName)
	if err != nil {
		return nil, err
	}

	w.sheet = sheet
	titles := make([]any, len(heads))
	for i, h := range slices.Backward(heads) { // a file has the widths in the reverse order
		titles[i] = excelize.Cell{StyleID: w.bold, Value: h.title}
		width := float64(min(max(h.width, len([]rune(h.title)))+2, maxWidth))
		if err := sheet.SetColWidth(i+1, i+1, width); err != nil {
			return nil, err
		}
	}

	top := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := sheet.SetPanes(top); err != nil {
		return nil, err
	}

	return w, w.set(titles)
}

// set writes the next row.
func (w *workbook) set(cells []any) error {
	w.row++
	if w.row > maxSheetRows {
		return w.t.NewError(
			"A sheet of Excel has at most %s rows. Export fewer, or export CSV.",
			w.t.Count(maxSheetRows),
		)
	}
	return w.sheet.SetRow(cellName(1, w.row), cells)
}

func cellName(column, row int) string {
	name, _ := excelize.CoordinatesToCellName(column, row)
	return name
}

// write writes a row of values as Column has them.
func (w *workbook) write(values []any) error {
	for i, value := range values {
		switch v := value.(type) {
		case Code:
			values[i] = string(v)
		case int64:
			w.sums[i] += v
		case Day:
			day, _ := time.Parse(time.DateOnly, string(v))
			values[i] = w.timeCell(day)
		case time.Time:
			values[i] = w.timeCell(v)
		}
	}

	return w.set(values)
}

// timeCell returns a cell with a time. The start of a day in UTC is that day, as of an expiration.
func (w *workbook) timeCell(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	if at.Equal(at.Truncate(24 * time.Hour)) {
		return excelize.Cell{StyleID: w.day, Value: at.UTC()}
	}
	local := at.Local()
	_, offset := local.Zone()

	return excelize.Cell{StyleID: w.moment, Value: local.Add(time.Duration(offset) * time.Second).UTC()}
}

// end writes the totals, and the workbook to out.
func (w *workbook) end(out io.Writer) error {
	defer func() { _ = w.book.Close() }()
	totals, last, summed := make([]any, len(w.heads)), w.row, false
	for i, h := range w.heads {
		if h.total && last > 1 {
			summed = true
			sum := "SUM(" + cellName(i+1, 2) + ":" + cellName(i+1, last) + ")"
			totals[i] = excelize.Cell{StyleID: w.bold, Formula: sum, Value: w.sums[i]}
		}
	}
	if summed {
		if !w.heads[0].total {
			totals[0] = excelize.Cell{StyleID: w.bold, Value: w.t.Get("Total")}
		}
		if err := w.set(totals); err != nil {
			return err
		}
	}

	if err := w.sheet.Flush(); err != nil {
		return err
	}

	return w.book.Write(out)
}
