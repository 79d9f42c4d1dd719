package dialog

import (
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
)

// A Stack has the open dialogs. The one on top takes the keys.
type Stack struct {
	t   *i18n.Translator
	top *dialog
}

// NewStack returns a Stack without dialogs.
func NewStack(t *i18n.Translator) *Stack { return &Stack{t: t, top: &dialog{}} }

// Push opens a dialog that a screen asked for above the others. A guarded dialog ignores
// keys until Unguard or until input has paused.
func (s *Stack) Push(source input.Source, msg tui.DialogMsg, guarded bool) {
	d := &dialog{source: source, guarded: guarded, below: s.top}
	switch {
	case msg.Question != nil:
		d.kind, d.title, d.question = questionKind, msg.Question.Text, msg.Question
	case msg.Request != nil:
		d.kind, d.title, d.request = promptKind, msg.Request.Text, msg.Request
		d.input.Set(msg.Request.Value)
	case msg.Choice != nil:
		d.kind, d.title, d.onText = choiceKind, msg.Choice.Text, msg.Choice.OnText
		d.numbered = msg.Choice.Numbered
		for i, option := range msg.Choice.Options {
			item := Item{Label: widget.Clean(option), Run: func() tea.Cmd { return msg.Choice.OnChoice(i) }}
			if d.numbered {
				item.Keys = strconv.Itoa(i + 1)
			}
			d.items = append(d.items, item)
		}
	}

	d.title = widget.Clean(d.title)
	d.filter()
	s.top = d
}

// ShowList replaces all dialogs with a list to choose from.
func (s *Stack) ShowList(screen int, title string, items []Item) {
	s.top = &dialog{
		below:  &dialog{},
		kind:   choiceKind,
		title:  title,
		source: input.Source{Screen: screen},
		items:  items,
	}

	s.top.filter()
}

// ShowFind replaces all dialogs with one that asks for a text to handle like a scan.
func (s *Stack) ShowFind(screen int, title string) {
	s.top = &dialog{below: &dialog{}, kind: findKind, title: title, source: input.Source{Screen: screen}}
}

// FindText returns the text of the find dialog; open is false if that is not on top.
func (s *Stack) FindText() (text string, open bool) {
	return strings.TrimSpace(s.top.input.Value()), s.top.kind == findKind
}

// ShowFound shows what was found for a text in the find dialog, or why nothing could be.
func (s *Stack) ShowFound(text string, found []tui.Found, err error) {
	d := s.top
	d.found, d.items, d.problem = found, nil, ""
	d.searched = text == strings.TrimSpace(d.input.Value())
	if err != nil {
		d.problem = widget.Clean(err.Error())
	}
	for _, f := range found {
		d.items = append(d.items, Item{Label: widget.Clean(f.Label), Keys: widget.Clean(f.Detail)})
	}

	d.filter()
}

// ShowHelp replaces all dialogs with a page of help.
func (s *Stack) ShowHelp(screen int, title string, lines []HelpLine) {
	s.top = &dialog{
		below:  &dialog{},
		kind:   helpKind,
		title:  title,
		source: input.Source{Screen: screen},
		help:   lines,
		page:   viewport.New(0, 0),
	}
}

// Input returns the text in the input of the dialog on top; ok is false if it has none.
func (s *Stack) Input() (text string, ok bool) {
	k := s.top.kind
	return s.top.input.Value(), k == choiceKind || k == findKind || k == promptKind
}

// Open reports whether a dialog is open.
func (s *Stack) Open() bool { return s.top.kind != noKind }

// Guarded reports whether the dialog on top ignores keys.
func (s *Stack) Guarded() bool { return s.top.guarded }

// Unguard lets the dialog on top accept keys.
func (s *Stack) Unguard() { s.top.guarded = false }

// ClearProblem removes what the dialog on top says of the last input.
func (s *Stack) ClearProblem() { s.top.problem = "" }

// Pop closes the dialog on top.
func (s *Stack) Pop() {
	if s.Open() {
		s.top = s.top.below
	}
}

// Close closes all dialogs.
func (s *Stack) Close() { s.top = &dialog{} }

// CloseScreen closes all dialogs if the screen opened the one on top.
func (s *Stack) CloseScreen(screen int) {
	if s.top.source.Screen == screen {
		s.Close()
	}
}

// Title returns the text of the dialog on top, or "".
func (s *Stack) Title() string { return s.top.title }

// ShellQuestion reports whether the dialog on top is a question of the shell.
func (s *Stack) ShellQuestion() bool {
	return s.top.source.Screen == 0 && s.top.kind == questionKind
}

// ShowsList reports whether the dialog on top is a list to choose from.
func (s *Stack) ShowsList() bool { return s.top.kind == choiceKind && !s.top.guarded }

// CoversBody reports whether the dialog on top takes the whole body. Questions take the
// place of the screen's own question.
func (s *Stack) CoversBody() bool {
	return s.top.kind == choiceKind || s.top.kind == findKind || s.top.kind == helpKind
}
