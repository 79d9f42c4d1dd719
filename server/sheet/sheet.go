// Package sheet reads tables from CSV files, as spreadsheets and other programs save
// them, and from JSON lines, and reports every problem with its line.
package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Table is the content of a file: a header row and the rows below it.
type Table struct {
	// Columns are the names in the header, as written.
	Columns []string
	// Rows are the rows that are not blank and have no problem of their own.
	Rows []Row
	// Problems are the problems of the file, by line.
	Problems []Problem
	// Hash is the SHA-256 of the file in hex.
	Hash string
}

// A Row is one row of cells, trimmed, as many as there are columns.
type Row struct {
	// Line is the line on which the row starts; the header is on line 1.
	Line  int
	Cells []string
}

// MaxSize is the maximum size of a file in bytes. Its reader must not read more.
const MaxSize = 256 << 20

const (
	// maxRows is the maximum number of rows of a table.
	maxRows = 1_000_000
	// maxColumns is the maximum number of columns of a table.
	maxColumns = 200
)

var (
	errManyRows    = fmt.Errorf("the file has more than %d lines; split it", maxRows)
	errManyColumns = fmt.Errorf("the file has more than %d columns; is it the right file?", maxColumns)
)

// A Problem is a problem on one line. Line is 0 for a problem of the whole
// file, Column empty for one of the whole line.
type Problem struct {
	Line    int    `json:"line"`
	Column  string `json:"column,omitzero"`
	Message string `json:"message"`
}

// String formats the problem on one line.
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Column != "" {
		b.WriteString(p.Column + ": ")
	}
	return b.String() + p.Message
}

// Read reads a file in UTF-8, with or without a byte order mark: JSON lines if it
// starts with an object, else CSV. The cells of CSV are separated by commas, semicolons
// or tabs, as in the header. Problems of single lines are in the table's Problems; the
// error means that the file cannot be read at all.
func Read(data []byte) (*Table, error) {
	sum := sha256.Sum256(data)
	t := &Table{Hash: hex.EncodeToString(sum[:])}
	text, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	switch start := bytes.TrimSpace(text); {
	case bytes.HasPrefix(start, []byte("{")):
		return t, t.readObjects(text)
	case bytes.HasPrefix(start, []byte("[")):
		return nil, errors.New("the file is a JSON array; write each object on a line of its own, without the brackets")
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = separator(text), -1
	for {
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			t.Problems = append(t.Problems, Problem{Line: bad.StartLine, Message: describeQuoteError(bad)})
			continue
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if err := t.add(line, cells); err != nil {
			return nil, err
		}
	}
	if t.Columns == nil && len(t.Problems) == 0 {
		return nil, errors.New("the file is empty: it needs a header row and data rows")
	}
	return t, nil
}

// add adds a row; the first one is the header.
func (t *Table) add(line int, cells []string) error {
	formula := -1
	for i := range cells {
		text := strings.TrimFunc(cells[i], unicode.IsSpace)
		if strings.HasPrefix(text, "=") && formula < 0 {
			formula = i
		}
		cells[i] = unescapeFormula(text)
	}
	filled := len(cells)
	for filled > 0 && cells[filled-1] == "" {
		filled--
	}
	switch {
	case filled == 0:
	case t.Columns == nil && filled > maxColumns:
		return errManyColumns
	case t.Columns == nil:
		t.Columns = cells[:filled]
	case len(t.Rows)+len(t.Problems) == maxRows:
		return errManyRows
	case filled > len(t.Columns):
		t.Problems = append(t.Problems, Problem{Line: line, Message: fmt.Sprintf(
			"it has %d cells, but there are %d columns; quote cells that contain a separator", filled, len(t.Columns))})
	case formula >= 0:
		t.Problems = append(t.Problems, Problem{Line: line, Column: t.Columns[formula], Message: fmt.Sprintf(
			"%s is a formula; save its value, or put an apostrophe before it if it is text", clip(cells[formula]))})
	default:
		row := make([]string, len(t.Columns))
		copy(row, cells[:filled])
		t.Rows = append(t.Rows, Row{line, row})
	}
	return nil
}

// clip shortens a text for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

// decodeText removes the byte order mark and normalizes line ends.
func decodeText(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return nil, errors.New("the file is UTF-16 text; save it as CSV UTF-8, or convert it: iconv -f UTF-16 -t UTF-8")
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return nil, errors.New("the file is a workbook, not a CSV file; save it as CSV UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if at := firstInvalid(data); at >= 0 {
		return nil, fmt.Errorf("the file is not UTF-8: line %d has the byte 0x%02X. It is probably Windows-1252 from an older spreadsheet; save it as CSV UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8",
			bytes.Count(data[:at], []byte("\n"))+1, data[at])
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("the file is not text; is it a CSV file?")
	}
	if bytes.IndexByte(data, '\n') < 0 {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return data, nil
}

// firstInvalid returns the index of the first byte that is not UTF-8, or -1.
func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// separator returns the separator of the header's cells.
func separator(text []byte) rune {
	head, _, _ := strings.Cut(strings.TrimLeft(string(text[:min(len(text), 16<<10)]), "\r\n"), "\n")
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t'} {
		n, quoted := 0, false
		for _, r := range head {
			if r == '"' {
				quoted = !quoted
			} else if r == c && !quoted {
				n++
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

// describeQuoteError explains a quoting error.
func describeQuoteError(bad *csv.ParseError) string {
	if errors.Is(bad.Err, csv.ErrBareQuote) {
		return "an unquoted cell contains a quote; quote the cell and double the quote"
	}
	if bad.StartLine != bad.Line {
		return fmt.Sprintf("a quoted cell starts here and is not closed properly by line %d; is a quote missing?", bad.Line)
	}
	return "a quoted cell is not closed properly; is a quote missing, or should one inside it be doubled?"
}

// formulaPrefixes are the first characters of a formula, and their wide forms.
const formulaPrefixes = "=+-@＝＋－＠"

// unescapeFormula removes the apostrophes that an export puts before what a spreadsheet
// would read as a formula, at the start of a text or after a character that may separate
// cells or rows.
func unescapeFormula(text string) string {
	if !strings.Contains(text, "'") {
		return text
	}
	var b strings.Builder
	start := true
	for i := range len(text) {
		if start && text[i] == '\'' && startsFormula(text[i+1:]) {
			start = false
			continue
		}
		b.WriteByte(text[i])
		start = strings.IndexByte(";\t\r\n", text[i]) >= 0
	}
	return b.String()
}

// startsFormula reports whether a spreadsheet may read text as a formula: after blanks,
// apostrophes and characters that it does not show.
func startsFormula(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return r == '\'' || unicode.In(r, unicode.C, unicode.Z, unicode.Other_Default_Ignorable_Code_Point)
	})
	return text != "" && strings.IndexAny(text, formulaPrefixes) == 0
}
