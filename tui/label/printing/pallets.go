package printing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"bincard/tui/scan/gs1"
)

// PalletNumbers numbers the pallets and boxes of a company with serial shipping container codes
// (SSCC). Machines that share a company prefix need different extension digits or ranges.
// The counters are in Dir, one for each prefix and extension digit.
type PalletNumbers struct {
	Dir       string
	Prefix    string // the GS1 company prefix, 4 to 12 digits
	Extension int    // 0 to 9
	// From and To are the first and the last serial number, inclusive. To is 0 for all that
	// fit.
	From, To int64
}

// Check returns an error if the settings are wrong.
func (p PalletNumbers) Check() error {
	if n := len(p.Prefix); n < 4 || n > 12 || strings.Trim(p.Prefix, "0123456789") != "" {
		return fmt.Errorf("the company prefix %q is not a number of 4 to 12 digits", p.Prefix)
	}
	if p.Extension < 0 || p.Extension > 9 {
		return fmt.Errorf("the extension digit %d is not one of 0 to 9", p.Extension)
	}

	most := p.most()
	if last := cmp.Or(p.To, most); p.From < 0 || p.From > last || last > most {
		return fmt.Errorf(
			"the SSCC numbers %d to %d are not a range within 0 to %d, which fit behind the company prefix %s", p.From,
			p.To, most, p.Prefix)
	}

	return nil
}

// most returns the largest serial number that fits behind the prefix.
func (p PalletNumbers) most() int64 { return largestNumber(16 - len(p.Prefix)) }

// Next returns an SSCC of 18 digits that was never returned before, also not to other
// programs with the same directory. A number is skipped if the program ends meanwhile.
func (p PalletNumbers) Next(ctx context.Context) (string, error) {
	if err := p.Check(); err != nil {
		return "", err
	}

	last := cmp.Or(p.To, p.most())
	file := filepath.Join(p.Dir, fmt.Sprintf("sscc-%d-%s", p.Extension, p.Prefix))
	n, err := Counter{File: file, First: p.From, Last: last}.Take(ctx, 1)
	if errors.Is(err, ErrNumbersExhausted) {
		return "", fmt.Errorf("%w: all SSCCs up to %d of the company prefix %s and extension digit %d are used", err,
			last, p.Prefix, p.Extension)
	}
	if err != nil {
		return "", err
	}

	digits := fmt.Sprintf("%d%s%0*d", p.Extension, p.Prefix, 16-len(p.Prefix), n)

	return digits + string(gs1.CheckDigit(digits)), nil
}
