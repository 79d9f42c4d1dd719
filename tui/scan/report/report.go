// Package report writes the meaning of codes as text (Words) or JSON.
package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"bincard/tui/scan"
)

// longestLine is the most bytes of a line.
const longestLine = 1 << 20

// A Writer writes one scan: Words or JSON.
type Writer func(io.Writer, scan.Scan) error

// Count is the number of codes that were read and of those with problems.
type Count struct {
	Codes, Invalid int
}

// Err returns nil if no code has problems, else an error with the count.
func (c Count) Err() error {
	switch {
	case c.Invalid == 0:
		return nil
	case c.Codes == 1:
		return errors.New("the code has problems")
	}
	return fmt.Errorf("%d of %d codes have problems", c.Invalid, c.Codes)
}

// Codes reads codes, one per line, and writes each immediately. Lines may contain 0x1D; empty lines
// are skipped. now determines the century of two-digit years.
func Codes(in io.Reader, out io.Writer, write Writer, now time.Time) (Count, error) {
	var count Count
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			continue
		}
		wrong, err := Code(line, out, write, now)
		if err != nil {
			return count, err
		}
		count.Codes++
		count.Invalid += wrong.Invalid
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return count, fmt.Errorf("line %d is longer than %d bytes, too long for a code", count.Codes+1, longestLine)
	} else if err != nil {
		return count, fmt.Errorf("read codes: %w", err)
	}
	return count, nil
}

// Code writes one code.
func Code(code string, out io.Writer, write Writer, now time.Time) (Count, error) {
	s := scan.Parse(code, now)
	if err := write(out, s); err != nil {
		return Count{}, err
	}
	if s.OK() {
		return Count{Codes: 1}, nil
	}
	return Count{Codes: 1, Invalid: 1}, nil
}
