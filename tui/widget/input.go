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

// Input is an editable line of text with a cursor that does not blink. The zero value is
// empty and ready to use.
type Input struct {
	Limit int               // the most characters; 200 if 0
	Allow func(r rune) bool // reports whether a printable character is accepted; nil accepts all

	edit  textinput.Model
	ready bool
}

// Value returns the text.
func (i *Input) Value() string { return i.edit.Value() }

// Set replaces the text, without characters that the input does not accept, and moves the
// cursor to its end.
func (i *Input) Set(text string) {
	e := i.editor()
	e.SetValue(string(i.filter([]rune(text))))
	e.CursorEnd()
}

// AcceptsKey reports whether the input handles a key in its present state: text, keys that
// move or delete unless it is empty, and home and end if they would move the cursor.
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
		// As a paste, because the runes of "home" in one message would match the key home.
		k = tea.KeyMsg{Type: tea.KeyRunes, Runes: i.filter(text), Paste: true}
	} else if !i.AcceptsKey(k) {
		return false
	}

	before := e.Value()
	i.edit, _ = e.Update(k) // a static cursor returns no command

	return i.edit.Value() != before
}

// View paints the text with its cursor, or the part around the cursor that fits. The cursor
// is a block between characters, visible without color.
func (i *Input) View(width int) string {
	if width <= 0 {
		return ""
	}

	text, at := []rune(i.Value()), i.edit.Position()
	before := string(text[:at])
	if over := Width(before) - (width - 1); over > 0 {
		left := ansi.TruncateLeft(before, over, "")
		if Width(left) > width-1 { // a wide character was not cut in half
			left = ansi.TruncateLeft(before, over+1, "")
		}
		before = left
	}

	return ansi.Truncate(before+"█"+string(text[at:]), width, "")
}

// Masked is View with a dot in place of every character, for secrets.
func (i *Input) Masked(width int) string {
	masked := *i
	masked.Allow = nil
	at := i.edit.Position()
	masked.Set(strings.Repeat("•", len([]rune(i.Value()))))
	masked.edit.SetCursor(at)
	return masked.View(width)
}

// editor returns the editor of the line and makes it on first use.
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

// editKeys returns the keys that move within text, except home and end, or delete. It omits
// ctrl+v, which would read the clipboard of this machine and not of the operator's. Terminals
// paste by themselves.
func editKeys(keys textinput.KeyMap) []key.Binding {
	return []key.Binding{keys.CharacterForward, keys.CharacterBackward, keys.WordForward, keys.WordBackward,
		keys.DeleteWordBackward, keys.DeleteWordForward, keys.DeleteAfterCursor, keys.DeleteBeforeCursor,
		keys.DeleteCharacterBackward, keys.DeleteCharacterForward}
}

// runes returns the characters of a key; ok is false for keys that are not text.
func runes(k tea.KeyMsg) (text []rune, ok bool) {
	switch {
	case k.Alt:
		return nil, false
	case k.Type == tea.KeySpace:
		return []rune{' '}, true
	}

	return k.Runes, k.Type == tea.KeyRunes
}

// filter returns the characters that the input accepts. An invalid character becomes a box:
// if it were removed, a misread code would look valid.
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

// Digits is an Input.Allow for whole numbers.
func Digits(r rune) bool { return r >= '0' && r <= '9' }
