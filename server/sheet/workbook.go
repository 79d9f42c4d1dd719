package sheet

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xuri/excelize/v2"

	"bincard/server/api"
)

const (
	// maxWorkbook is the maximum size of an Excel workbook in bytes, maxContent that of what is
	// compressed in it.
	maxWorkbook = 64 << 20
	maxContent  = 1 << 30
)

// readWorkbook reads the first visible sheet of an Excel workbook that has cells, as CSV: row 7 of
// the sheet is line 7. It sets the table's Sheet.
func (t *Table) readWorkbook(file *io.SectionReader) (text *io.SectionReader, err error) {
	if file.Size() > maxWorkbook {
		return nil, newError("the workbook is larger than %d MiB; split it", maxWorkbook>>20)
	}

	book, err := excelize.OpenReader(file, excelize.Options{UnzipSizeLimit: maxContent, UnzipXMLSizeLimit: inMemory,
		ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return nil, newError("the workbook cannot be read: %v; save it again as .xlsx, or as CSV UTF-8", err)
	}
	defer func() { _ = book.Close() }()

	props, err := book.GetWorkbookProps()
	if err != nil {
		return nil, err
	}

	for _, name := range book.GetSheetList() {
		if visible, err := book.GetSheetVisible(name); err != nil || !visible {
			continue
		}
		if t.Sheet != "" {
			if hasCells(book, name) {
				t.OtherSheets = append(t.OtherSheets, name)
			}
			continue
		}

		in, out := io.Pipe()
		go func() {
			out.CloseWithError(writeRows(out, book, name, props.Date1904 != nil && *props.Date1904))
		}()
		rows, err := spool(in, t)
		_ = in.Close() // ends writeRows
		if err != nil {
			return nil, err
		}
		if rows.Size() > 0 {
			text, t.Sheet = rows, name
		}
	}

	if text == nil {
		return nil, newError("the workbook is empty: it needs a header row and data rows")
	}

	return text, nil
}

// hasCells reports whether one of the first rows of a sheet has a cell.
func hasCells(book *excelize.File, sheet string) bool {
	rows, err := book.Rows(sheet)
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }()
	for range 100 {
		if !rows.Next() {
			return false
		}
		if cells, err := rows.Columns(); err == nil && strings.Join(cells, "") != "" {
			return true
		}
	}

	return false
}

// writeRows writes the rows of a sheet as CSV.
func writeRows(to io.Writer, book *excelize.File, sheet string, date1904 bool) (err error) {
	raw, err := book.Rows(sheet)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }()
	displayed, err := book.Rows(sheet)
	if err != nil {
		return err
	}
	defer func() { _ = displayed.Close() }()

	out, blank := csv.NewWriter(to), 0
	for raw.Next() && displayed.Next() {
		cells, err := raw.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return err
		}

		texts, err := displayed.Columns()
		if err != nil {
			return err
		}

		for i := range cells {
			if i < len(texts) {
				cells[i] = workbookCell(cells[i], texts[i], date1904)
			}
		}

		if !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }) {
			blank++
			continue
		}
		for ; blank > 0; blank-- {
			_ = out.Write(nil)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}

	out.Flush()

	return errors.Join(raw.Error(), displayed.Error(), out.Error())
}

// badCells are what a cell of a workbook cannot be, and why.
var badCells = map[string]string{
	"#REF!": formulaFailed, "#NAME?": formulaFailed, "#VALUE!": formulaFailed, "#DIV/0!": formulaFailed,
	"#N/A": formulaFailed, "#NUM!": formulaFailed, "#NULL!": formulaFailed,
	lostDigits: api.Text("it is a number of more than 15 digits, of which Excel has lost the last; " +
		"give the cell the format Text, and type it again"),
}

var formulaFailed = api.Text("it is an error of a formula; correct it, or type the value")

const (
	lostDigits = "#DIGITS"
	maxNumber  = 1e15 // numbers from here on have more digits than Excel keeps
)

// workbookCell returns the text of a cell, which has a value and is displayed as text: dates are
// ISO, numbers have all digits, and codes that the format of a number gives leading zeros keep them.
func workbookCell(value, text string, date1904 bool) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || value == text:
		return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
	case text == "TRUE" || text == "FALSE", text != "" && text[0] == '0' && strings.Trim(text, "0123456789") == "":
		return text
	}

	if at, err := excelize.ExcelDateToTime(n, date1904); err == nil && isDate(text, at) {
		if at.Equal(at.Truncate(24 * time.Hour)) {
			return at.Format(time.DateOnly)
		}
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.Local).Format(time.RFC3339)
	}

	if math.Abs(n) >= maxNumber {
		return lostDigits
	}

	return strconv.FormatFloat(n, 'f', -1, 64)
}

var datePart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+|\pL{3,}`) })

// isDate reports whether a text displays a date: its year, its month in digits or as a word, and,
// unless it is of a month, its day; or all of them without signs between them.
func isDate(text string, at time.Time) bool {
	parts := datePart().FindAllString(text, -1)
	has := func(layouts ...string) bool {
		return slices.ContainsFunc(
			layouts,
			func(layout string) bool { return slices.Contains(parts, at.Format(layout)) },
		)
	}
	word := slices.ContainsFunc(parts, func(part string) bool { return part[0] > '9' })

	return has("20060102") || len(parts) > 1 && has("2006", "06") && (word || has("1", "01")) &&
		(len(parts) == 2 || has("2", "02"))
}
