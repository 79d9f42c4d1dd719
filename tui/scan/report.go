package scan

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
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
