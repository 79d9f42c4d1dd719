// Package sheet reads tables from Excel workbooks, from CSV files, as spreadsheets and other
// programs save them, and from JSON lines, and reports every problem with its line.
package sheet

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	utf16 "golang.org/x/text/encoding/unicode"

	"bincard/server/api"
)

// A Table is the content of a file: a header row and the rows below it, which are read from
// the file whenever they are needed. It is not safe for concurrent use.
type Table struct {
	// Columns are the names in the header, as written.
	Columns []string
	// Aliases are other names of columns, and the columns that they stand for, both folded.
	Aliases map[string]string
	// Problems are the first problems of the file, by line, and MoreProblems is the number of
	// the others.
	Problems     []Problem
	MoreProblems int
	// Hash is the SHA-256 of the file in hex.
	Hash string
	// Sheet is the sheet of a workbook, or "". Its rows are the lines. OtherSheets are the visible
	// ones with cells that were not read.
	Sheet       string
	OtherSheets []string

	text    *io.SectionReader
	objects map[string]int // the columns of JSON lines by folded name, nil for CSV
	comma   rune
	rows    []position // of the rows that are not blank and have no problem of their own
	err     error
}

// A position is where a row starts, in bytes and lines.
type position struct{ offset, line uint32 }

// A Row is one row of cells, trimmed, as many as there are columns.
type Row struct {
	// Line is the line on which the row starts; the header is on line 1.
	Line  int
	Cells []string
}

const (
	// maxSize is the maximum size of a file in bytes, maxRow that of a row.
	maxSize = 256 << 20
	maxRow  = 1 << 20
	// maxRows is the maximum number of rows of a table.
	maxRows = 1_000_000
	// maxColumns is the maximum number of columns of a table.
	maxColumns = 200
	// MaxProblems is how many problems are listed.
	MaxProblems = 200
)

var (
	errManyRows    = newError("the file has more than %d lines; split it", maxRows)
	errLongRow     = newError("a row is longer than %d MiB; is a quote missing?", maxRow>>20)
	errManyColumns = newError("the file has more than %d columns; is it the right file?", maxColumns)
)

func newError(format string, args ...any) error { return errors.New(api.Textf(format, args...)) }

// A Problem is a problem on one line, or on one row of the sheet of a workbook. Line is 0 for a
// problem of the whole file, Column empty for one of the whole line.
type Problem struct {
	Sheet   string `json:"sheet,omitzero"`
	Line    int    `json:"line"`
	Column  string `json:"column,omitzero"`
	Message string `json:"message"`
}

// String formats the problem on one line.
func (p Problem) String() string {
	var b strings.Builder
	switch {
	case p.Line > 0 && p.Sheet != "":
		fmt.Fprintf(&b, "sheet %s, row %d: ", p.Sheet, p.Line)
	case p.Line > 0:
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Column != "" {
		b.WriteString(p.Column + ": ")
	}
	return b.String() + p.Message
}

// An EncodingError is the error of a file that is not UTF-8: its first byte that is not, and
// the line of this.
type EncodingError struct {
	Line int
	Byte byte
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("the file is not UTF-8: line %d has the byte %s. It is probably Windows-1252 from an older "+
		"spreadsheet; save it as CSV UTF-8, or import it with --encoding windows-1252", e.Line, fmt.Sprintf("0x%02X", e.Byte))
}

// Read reads an Excel workbook, or a text file in UTF-8, with or without a byte order mark, or in
// UTF-16 with one: JSON lines if it starts with an object, else CSV. The cells of CSV are
// separated by commas, semicolons or tabs, as in the header. Problems of single lines are in the
// table's Problems; the error means that the file cannot be read at all. A large file is copied to
// the directory of temporary files, so that it may change afterwards.
func Read(in io.Reader) (*Table, error) { return ReadAs(in, nil) }

// ReadAs reads a file as Read does, or in another encoding if it is not UTF-8.
func ReadAs(in io.Reader, other encoding.Encoding) (*Table, error) {
	hash := sha256.New()
	t := &Table{}
	text, err := spool(io.TeeReader(in, hash), t)
	if err != nil {
		return nil, err
	}

	t.Hash = hex.EncodeToString(hash.Sum(nil))
	start, err := t.checkText(text)
	if other != nil && errors.As(err, new(*EncodingError)) {
		if text, err = spool(other.NewDecoder().Reader(io.NewSectionReader(text, 0, text.Size())), t); err != nil {
			return nil, err
		}
		start, err = t.checkText(text)
	}

	switch {
	case err != nil:
		return nil, err
	case t.Sheet != "":
	case start == '{':
		t.objects = map[string]int{}
		return t, t.readObjects()
	case start == '[':
		return nil, newError("the file is a JSON array; write each object on a line of its own, without the brackets")
	}

	t.comma = ','
	if t.Sheet == "" {
		t.comma = separator(t.text)
	}
	limit := &rowLimit{Reader: io.NewSectionReader(t.text, 0, t.text.Size())}
	for r := t.csv(limit); ; {
		limit.left = maxRow
		at := r.InputOffset()
		cells, err := r.Read()
		if err == io.EOF {
			break
		}

		var bad *csv.ParseError
		if errors.As(err, &bad) {
			t.addProblem(Problem{Line: bad.StartLine, Message: describeQuoteError(bad)})
			continue
		}
		if err != nil {
			return nil, err
		}

		line, _ := r.FieldPos(0)
		if err := t.add(position{uint32(at), uint32(line)}, cells); err != nil {
			return nil, err
		}
	}

	if t.Columns == nil && len(t.Problems) == 0 {
		return nil, newError("the file is empty: it needs a header row and data rows")
	}

	return t, nil
}

func (t *Table) csv(in io.Reader) *csv.Reader {
	r := csv.NewReader(in)
	r.Comma, r.FieldsPerRecord = t.comma, -1
	return r
}

// A rowLimit limits what is read for one row.
type rowLimit struct {
	io.Reader
	left int
}

func (r *rowLimit) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLongRow
	}
	n, err := r.Reader.Read(p)
	r.left -= n
	return n, err
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Err returns the first error of reading a row.
func (t *Table) Err() error { return t.err }

// Row returns the row with an index. It has no cells if the file cannot be read: see Err.
func (t *Table) Row(i int) Row {
	at, end := t.rows[i], t.text.Size()
	if i+1 < len(t.rows) {
		end = int64(t.rows[i+1].offset)
	}

	in := bufio.NewReader(io.NewSectionReader(t.text, int64(at.offset), end-int64(at.offset)))
	var cells []string
	var err error
	if t.objects == nil {
		cells, err = t.csv(in).Read()
		t.trimCells(cells)
	} else {
		var line []byte
		if line, err = in.ReadBytes('\n'); err == nil || err == io.EOF {
			err = nil
			cells, _ = t.readObject(line)
		}
	}

	t.err = cmp.Or(t.err, err)
	row := Row{int(at.line), make([]string, len(t.Columns))}
	copy(row.Cells, cells)

	return row
}

// RowAt returns the row that starts on a line.
func (t *Table) RowAt(line int) Row {
	i, _ := slices.BinarySearchFunc(t.rows, line, func(at position, line int) int { return int(at.line) - line })
	return t.Row(i)
}

func (t *Table) addProblem(p Problem) {
	p.Sheet = t.Sheet
	if len(t.Problems) == MaxProblems {
		t.MoreProblems++
		return
	}
	t.Problems = append(t.Problems, p)
}

func (t *Table) full() bool { return len(t.rows)+len(t.Problems)+t.MoreProblems == maxRows }

// add adds a row; the first one is the header.
func (t *Table) add(at position, cells []string) error {
	filled, formula := t.trimCells(cells)
	switch {
	case filled == 0:
	case t.Columns == nil && filled > maxColumns:
		return errManyColumns
	case t.Columns == nil:
		t.Columns = cells[:filled]
	case t.full():
		return errManyRows
	case filled > len(t.Columns):
		t.addProblem(Problem{Line: int(at.line), Message: api.Textf(
			"it has %d cells, but there are %d columns; quote cells that contain a separator", filled, len(t.Columns))})
	case formula >= 0:
		t.addProblem(Problem{Line: int(at.line), Column: t.Columns[formula], Message: api.Textf(
			"%s is a formula; save its value, or put an apostrophe before it if it is text", clip(cells[formula]))})
	default:
		for i, cell := range cells[:filled] {
			why, bad := badCells[cell]
			if t.Sheet != "" && bad {
				t.addProblem(Problem{Line: int(at.line), Column: t.Columns[i], Message: why})
				return nil
			}
			if cell != "" && t.Columns[i] == "" {
				t.addProblem(Problem{Line: int(at.line),
					Message: api.Textf("%s is below a cell without the name of a column", clip(cell))})
				return nil
			}
		}

		t.rows = append(t.rows, at)
	}

	return nil
}

// trimCells trims cells in place. It returns their number without the empty ones at the end,
// and the index of the first formula, or -1.
func (t *Table) trimCells(cells []string) (filled, formula int) {
	formula = -1
	for i := range cells {
		text := strings.TrimFunc(cells[i], unicode.IsSpace)
		if t.Sheet == "" { // a workbook has the values of its formulas
			if strings.HasPrefix(text, "=") && formula < 0 {
				formula = i
			}
			text = unescapeFormula(text)
		}
		if cells[i] = text; text != "" {
			filled = i + 1
		}
	}

	return filled, formula
}

// clip shortens a text for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

// checkText sets the table's text to a file without its byte order mark, and with line feeds
// at the ends of lines. It returns the first character that is not blank.
func (t *Table) checkText(file *io.SectionReader) (start rune, err error) {
	head := make([]byte, 4)
	n, _ := file.ReadAt(head, 0)
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		decoder := utf16.UTF16(utf16.LittleEndian, utf16.UseBOM).NewDecoder()
		if file, err = spool(decoder.Reader(file), t); err != nil {
			return 0, err
		}
	case string(head) == "\xD0\xCF\x11\xE0":
		return 0, newError("the file is an old (.xls) or protected workbook; save it as .xlsx without a password")
	case string(head) == "PK\x03\x04":
		if file, err = t.readWorkbook(file); err != nil {
			return 0, err
		}
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		file = io.NewSectionReader(file, 3, file.Size()-3)
	}

	t.text = file
	in := bufio.NewReader(io.NewSectionReader(file, 0, file.Size()))
	lines, binary := 1, false
	for {
		r, size, err := in.ReadRune()
		eof := errors.Is(err, io.EOF)
		switch {
		case eof && binary:
			return 0, newError("the file is not text; is it a CSV file?")
		case eof:
			if lines == 1 {
				t.text = io.NewSectionReader(oldLineEnds{file}, 0, file.Size())
			}
			return start, nil
		case err != nil:
			return 0, err
		case r == utf8.RuneError && size == 1:
			_ = in.UnreadRune()
			b, _ := in.ReadByte()
			return 0, &EncodingError{lines, b}
		case r == '\n':
			lines++
		case r == 0:
			binary = true
		}

		if start == 0 && !unicode.IsSpace(r) {
			start = r
		}
	}
}

// oldLineEnds reads text whose lines end with carriage returns only.
type oldLineEnds struct{ io.ReaderAt }

func (r oldLineEnds) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, at)
	copy(p, bytes.ReplaceAll(p[:n], []byte("\r"), []byte("\n")))
	return n, err
}

// separator returns the separator of the header's cells.
func separator(text *io.SectionReader) rune {
	start := make([]byte, 16<<10)
	n, _ := text.ReadAt(start, 0)
	head, _, _ := strings.Cut(strings.TrimLeft(string(start[:n]), "\r\n"), "\n")
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
		return api.Text("an unquoted cell contains a quote; quote the cell and double the quote")
	}
	if bad.StartLine != bad.Line {
		return api.Textf("a quoted cell starts here and is not closed properly by line %d; is a quote missing?",
			bad.Line)
	}
	return api.Text("a quoted cell is not closed properly; is a quote missing, or should one inside it be doubled?")
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
