// Package sscc numbers pallets and boxes with serial shipping container codes (SSCC).
//
// A Counter gives each number once, also to several programs on a machine: it saves the
// next number before it gives one. Machines that share a company prefix need different
// extension digits or ranges.
package sscc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"bincard/tui/i18n"
	"bincard/tui/label"
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

// lockWait is how long Next waits for another program.
const lockWait = 5 * time.Second

// ErrExhausted marks the error of a counter without further numbers.
var ErrExhausted = errors.New("no numbers left")

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
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return "", fmt.Errorf("cannot number a pallet: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock := flock.New(c.file()+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return "", fmt.Errorf("cannot number a pallet, %s is in use: %w", c.file(), err)
	}
	defer func() { _ = lock.Unlock() }()
	n, err := c.load()
	if err != nil {
		return "", err
	}
	if n = max(n, c.From); n > c.last() {
		return "", fmt.Errorf("%w: all SSCCs up to %d of the company prefix %s and extension digit %d are used", ErrExhausted, c.last(), c.Prefix, c.Extension)
	}
	if err := c.save(n + 1); err != nil {
		return "", fmt.Errorf("cannot number a pallet: %w", err)
	}
	return c.format(n)
}

// load returns the next number; 0 if there is no file.
func (c Counter) load() (int64, error) {
	text, err := os.ReadFile(c.file())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("cannot number a pallet: %w", err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New(i18n.Textf("%s is damaged, so that the next number is unknown. Write the last SSCC's serial number plus 1 into it.", c.file()))
	}
	return n, nil
}

// save replaces the file and returns when the number is on disk.
func (c Counter) save(next int64) error {
	f, err := os.CreateTemp(c.Dir, ".sscc-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintln(f, next)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), c.file()); err != nil {
		return err
	}
	if dir, err := os.Open(c.Dir); err == nil {
		defer dir.Close()
		_ = dir.Sync() // some systems cannot flush directories
	}
	return nil
}

// format returns the SSCC with a serial number.
func (c Counter) format(n int64) (string, error) {
	digits := fmt.Sprintf("%d%s%0*d", c.Extension, c.Prefix, 16-len(c.Prefix), n)
	check, err := label.CheckDigit(digits)
	return digits + string(check), err
}
