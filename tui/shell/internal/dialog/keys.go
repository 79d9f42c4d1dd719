package dialog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bincard/tui/scan"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// QuietPeriod is how long input must pause before a dialog that opened late accepts keys.
const QuietPeriod = 400 * time.Millisecond

// A Result says what to do after a key.
type Result struct {
	Run    func() tea.Cmd // the answer; may be nil
	Source input.Source   // whose screen gets what Run returns
	Shell  bool           // Run's command is the shell's, or routed already
	Bells  int
	Find   string // a text to handle like a scan, or ""
	Search bool   // the text of the find dialog changed
}

// Key handles a key; quiet is the time since the one before.
func (s *Stack) Key(k tea.KeyMsg, key string, quiet time.Duration) Result {
	d := s.top
	if d.guarded {
		if quiet < QuietPeriod {
			return Result{} // typed before the dialog was seen
		}
		d.guarded = false
	}

	switch d.kind {
	case questionKind:
		return s.questionKey(d, key)
	case promptKind:
		return s.promptKey(d, k, key)
	case helpKind:
		return s.helpKey(d, k, key)
	}

	return s.listKey(d, k, key)
}

func (s *Stack) questionKey(d *dialog, key string) Result {
	switch key {
	case "enter", "y":
		s.Pop()
		return Result{Source: d.source, Run: d.question.OnYes}
	case "esc", "n":
		s.Pop()
		return Result{Source: d.source, Run: d.question.OnNo}
	}

	return Result{}
}

func (s *Stack) promptKey(d *dialog, k tea.KeyMsg, key string) Result {
	switch key {
	case "esc":
		s.Pop()
		return Result{}
	case "enter":
		text := d.input.Value()
		if d.request.Check != nil {
			if err := d.request.Check(text); err != nil {
				d.problem = widget.Clean(err.Error())
				return Result{Bells: 2}
			}
		}

		s.Pop()
		if d.request.OnText == nil {
			return Result{}
		}

		return Result{Source: d.source, Run: func() tea.Cmd { return d.request.OnText(text) }}
	}

	d.problem = ""
	d.input.Key(k)

	return Result{}
}

// Scan handles a scan and returns how often to ring. done is false if it closed the
// dialogs and the screen gets the scan. A choice of what to record, which can be typed
// instead, stays open: closing it would lose what was entered before it.
func (s *Stack) Scan(scanned scan.Scan) (bells int, done bool) {
	switch d := s.top; {
	case d.kind == promptKind:
		d.input.Set(widget.Clean(scanned.Text))
		return 1, true
	case d.kind == questionKind, d.kind == choiceKind && d.onText != nil:
		d.problem = s.t.Get("Scan ignored. Answer the question first.")
		return 2, true
	}

	s.Close()

	return 0, false
}

func (s *Stack) listKey(d *dialog, k tea.KeyMsg, key string) Result {
	switch key {
	case "esc":
		s.Pop()
	case "up", "ctrl+k":
		d.move(-1)
	case "down", "ctrl+j":
		d.move(1)
	case "pgup":
		d.move(-10)
	case "pgdown":
		d.move(10)
	case "enter":
		return s.choose(d)
	default:
		d.problem = ""
		if at := d.withKey(key); at >= 0 {
			d.matches, d.cursor = []int{at}, 0
			return s.choose(d)
		}
		if d.input.Key(k) {
			d.filter()
			d.searched = false
			return Result{Search: d.kind == findKind}
		}
	}

	return Result{}
}

// withKey returns the index of the item that a key chooses, or -1. Where a text can be typed, enter
// follows.
func (d *dialog) withKey(key string) int {
	if !d.numbered || d.onText != nil || d.input.Value() != "" {
		return -1
	}
	return slices.IndexFunc(d.items, func(x Item) bool { return x.Keys == key })
}

// move moves the cursor by some lines.
func (d *dialog) move(lines int) { d.cursor = max(0, min(d.cursor+lines, len(d.matches)-1)) }

// choose chooses the line of the cursor, or the text of the input.
func (s *Stack) choose(d *dialog) Result {
	if d.kind == findKind {
		s.Pop()
		if len(d.matches) > 0 {
			return Result{Find: d.found[d.matches[d.cursor]].Code}
		}
		return Result{Find: strings.TrimSpace(d.input.Value())}
	}

	if len(d.matches) == 0 {
		text := strings.TrimSpace(d.input.Value())
		switch {
		case text == "":
			return Result{}
		case !d.takesText():
			d.problem = s.noMatch()
			return Result{Bells: 2}
		}

		s.Pop()
		return Result{Source: d.source, Run: func() tea.Cmd { return d.onText(text) }}
	}

	it := d.items[d.matches[d.cursor]]
	if it.Disabled != "" {
		d.problem = widget.Clean(it.Disabled)
		return Result{}
	}

	s.Pop()

	return Result{Source: d.source, Run: it.Run, Shell: it.Shell}
}

// takesText reports whether the text of the input can be the answer. In a numbered list, a
// number is that of an option.
func (d *dialog) takesText() bool {
	_, err := strconv.Atoi(strings.TrimSpace(d.input.Value()))
	return d.onText != nil && (!d.numbered || err != nil)
}

func (s *Stack) noMatch() string { return s.t.Get("No match. Shorten the text, or press esc.") }

func (s *Stack) helpKey(d *dialog, k tea.KeyMsg, key string) Result {
	switch key {
	case "esc", "enter", "?", "f1", "q":
		s.Pop()
		return Result{}
	}

	d.page, _ = d.page.Update(k)
	return Result{}
}
