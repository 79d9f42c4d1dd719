package panel

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/scan"
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
	digitsAt     time.Time // when digits were typed on a finished document
	began        time.Time // when typing began
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

// endsDigits reports whether enter ends a number that was typed on a finished document.
func (q *quantityInput) endsDigits() bool {
	at := q.digitsAt
	q.digitsAt = time.Time{}
	return !at.IsZero() && q.now().Sub(at) < letterWindow
}

// An entry is what was typed: a quantity, or the barcode of an item or a pallet.
type entry struct {
	quantity int64
	barcode  *scan.Scan
}

// key handles a key. It returns the entry that the key completed, or nil. byLot says that a lot can
// be typed elsewhere.
func (q *quantityInput) key(t *i18n.Translator, k tea.KeyMsg, byLot bool) (*entry, error) {
	if k.Type == tea.KeyRunes && !k.Paste && !q.number.AcceptsKey(k) {
		q.lastLetterAt = q.now()
		return nil, nil
	}

	inCode := q.inCode()
	text, done := q.number.Key(k)
	switch {
	case inCode && k.Type == tea.KeyEnter:
		q.lastLetterAt = time.Time{}
		if byLot {
			return nil, t.NewError("That is not a quantity. Press F7 to type a lot, or F2 to type a code.")
		}
		return nil, t.NewError("That is not a quantity. Press F2 to type a code.")

	case k.Type == tea.KeyEsc:
		q.lastLetterAt = time.Time{}
	}

	if !done {
		return nil, nil
	}

	return parseEntry(t, text, q.now())
}

// maxQuantityDigits is the most digits of a quantity.
const maxQuantityDigits = 9

// parseEntry reads typed digits. Those of a barcode or of a label, which have a check digit,
// are never a quantity.
func parseEntry(t *i18n.Translator, text string, now time.Time) (*entry, error) {
	if s := scan.ParseTyped(text, now); (s.Kind == scan.KindGTIN || s.Kind == scan.KindGS1) && s.OK() {
		return &entry{barcode: &s}, nil
	}
	if len(text) > maxQuantityDigits {
		return nil, t.NewError("%s is neither a quantity nor a valid barcode. Scan the code, or type a quantity.",
			text)
	}

	n, err := parseNumber(text, t.Get("%q is not a quantity.", text))

	return &entry{quantity: n}, err
}

// parseNumber reads a number that is not negative. problem is the text of the error.
func parseNumber(text, problem string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New(problem)
	}
	return n, nil
}

func (q *quantityInput) view(th widget.Theme, ask string, width int) string {
	q.number.Ask = ask
	return q.number.View(th, width)
}
