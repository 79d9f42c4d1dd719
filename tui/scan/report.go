package scan

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/tui/scan/gs1"
)

// maxReportLine is the most bytes of a line.
const maxReportLine = 1 << 20

// A ReportWriter writes one scan: Words or JSON.
type ReportWriter func(io.Writer, Scan) error

// ReportCount is the number of codes that were read and of those with problems.
type ReportCount struct {
	Codes, Invalid int
}

// Err returns nil if no code has problems, else an error with the count.
func (c ReportCount) Err() error {
	switch {
	case c.Invalid == 0:
		return nil
	case c.Codes == 1:
		return errors.New("the code has problems")
	}

	return fmt.Errorf("%d of %d codes have problems", c.Invalid, c.Codes)
}

// ReportCodes reads codes, one per line, and writes each immediately. Lines may contain 0x1D; empty lines
// are skipped. now determines the century of two-digit years.
func ReportCodes(in io.Reader, out io.Writer, write ReportWriter, now time.Time) (ReportCount, error) {
	var count ReportCount
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxReportLine)
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			continue
		}

		wrong, err := ReportCode(line, out, write, now)
		if err != nil {
			return count, err
		}

		count.Codes++
		count.Invalid += wrong.Invalid
	}

	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return count, fmt.Errorf("line %d is longer than %d bytes, too long for a code", count.Codes+1, maxReportLine)
	} else if err != nil {
		return count, fmt.Errorf("read codes: %w", err)
	}

	return count, nil
}

// ReportCode writes one code.
func ReportCode(code string, out io.Writer, write ReportWriter, now time.Time) (ReportCount, error) {
	s := Parse(code, now)
	if err := write(out, s); err != nil {
		return ReportCount{}, err
	}
	if s.OK() {
		return ReportCount{Codes: 1}, nil
	}
	return ReportCount{Codes: 1, Invalid: 1}, nil
}

// jsonLine is the JSON form of a scan. Fields that the code does not have are null.
type jsonLine struct {
	Raw       string        `json:"raw"`
	Symbology *string       `json:"symbology"`
	Kind      Kind          `json:"kind"`
	Elements  []gs1.Element `json:"elements"`
	GTIN      *string       `json:"gtin"`
	Lot       *string       `json:"lot"`
	Expiry    *string       `json:"expiry"`
	Serial    *string       `json:"serial"`
	Quantity  *int64        `json:"quantity"`
	SSCC      *string       `json:"sscc"`
	Problems  []gs1.Problem `json:"problems"`
}

// WriteJSON writes a scan as one JSON object on one line.
func WriteJSON(out io.Writer, s Scan) error {
	m := s.GS1
	l := jsonLine{
		Raw: s.Raw, Symbology: orNull(s.Symbology), Kind: s.Kind, Elements: m.Elements,
		GTIN: orNull(m.GTIN), Lot: orNull(m.Lot), Serial: orNull(m.Serial), SSCC: orNull(m.SSCC),
		Problems: m.Problems,
	}
	if !m.Expiry.IsZero() {
		l.Expiry = orNull(m.Expiry.Format(time.DateOnly))
	}
	if m.HasQuantity {
		l.Quantity = &m.Quantity
	}

	data, err := json.Marshal(l, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}

	_, err = out.Write(append(data, '\n'))

	return err
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// WriteText writes a scan as text: the code and its kind, then the elements, the expiry date and the
// problems.
func WriteText(out io.Writer, s Scan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s", escapeControls(s.Text), s.Kind)
	if s.Symbology != "" {
		fmt.Fprintf(&b, " %s", s.Symbology)
	}

	b.WriteByte('\n')
	for _, e := range s.GS1.Elements {
		fmt.Fprintf(&b, "  %-6s %-26s %s\n", "("+e.AI+")", e.Title, escapeControls(e.Value))
	}
	if m := s.GS1; !m.Expiry.IsZero() {
		fmt.Fprintf(&b, "  expires %s\n", m.Expiry.Format(time.DateOnly))
	}
	for _, p := range s.Problems() {
		fmt.Fprintf(&b, "  problem: %s\n", p)
	}

	_, err := io.WriteString(out, b.String())

	return err
}

// escapeControls quotes text with control characters, so that a code cannot control the terminal.
func escapeControls(s string) string {
	if quoted := strconv.Quote(s); quoted[1:len(quoted)-1] != s {
		return quoted
	}
	return s
}
