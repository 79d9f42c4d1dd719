package plain

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
)

// maxDigits is the most digits of a typed number. A longer one is a code.
const maxDigits = 7

// word handles a line on a screen without a dialog or form: a number, the word or key of an
// action, a route, else a code.
func (t *dialog) word(s shell.State, text string) tea.Cmd {
	if text == "" {
		if a, ok := onKey(s.Actions, "enter"); ok && s.Speech.Enter {
			return t.headless.Do(a)
		}
		t.last = lastOutput{}
		return nil
	}

	if row, ok := strings.CutPrefix(text, "#"); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(row)); err == nil {
			return t.row(s, n)
		}
	}

	if n, err := strconv.ParseInt(text, 10, 64); err == nil && digits(text) {
		if cmd, done := t.number(s, text, n); done {
			return cmd
		}
	}

	first, rest, _ := strings.Cut(text, " ")
	route := path(screenLine(t.T(), text))
	a, left, found := t.match(s.Actions, text)
	if !found {
		a, left, found = t.match(s.Actions, strings.TrimSpace(tui.CurrentName(strings.ToLower(first))+" "+rest))
	}
	if rest != "" && !digits(rest) && t.headless.HasRoute(route) && (!found || left != "") {
		return t.headless.Go(route)
	}
	if found && left != "" && !digits(left) { // the session's word for a screen
		if own := path(lastSegment(a.ID) + " " + left); t.headless.HasRoute(own) {
			return t.headless.Go(own)
		}
	}

	switch {
	case found && left != "" && digits(left) && s.Speech.Numbers && slices.Contains(a.Keys(), "enter"):
		t.next = &a
		return t.headless.Type(left)
	case found:
		t.rest = left
		return t.headless.Do(a)
	}

	if a, ok := onKey(s.Actions, text); ok {
		return t.headless.Do(a)
	}

	switch {
	case t.headless.HasRoute(route) && word(first):
		return t.headless.Go(route)
	case strings.Contains(text, "/") && t.headless.HasRoute(text):
		return t.headless.Go(text)
	case s.Speech.Search:
		t.last.list = ""
		return t.headless.Type(text)
	}

	return t.scan(text)
}

// number handles a number: a GTIN, a quantity or a row. It returns false if it is none of
// these.
func (t *dialog) number(s shell.State, text string, n int64) (tea.Cmd, bool) {
	switch {
	case len(text) > maxDigits && scan.Parse(text, t.headless.Now()).Kind == scan.KindGTIN:
		return t.scan(text), true
	case s.Speech.Numbers:
		return t.headless.Type(text), true
	case s.Speech.List != nil && len(text) <= maxDigits:
		if _, ok := s.Speech.List.Row(int(n)); ok || n == 0 {
			return t.row(s, int(n)), true
		}
	}

	return nil, false
}

// row selects a row by its number and runs the action on enter. On screens where numbers are
// quantities it only selects the row.
func (t *dialog) row(s shell.State, n int) tea.Cmd {
	list, at, ok := s.Speech.List, 0, false
	if list != nil {
		at, ok = list.Row(n)
	}
	if !ok {
		t.out.line("no", t.T().Get("There is no line %d.", n))
		return nil
	}

	if list.Activate != nil {
		if cmd := list.Activate(at); cmd != nil {
			return t.headless.Run(cmd)
		}
		t.last = lastOutput{}
		return nil
	}

	list.Select(at)
	if s.Speech.Numbers {
		t.last = lastOutput{}
		return nil
	}
	for _, a := range t.headless.State().Actions {
		if slices.Contains(a.Keys(), "enter") && a.DisabledReason() == "" {
			return t.headless.Do(a)
		}
	}

	return nil
}

// match returns the action whose name a line starts with, and the rest of the line. The
// longest name wins, then an enabled action.
func (t *dialog) match(actions []tui.Action, text string) (found tui.Action, rest string, ok bool) {
	best := 0
	for _, a := range actions {
		if isHidden(a) {
			continue
		}

		for _, w := range t.names(a) {
			left, starts := cutWord(text, w)
			if !starts {
				continue
			}

			rank := 2 * len(w)
			if a.DisabledReason() == "" {
				rank++
			}
			if rank > best {
				best, found, rest, ok = rank, a, left, true
			}
		}
	}

	return found, rest, ok
}

// names returns the texts that run an action.
func (t *dialog) names(a tui.Action) []string {
	last := lastSegment(a.ID)
	names := []string{
		last,
		strings.ToLower(a.ID),
		actionWord(t.T(), last),
		strings.ToLower(strings.TrimSpace(a.Label)),
		bare(a.Label),
		bare(a.Short),
	}

	if last == "record" {
		names = append(names, "do") // of earlier versions
	}

	return names
}

// bare returns a label in lower case without the numbers around it: "receive 48" is "receive".
func bare(label string) string {
	label, _, _ = strings.Cut(label, "(")
	return strings.ToLower(strings.TrimFunc(label, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// lastSegment returns the part of an ID after the last dot.
func lastSegment(id string) string { return strings.ToLower(id[strings.LastIndexByte(id, '.')+1:]) }

// isHidden reports whether an action makes no sense in line mode.
func isHidden(a tui.Action) bool {
	switch a.ID {
	case "shell.palette", "shell.help", "shell.mouse", "shell.find", "home.digits", "panel.moved":
		return true
	}
	return false
}

// onKey returns the enabled action on a key.
func onKey(actions []tui.Action, key string) (tui.Action, bool) {
	for _, a := range actions {
		if slices.Contains(a.Keys(), strings.ToLower(key)) && !isHidden(a) && a.DisabledReason() == "" {
			return a, true
		}
	}

	return tui.Action{}, false
}

// path returns a line as a route: "receive PO-1" is receive/PO-1.
func path(text string) string {
	parts := strings.Fields(text)
	if len(parts) > 0 {
		parts[0] = strings.ToLower(parts[0])
	}
	if len(parts) == 2 && parts[1] == "new" {
		return parts[0] + "/new"
	}
	return tui.Path(parts...)
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func word(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// scan sends a code to the screen.
func (t *dialog) scan(text string) tea.Cmd {
	return t.headless.Scan(scan.Parse(text, t.headless.Now()))
}
