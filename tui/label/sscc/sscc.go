// Package sscc numbers pallets and boxes with serial shipping container codes (SSCC).
//
// A Counter gives each number once, also to several programs on a machine. Machines that
// share a company prefix need different extension digits or ranges.
package sscc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"bincard/tui/label"
	"bincard/tui/label/numbers"
)

// A Counter numbers the pallets of a company. Its files are in Dir, one for each prefix
// and extension digit.
type Counter struct {
	Dir       string
	Prefix    string // the GS1 company prefix, 4 to 12 digits
	Extension int    // 0 to 9
	// From and To are the first and the last serial number, inclusive. To is 0 for all that
	// fit.
	From, To int64
}

// Check returns an error if the settings of a counter are wrong.
func (c Counter) Check() error {
	if n := len(c.Prefix); n < 4 || n > 12 || strings.Trim(c.Prefix, "0123456789") != "" {
		return fmt.Errorf("the company prefix %q is not a number of 4 to 12 digits", c.Prefix)
	}
	if c.Extension < 0 || c.Extension > 9 {
		return fmt.Errorf("the extension digit %d is not one of 0 to 9", c.Extension)
	}
	if last := c.largest(); c.From < 0 || c.To < 0 || c.From > last || c.To > last || c.To != 0 && c.From > c.To {
		return fmt.Errorf("the SSCC numbers %d to %d are not a range within 0 to %d, which fit behind the company prefix %s", c.From, c.To, last, c.Prefix)
	}
	return nil
}

// largest returns the largest serial number that fits behind the prefix.
func (c Counter) largest() int64 {
	n := int64(1)
	for range 16 - len(c.Prefix) {
		n *= 10
	}
	return n - 1
}

func (c Counter) last() int64 {
	if c.To == 0 {
		return c.largest()
	}
	return c.To
}

// file returns the file with the next number.
func (c Counter) file() string {
	return filepath.Join(c.Dir, fmt.Sprintf("sscc-%d-%s", c.Extension, c.Prefix))
}

// Next returns an SSCC of 18 digits that was never returned before, also not to other
// programs with the same directory. A number is skipped if the program ends meanwhile.
func (c Counter) Next(ctx context.Context) (string, error) {
	if err := c.Check(); err != nil {
		return "", err
	}
	n, err := numbers.Counter{File: c.file(), First: c.From, Last: c.last()}.Take(ctx, 1)
	if errors.Is(err, numbers.ErrExhausted) {
		return "", fmt.Errorf("%w: all SSCCs up to %d of the company prefix %s and extension digit %d are used", err, c.last(), c.Prefix, c.Extension)
	}
	if err != nil {
		return "", err
	}
	return c.format(n)
}

// format returns the SSCC with a serial number.
func (c Counter) format(n int64) (string, error) {
	digits := fmt.Sprintf("%d%s%0*d", c.Extension, c.Prefix, 16-len(c.Prefix), n)
	check, err := label.CheckDigit(digits)
	return digits + string(check), err
}
