package dialog

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// dialog is above the screen and takes the keys.
type dialog struct {
	kind     kind
	source   input.Source // that opened it; screen 0 is the shell
	title    string
	input    widget.Input
	items    []Item
	found    []tui.Found // the items of a find dialog
	numbered bool        // the keys of the items choose them
	searched bool        // found is the answer to the typed text
	matches  []int       // indices of items that match the input, best first
	cursor   int
	scroll   int
	problem  string
	page     viewport.Model
	help     []HelpLine // the contents of the page

	question *tui.Question
	request  *tui.Request
	onText   func(text string) tea.Cmd // of a list that also takes a text; nil otherwise
	guarded  bool                      // it opened late and ignores keys until input pauses
	below    *dialog                   // nil below all dialogs
}

type kind int

const (
	noKind kind = iota // below all dialogs
	questionKind
	promptKind
	choiceKind
	findKind
	helpKind
)

// An Item is a line of a list.
type Item struct {
	Label    string
	Keys     string
	Disabled string // why it cannot be chosen
	Run      func() tea.Cmd
	Shell    bool // Run's command is the shell's, or routed already
}

// A HelpLine is an entry of the help: an action, a heading, or a warning alone.
type HelpLine struct{ Keys, Text, Disabled, Head string }

// HelpLines describes actions.
func HelpLines(t *i18n.Translator, keymap tui.Keymap, actions []tui.Action) (lines []HelpLine) {
	for _, a := range actions {
		text := a.Help
		if text == "" {
			text = widget.Capitalize(a.Label)
		}

		lines = append(lines, HelpLine{
			Keys:     input.KeyLabels(t, keymap.KeysFor(a)),
			Text:     widget.Clean(text),
			Disabled: widget.Clean(a.DisabledReason()),
		})
	}

	return lines
}

// labels implements fuzzy.Source.
type labels []Item

func (l labels) String(i int) string { return l[i].Label }
func (l labels) Len() int            { return len(l) }

// filterFound keeps what contains each typed word. The results are those of an earlier
// text until the next ones arrive.
func (d *dialog) filterFound(text string) {
	for i, f := range d.found {
		all := strings.ToLower(f.Code + " " + f.Label + " " + f.Detail)
		if !slices.ContainsFunc(strings.Fields(strings.ToLower(text)),
			func(word string) bool { return !strings.Contains(all, word) }) {
			d.matches = append(d.matches, i)
		}
	}
}

// filter keeps the items that match the input.
func (d *dialog) filter() {
	d.matches = d.matches[:0]
	d.cursor, d.scroll = 0, 0
	text := strings.TrimSpace(d.input.Value())
	switch {
	case d.kind == findKind:
		d.filterFound(text)
		return
	case text != "" && d.onText != nil: // letters that occur in an option must not choose it
		for i, item := range d.items {
			if item.Keys == text || strings.HasPrefix(strings.ToLower(item.Label), strings.ToLower(text)) {
				d.matches = append(d.matches, i)
			}
		}

		return

	case text != "":
		for _, match := range fuzzy.FindFrom(text, labels(d.items)) {
			d.matches = append(d.matches, match.Index)
		}
		return
	}

	for i := range d.items {
		d.matches = append(d.matches, i)
	}
}
