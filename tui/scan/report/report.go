// Package report writes what codes are understood as, for people and for scripts.
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

// longestLine is the most bytes of one code.
const longestLine = 1 << 20

// Writer writes one scan.
type Writer func(io.Writer, scan.Scan) error

// Count says how many codes were read and how many of them have problems.
type Count struct {
	Codes, Invalid int
}

// Err is nil when every code is good, else it counts those that are not.
func (c Count) Err() error {
	switch {
	case c.Invalid == 0:
		return nil
	case c.Codes == 1:
		return errors.New("the code has problems")
	}
	return fmt.Errorf("%d of %d codes have problems", c.Invalid, c.Codes)
}

// Codes reads codes, one a line, and writes each as soon as it is read. Lines may hold 0x1D; empty
// ones are passed over. Now places two-digit years.
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

// Code writes what one code is understood as.
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
