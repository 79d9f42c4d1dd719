package submit

import (
	"errors"

	"bincard/tui/i18n"
)

// SelectDocument returns the document that is meant: the only open one, or the first
// if none is open. It fails if several are open. docs must have the open ones first.
func SelectDocument[T any](t *i18n.Translator, ref string, docs []T, open func(*T) bool, choice func(*T) string) (*T, error) {
	n := 0
	for n < len(docs) && open(&docs[n]) {
		n++
	}
	if n <= 1 {
		return &docs[0], nil
	}
	text := t.Get("There are %d open documents named %s. Use one of these ids:", n, ref)
	for i := range docs[:n] {
		text += "\n  " + choice(&docs[i])
	}
	return nil, errors.New(text)
}
