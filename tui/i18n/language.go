package i18n

import "github.com/leonelquinteros/gotext"

// The codes of special languages.
const (
	English = "en"
	Pseudo  = "en-XA" // accented and longer English, to test screens
)

// A Language is a language that a session can use.
type Language struct {
	Code string // "de"
	Name string // in the language itself: "Deutsch"

	catalogs  []*gotext.Po // the first that has a message wins
	transform func(english string) string
}
