package printing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"bincard/tui/i18n"
)

// A Counter gives each number once, also to several programs with the same file: it saves
// the next number before it gives one.
type Counter struct {
	File        string
	First, Last int64 // inclusive
}

// ErrNumbersExhausted marks the error of a counter without further numbers.
var ErrNumbersExhausted = errors.New("no numbers left")

// Take returns the first of n numbers in a row that were never returned before. They are
// skipped if the program ends meanwhile. The error is ErrExhausted if fewer are left.
func (c Counter) Take(ctx context.Context, n int64) (first int64, err error) {
	unlock, err := lockFile(ctx, c.File+".lock")
	if err != nil {
		return 0, fmt.Errorf("cannot give a number: %w", err)
	}

	defer unlock()
	text, err := os.ReadFile(c.File)
	next := int64(0)
	if err == nil {
		if next, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err != nil || next < 0 {
			return 0, errors.New(i18n.Textf(
				"%s is damaged. Replace its contents with the last number used plus 1.",
				c.File,
			))
		}
	}

	if first = max(next, c.First); first > c.Last || n > c.Last-first+1 {
		return 0, ErrNumbersExhausted
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = replaceFile(c.File, fmt.Appendln(nil, first+n))
	}
	if err != nil {
		return 0, fmt.Errorf("cannot give a number: %w", err)
	}

	return first, nil
}

// largestNumber returns the largest number of some digits.
func largestNumber(digits int) int64 {
	n := int64(1)
	for range digits {
		n *= 10
	}
	return n - 1
}
