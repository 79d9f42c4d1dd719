// Package numbers gives numbers that never repeat, for labels that are printed before the
// goods are received.
package numbers

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
)

// A Counter gives each number once, also to several programs with the same file: it saves
// the next number before it gives one.
type Counter struct {
	File        string
	First, Last int64 // inclusive
}

// lockWait is how long Take waits for another program.
const lockWait = 5 * time.Second

// ErrExhausted marks the error of a counter without further numbers.
var ErrExhausted = errors.New("no numbers left")

// Take returns the first of n numbers in a row that were never returned before. They are
// skipped if the program ends meanwhile. The error is ErrExhausted if fewer are left.
func (c Counter) Take(ctx context.Context, n int64) (first int64, err error) {
	if err := os.MkdirAll(filepath.Dir(c.File), 0o700); err != nil {
		return 0, fmt.Errorf("cannot give a number: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock := flock.New(c.File+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return 0, fmt.Errorf("cannot give a number, %s is in use: %w", c.File, err)
	}
	defer func() { _ = lock.Unlock() }()
	next, err := c.load()
	if err != nil {
		return 0, err
	}
	if first = max(next, c.First); first > c.Last || n > c.Last-first+1 {
		return 0, ErrExhausted
	}
	if err := c.save(first + n); err != nil {
		return 0, fmt.Errorf("cannot give a number: %w", err)
	}
	return first, nil
}

// load returns the next number; 0 if there is no file.
func (c Counter) load() (int64, error) {
	text, err := os.ReadFile(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("cannot give a number: %w", err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New(i18n.Textf("%s is damaged, so that the next number is unknown. Write the last number that was given plus 1 into it.", c.File))
	}
	return n, nil
}

// save replaces the file and returns when the number is on disk. It needs the lock: a
// program that was killed leaves its new file for the next one.
func (c Counter) save(next int64) error {
	name := c.File + "~" // no pattern has this file
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, next)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(name, c.File); err != nil {
		return err
	}
	if folder, err := os.Open(filepath.Dir(c.File)); err == nil {
		defer folder.Close()
		_ = folder.Sync() // some systems cannot flush directories
	}
	return nil
}
