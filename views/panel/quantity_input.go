package panel

import (
	"errors"
	"strconv"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// letterWindow is how long after a letter other keys belong to the same typed code.
const letterWindow = 2 * time.Second

// A quantityInput reads a typed quantity. Digits among letters are not a quantity: they
// belong to a code, and the enter after them books nothing.
type quantityInput struct {
	number       widget.Question
	now          func() time.Time
	lastLetterAt time.Time
}

func newQuantityInput(now func() time.Time) quantityInput {
	return quantityInput{number: widget.Number(""), now: now}
}

// inCode reports whether letters were typed just now.
func (q *quantityInput) inCode() bool {
	return !q.lastLetterAt.IsZero() && q.now().Sub(q.lastLetterAt) < letterWindow
}

// accepts reports whether k is part of a quantity.
func (q *quantityInput) accepts(k tea.KeyMsg) bool { return q.number.AcceptsKey(k) }

// endsCode reports whether k ends a typed code.
func (q *quantityInput) endsCode(k tea.KeyMsg) bool {
	return q.inCode() && (k.Type == tea.KeyEnter || k.Type == tea.KeyEsc)
}

// key handles a key; done reports whether it completed the quantity n.
func (q *quantityInput) key(t *i18n.Translator, k tea.KeyMsg) (n int64, done bool, err error) {
	if k.Type == tea.KeyRunes && !k.Paste && !q.number.AcceptsKey(k) {
		q.lastLetterAt = q.now()
		return 0, false, nil
	}
	inCode := q.inCode()
	text, done := q.number.Key(k)
	switch {
	case inCode && k.Type == tea.KeyEnter:
		q.lastLetterAt = time.Time{}
		return 0, false, errors.New(t.Get("That is not a quantity. Press F2 to type a code."))
	case k.Type == tea.KeyEsc:
		q.lastLetterAt = time.Time{}
	}
	if !done {
		return 0, false, nil
	}
	if n, err = strconv.ParseInt(text, 10, 64); err != nil {
		return 0, false, errors.New(t.Get("%q is not a quantity.", text))
	}
	return n, true, nil
}

func (q *quantityInput) view(th theme.Theme, ask string, width int) string {
	q.number.Ask = ask
	return q.number.View(th, width)
}
