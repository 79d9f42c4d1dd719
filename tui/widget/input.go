package widget

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Input is one line of text with a cursor in it; the zero value is empty.
// It has no blinking cursor: nothing moves while nobody types.
type Input struct {
	Limit int               // of characters; 200 if 0
	Allow func(r rune) bool // which characters it takes; all printable ones if nil

	edit  textinput.Model
	ready bool
}

// Value is what stands in the input.
func (i *Input) Value() string { return i.edit.Value() }

// Set replaces what stands in the input and goes to its end; what it may not
// hold is left out.
func (i *Input) Set(text string) {
	e := i.editor()
	e.SetValue(string(i.filter([]rune(text))))
	e.CursorEnd()
}

// AcceptsKey reports whether a key is text for the input, as things stand now. What
// moves or deletes is, while there is text; home and end only where they move.
func (i *Input) AcceptsKey(k tea.KeyMsg) bool {
	if text, ok := runes(k); ok {
		return len(text) > 0 && (k.Paste || i.allows(text[0]))
	}
	e := i.editor()
	length := len([]rune(e.Value()))
	switch {
	case key.Matches(k, e.KeyMap.LineStart):
		return e.Position() > 0
	case key.Matches(k, e.KeyMap.LineEnd):
		return e.Position() < length
	}
	return length > 0 && key.Matches(k, editKeys(e.KeyMap)...)
}

// Key handles a key and reports whether the text changed.
func (i *Input) Key(k tea.KeyMsg) bool {
	e := i.editor()
	if text, ok := runes(k); ok {
		// As a paste, since the letters of "home" read at once bear the name of a key.
		k = tea.KeyMsg{Type: tea.KeyRunes, Runes: i.filter(text), Paste: true}
	} else if !i.AcceptsKey(k) {
		return false
	}
	before := e.Value()
	i.edit, _ = e.Update(k) // a still cursor gives no command
	return i.edit.Value() != before
}

// View is the text with its cursor, the part around it where width is short.
// The cursor is a block between characters, to be seen without any colour.
func (i *Input) View(width int) string {
	if width <= 0 {
		return ""
	}
	text, at := []rune(i.Value()), i.edit.Position()
	before := string(text[:at])
	if over := Width(before) - (width - 1); over > 0 {
		left := ansi.TruncateLeft(before, over, "")
		if Width(left) > width-1 { // half of a wide character stays whole
			left = ansi.TruncateLeft(before, over+1, "")
		}
		before = left
	}
	return ansi.Truncate(before+"█"+string(text[at:]), width, "")
}

// Masked is View with a dot for every character, for what nobody shall read
// over a shoulder.
func (i *Input) Masked(width int) string {
	shown := *i
	shown.Allow = nil
	at := i.edit.Position()
	shown.Set(strings.Repeat("•", len([]rune(i.Value()))))
	shown.edit.SetCursor(at)
	return shown.View(width)
}

// editor is what edits the line, made when it is first needed.
func (i *Input) editor() *textinput.Model {
	if !i.ready {
		i.ready = true
		i.edit = textinput.New()
		i.edit.Cursor.SetMode(cursor.CursorStatic)
		i.edit.Focus()
	}
	i.edit.CharLimit = 200
	if i.Limit != 0 {
		i.edit.CharLimit = i.Limit
	}
	return &i.edit
}

// editKeys are the keys that move within text, home and end aside, or delete some.
// Ctrl+v is none: it would read the clipboard of this machine, which may not be
// the one somebody sits at. Terminals paste by themselves.
func editKeys(keys textinput.KeyMap) []key.Binding {
	return []key.Binding{keys.CharacterForward, keys.CharacterBackward, keys.WordForward, keys.WordBackward,
		keys.DeleteWordBackward, keys.DeleteWordForward, keys.DeleteAfterCursor, keys.DeleteBeforeCursor,
		keys.DeleteCharacterBackward, keys.DeleteCharacterForward}
}

// runes are the characters a key stands for, if it does.
func runes(k tea.KeyMsg) (text []rune, ok bool) {
	switch {
	case k.Alt:
		return nil, false
	case k.Type == tea.KeySpace:
		return []rune{' '}, true
	}
	return k.Runes, k.Type == tea.KeyRunes
}

// filter are those of some characters that the input takes. A broken one stays to
// be seen, as a box: left out, what was misread would look sound.
func (i *Input) filter(text []rune) []rune {
	return []rune(strings.Map(func(r rune) rune {
		switch {
		case !i.allows(r):
			return -1
		case r == unicode.ReplacementChar:
			return '□'
		}
		return r
	}, string(text)))
}

func (i *Input) allows(r rune) bool {
	return unicode.IsPrint(r) && !isForbidden(r) && (i.Allow == nil || i.Allow(r))
}

// Digits is an Only for whole numbers.
func Digits(r rune) bool { return r >= '0' && r <= '9' }
