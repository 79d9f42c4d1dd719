// Package i18n translates the messages of the terminal, one language per session.
//
// The code contains the English messages:
//
//	t.Get("Scan a barcode or type a quantity")
//	t.Get("%s of %s received", t.Count(12), t.Count(48))
//
// A Translator looks messages up in catalogs in the format of GNU gettext: first in the
// catalog of the company (Load), then in the one of Bincard (the files *.po here). A
// message that no catalog has is shown in English. "make messages" writes the template
// messages.pot and brings the catalogs up to date.
//
// Errors of the service arrive as English texts. Message finds the format that gave a text
// and translates both the format and its values.
package i18n

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/leonelquinteros/gotext"
)

// A Translator translates the messages of one session. All screens of a session share
// it, so that SetLanguage changes all of them. A nil Translator returns English.
type Translator struct {
	language atomic.Pointer[Language]
	company  atomic.Pointer[map[string]map[string]string]
}

// New returns a translator into a language: English for the zero Language.
func New(l Language) *Translator {
	t := &Translator{}
	t.SetLanguage(l)
	return t
}

// SetLanguage changes the language of all messages from now on.
func (t *Translator) SetLanguage(l Language) { t.language.Store(&l) }

// Language returns the present language.
func (t *Translator) Language() Language {
	if t == nil {
		return Language{Code: English}
	}
	return *t.language.Load()
}

// SetCompanyTexts sets the texts of the company's own codes, by code and language.
func (t *Translator) SetCompanyTexts(texts map[string]map[string]string) {
	if t != nil {
		t.company.Store(&texts)
	}
}

// CompanyText returns the text of a company's code in the present language, else in English, else
// the code itself. known is false if the company does not have the code.
func (t *Translator) CompanyText(code string) (text string, known bool) {
	if t == nil || t.company.Load() == nil {
		return "", false
	}
	texts, known := (*t.company.Load())[code]
	return cmp.Or(texts[t.Language().Code], texts[English], code), known
}

// Text marks a message that is translated elsewhere, such as in a table of constants.
func Text(english string) string { return english }

// Texts is a table of messages that are translated elsewhere.
type Texts[K comparable] map[K]string

// A Table has messages of one context.
type Table[K comparable] struct {
	context string
	texts   map[K]string
}

// TableOf returns a table of messages of a context.
func TableOf[K comparable](context string, texts map[K]string) Table[K] {
	return Table[K]{context, texts}
}

// Get returns the translated message of a key. It returns "" if the table does not have the key.
func (x Table[K]) Get(t *Translator, key K) string { return t.GetC(x.texts[key], x.context) }

// Textf formats a text that Message translates. Its verbs are %d, %q, %s and %v, where %v
// stands for a text that Message translates too.
func Textf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// Get translates a message and fills in args as fmt.Sprintf does. Errors among them are translated
// too, by Message. Without args, a percent sign in the message stays as it is.
func (t *Translator) Get(english string, args ...any) string {
	return t.GetC(english, "", args...)
}

// GetC is Get for a message that has another meaning in another context.
func (t *Translator) GetC(english, context string, args ...any) string {
	text := english
	if t != nil {
		text = t.language.Load().lookUp(english, context)
	}
	if len(args) == 0 {
		return text
	}

	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args = slices.Clone(args) // the caller keeps its own
			args[i] = t.message(err.Error(), true)
		}
	}

	return fmt.Sprintf(text, args...)
}

// GetN is Get for a number, which the first %s of a message stands for. The rules of the language
// choose the form; one and many are those of English.
func (t *Translator) GetN(n int, one, many string, args ...any) string {
	text := many
	if n == 1 {
		text = one
	}
	if t != nil {
		text = t.language.Load().lookUpN(n, one, text)
	}

	return fmt.Sprintf(text, append([]any{t.Count(int64(n))}, args...)...)
}

// NewError returns an error with the text that Get returns.
func (t *Translator) NewError(english string, args ...any) error {
	return errors.New(t.Get(english, args...))
}

// lookUp returns the message of the first catalog that has it.
func (l *Language) lookUp(english, context string) string {
	if english == "" { // a catalog has its header there
		return ""
	}
	if l.transform != nil {
		return l.transform(english)
	}
	for _, c := range l.catalogs {
		if text, ok := find(c, english, context); ok {
			return text
		}
	}

	return english
}

// lookUpN is lookUp for a message with several forms; english is the one for n.
func (l *Language) lookUpN(n int, one, english string) string {
	if l.transform != nil {
		return l.transform(english)
	}
	for _, c := range l.catalogs {
		// Check removes the first form of a message that cannot be used.
		if d := c.GetDomain(); d.IsTranslated(one) && d.IsTranslatedN(one, n) {
			return d.GetN(one, english, n, nil...)
		}
	}

	return english
}

func find(c *gotext.Po, english, context string) (string, bool) {
	d := c.GetDomain()
	if context != "" && d.IsTranslatedC(english, context) {
		return d.GetC(english, context, nil...), true
	}
	if d.IsTranslated(english) {
		return d.Get(english, nil...), true
	}
	return "", false
}
