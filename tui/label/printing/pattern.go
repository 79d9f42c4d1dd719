package printing

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// A NumberPattern says what the numbers of serials or lots look like: text, the day as {YYYY},
// {YY}, {MM} and {DD}, one counter with as many digits as {NNNN} has N, or more, and the name
// of the terminal as {terminal}, which For replaces.
type NumberPattern string

// maxNumberLength is how many characters GS1 barcodes have for a serial number or a lot.
const maxNumberLength = 20

// terminalField is what For replaces.
const terminalField = "{terminal}"

// dayFields are the fields of the day with their layouts.
var dayFields = map[string]string{"{YYYY}": "2006", "{YY}": "06", "{MM}": "01", "{DD}": "02"}

var (
	patternField   = regexp.MustCompile(`\{[^{}]*\}`)
	patternCounter = regexp.MustCompile(`\{N+\}`)
	// outsideGS1 matches what GS1 barcodes have no character for.
	outsideGS1 = regexp.MustCompile("[^!\"%&'()*+,\\-./0-9:;<=>?A-Z_a-z{}]")
	// outsideFileName matches what the names of files do not have.
	outsideFileName = regexp.MustCompile("[^-0-9A-Z_a-z{}]")
)

// Check returns an error if the pattern is wrong.
func (p NumberPattern) Check() error {
	for _, f := range patternField.FindAllString(string(p), -1) {
		if dayFields[f] == "" && f != terminalField && !patternCounter.MatchString(f) {
			return fmt.Errorf(
				"the pattern %q has an unknown field %s; use {YYYY}, {YY}, {MM}, {DD}, {terminal} and {NNNN}",
				p,
				f,
			)
		}
	}

	if n := len(patternCounter.FindAllString(string(p), -1)); n != 1 {
		return fmt.Errorf("the pattern %q needs one counter like {NNNN}, and has %d", p, n)
	}
	if rest := patternField.ReplaceAllString(string(p), ""); strings.ContainsAny(rest, "{}") {
		return fmt.Errorf("the pattern %q has a brace without the other", p)
	} else if bad := outsideGS1.FindString(rest); bad != "" {
		return fmt.Errorf("the pattern %q has %q, which GS1 barcodes cannot have", p, bad)
	}

	if err := p.checkTerminal(); err != nil {
		return err
	}
	if n := len(p.withTerminal("1").Format(0, time.Time{})); n > maxNumberLength {
		return fmt.Errorf("the pattern %q makes %d characters; GS1 barcodes have at most %d", p, n, maxNumberLength)
	}

	return nil
}

// checkTerminal returns an error if two terminals could give the same number: neither the
// counter nor the name of a terminal has a fixed length.
func (p NumberPattern) checkTerminal() error {
	if count := strings.Count(string(p), terminalField); count == 0 {
		return nil
	} else if count > 1 {
		return fmt.Errorf("the pattern %q has %s more than once", p, terminalField)
	}

	name, n := strings.Index(string(p), terminalField), patternCounter.FindStringIndex(string(p))
	between := string(p)[min(name+len(terminalField), n[1]):max(name, n[0])]
	if strings.Trim(patternField.ReplaceAllString(between, ""), "0123456789") == "" {
		return fmt.Errorf(
			"the pattern %q needs a character like - between %s and %s, so that numbers do not repeat",
			p,
			terminalField,
			string(p)[n[0]:n[1]],
		)
	}

	return nil
}

func (p NumberPattern) withTerminal(name string) NumberPattern {
	return NumberPattern(strings.ReplaceAll(string(p), terminalField, name))
}

// For returns the pattern of the terminal with a name.
func (p NumberPattern) For(terminal string) (NumberPattern, error) {
	own := p.withTerminal(terminal)
	if own == p {
		return p, nil
	}

	if bad := outsideGS1.FindString(terminal); bad != "" || strings.ContainsAny(terminal, "{}") {
		return "", errors.New(
			i18n.Textf(
				"The name of this terminal, %s, has characters that GS1 barcodes cannot have. Set terminal in labels.toml.",
				terminal,
			),
		)
	}

	if n := len(own.Format(0, time.Time{})); terminal == "" || n > maxNumberLength {
		return "", errors.New(
			i18n.Textf(
				"The pattern %s makes %d characters with the name of this terminal, %s; GS1 barcodes have at most %d. Set a shorter terminal in labels.toml.",
				string(p),
				n,
				terminal,
				maxNumberLength,
			),
		)
	}

	return own, nil
}

// Format returns the number n on a day. The pattern is that of a terminal.
func (p NumberPattern) Format(n int64, day time.Time) string {
	return patternField.ReplaceAllStringFunc(string(p), func(f string) string {
		if layout := dayFields[f]; layout != "" {
			return day.Format(layout)
		}
		return fmt.Sprintf("%0*d", len(f)-2, n)
	})
}

// Take returns n numbers that were never returned before, also not to other programs. The
// counter is in dir. It does not restart on a new day, so a wrong clock repeats no number.
// kind is "serial" or "lot".
func (p NumberPattern) Take(ctx context.Context, dir, kind string, n int64, day time.Time) ([]string, error) {
	first, err := p.counter(dir, kind, day).Take(ctx, n)
	if errors.Is(err, ErrNumbersExhausted) {
		return nil, errors.New(
			i18n.Textf("The pattern %s has fewer than %d numbers left. Change it in labels.toml.", string(p), n))
	}
	if err != nil {
		return nil, err
	}

	list := make([]string, n)
	for i := range list {
		list[i] = p.Format(first+int64(i), day)
	}

	return list, nil
}

// counter returns the counter of the pattern. Patterns that differ only in the number of
// digits share it, as their numbers may be the same.
func (p NumberPattern) counter(dir, kind string, day time.Time) Counter {
	room := maxNumberLength - len(p.Format(0, day)) + len(patternCounter.FindString(string(p))) - 2
	name := outsideFileName.ReplaceAllString(patternCounter.ReplaceAllString(string(p), "{N}"), ".")
	return Counter{File: filepath.Join(dir, kind+"-"+name), First: 1, Last: largestNumber(min(room, 18))}
}
