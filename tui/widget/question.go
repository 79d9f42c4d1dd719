package widget

import (
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// QuestionMarker stands before the question of a screen: the shell puts errors and
// dialogs in its place, and takes the mark away. It has no width.
const QuestionMarker = "\x02"

// Question is the one line of a screen that asks: "▸ Scan a box, or type a
// number". What is typed stands in its place until it is taken.
type Question struct {
	Input
	Ask string // the words; they give way to what is typed
}

// Number makes a question that takes whole numbers, beside scans.
func Number(ask string) Question {
	return Question{Ask: ask, Input: Input{Allow: Digits, Limit: 9}}
}

// AcceptsKey reports whether a key is text for the question: what it takes, and
// enter and esc while something is typed.
func (q *Question) AcceptsKey(k tea.KeyMsg) bool {
	if k.Type == tea.KeyEnter || k.Type == tea.KeyEsc {
		return q.Value() != ""
	}
	return q.Input.AcceptsKey(k)
}

// Key handles a key the question Types. On enter it gives what was typed and
// is empty again; esc empties it.
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

// View is the line, with the mark by which the shell finds it.
func (q *Question) View(t theme.Theme, width int) string {
	if q.Value() != "" {
		return QuestionMarker + t.Ask(t.Strong.Render(q.Input.View(width-2)))
	}
	return QuestionMarker + t.Ask(Clip(q.Ask, width-2))
}
