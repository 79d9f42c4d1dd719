package widget

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// Input is one line of text with a cursor at its end; the zero value is empty.
// It has no blinking cursor: nothing moves while nobody types.
type Input struct {
	text  []rune
	Limit int               // of characters; 200 if 0
	Only  func(r rune) bool // which characters it takes; all printable ones if nil
}

// Value is what stands in the input.
func (i *Input) Value() string { return string(i.text) }

// Set replaces what stands in the input; what it may not hold is left out.
func (i *Input) Set(text string) {
	i.text = i.text[:0]
	i.put([]rune(text))
}

// Types reports whether a key is text for the input, as things stand now.
func (i *Input) Types(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyRunes:
		return !k.Alt && len(k.Runes) > 0 && (k.Paste || i.takes(k.Runes[0]))
	case tea.KeySpace:
		return i.takes(' ')
	case tea.KeyBackspace, tea.KeyCtrlU, tea.KeyCtrlW:
		return len(i.text) > 0
	}
	return false
}

// Key handles a key and reports whether the text changed.
func (i *Input) Key(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyRunes:
		if k.Alt {
			return false
		}
		return i.put(k.Runes)
	case tea.KeySpace:
		return i.put([]rune{' '})
	case tea.KeyBackspace:
		if len(i.text) == 0 {
			return false
		}
		i.text = i.text[:len(i.text)-1]
		return true
	case tea.KeyCtrlU:
		changed := len(i.text) > 0
		i.text = i.text[:0]
		return changed
	case tea.KeyCtrlW:
		changed := len(i.text) > 0
		trimmed := strings.TrimRight(string(i.text), " ")
		i.text = []rune(trimmed[:strings.LastIndex(trimmed, " ")+1])
		return changed
	}
	return false
}

func (i *Input) put(runes []rune) bool {
	limit := i.Limit
	if limit == 0 {
		limit = 200
	}
	before := len(i.text)
	for _, r := range runes {
		if len(i.text) < limit && i.takes(r) {
			i.text = append(i.text, r)
		}
	}
	return len(i.text) != before
}

func (i *Input) takes(r rune) bool {
	return unicode.IsPrint(r) && !forbidden(r) && (i.Only == nil || i.Only(r))
}

// View is the text with its cursor, the end of it where width is short.
func (i *Input) View(width int) string {
	text := string(i.text)
	for Width(text) > max(0, width-1) {
		_, size := firstRune(text)
		text = text[size:]
	}
	if width <= 0 {
		return ""
	}
	return text + "█"
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

// Digits is an Only for whole numbers.
func Digits(r rune) bool { return r >= '0' && r <= '9' }
