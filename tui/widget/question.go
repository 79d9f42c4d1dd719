package widget

import (
	tea "github.com/charmbracelet/bubbletea"
)

// QuestionMarker precedes the question of a screen. The shell puts errors and dialogs in
// place of the question and removes the marker, which has no width.
const QuestionMarker = "\x02"

// FieldMarker precedes the last line of a form's field that QuestionMarker begins: the field
// stays above them.
const FieldMarker = "\x03"

// Question is the input line of a screen: "▸ Scan a box, or type a number".
type Question struct {
	Input
	Ask string // painted while the input is empty
}

// maxTypedDigits is room for the longest barcode, so that the digits of one are never cut.
const maxTypedDigits = 20

// Number returns a question that accepts whole numbers.
func Number(ask string) Question {
	return Question{Ask: ask, Input: Input{Allow: Digits, Limit: maxTypedDigits}}
}

// AcceptsKey reports whether the question handles a key: text that it accepts, and enter
// and esc unless it is empty.
func (q *Question) AcceptsKey(k tea.KeyMsg) bool {
	if k.Type == tea.KeyEnter || k.Type == tea.KeyEsc {
		return q.Value() != ""
	}
	return q.Input.AcceptsKey(k)
}

// Key handles a key that the question accepts. Enter returns the text and empties the
// question; esc empties it.
func (q *Question) Key(k tea.KeyMsg) (text string, done bool) {
	switch k.Type {
	case tea.KeyEnter:
		text = q.Value()
		q.Set("")
		return text, text != ""
	case tea.KeyEsc:
		q.Set("")
		return "", false
	}

	q.Input.Key(k)

	return "", false
}

// View paints the line, with QuestionMarker for the shell.
func (q *Question) View(t Theme, width int) string {
	if q.Value() != "" {
		return QuestionMarker + t.Ask(t.Strong.Render(q.Input.View(width-2)))
	}
	return QuestionMarker + t.Ask(Clip(q.Ask, width-2))
}
