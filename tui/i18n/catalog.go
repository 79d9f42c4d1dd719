package i18n

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/leonelquinteros/gotext"
)

// A Message is one text to translate.
type Message struct {
	Text, Context string
	Plural        string   // the text for other numbers than 1, if there is one
	Files         []string // of the source: "views/inbounds/list.go"
}

// ErrorContext is the context in the catalogs of the messages that Message translates.
const ErrorContext = "error"

//go:embed messages.pot
var template string

// Template returns the catalog of all messages, without translations.
func Template() string { return template }

// Messages returns the messages that Bincard has, by text; without their files.
var Messages = sync.OnceValue(func() (all []Message) {
	po := gotext.NewPo()
	po.Parse([]byte(template))
	for context, list := range entries(po) {
		for text, entry := range list {
			if text != "" {
				all = append(all, Message{Text: text, Context: context, Plural: entry.PluralID})
			}
		}
	}

	slices.SortFunc(all, compareMessages)

	return all
})

// entries returns the entries of a catalog by context and English text. The first entry without a
// context has the header.
func entries(po *gotext.Po) map[string]map[string]*gotext.Translation {
	all := po.GetDomain().GetCtxTranslations()
	all[""] = po.GetDomain().GetTranslations()

	return all
}

func compareMessages(a, b Message) int {
	return strings.Compare(a.Text+"\x00"+a.Context, b.Text+"\x00"+b.Context)
}

// header begins a catalog.
const header = `msgid ""
msgstr ""
"Project-Id-Version: Bincard\n"
"Language: %s\n"
"X-Language-Name: %s\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: %s\n"
`

// pluralForms is the rule of a new catalog: that of English.
const pluralForms = "nplurals=2; plural=(n != 1);"

// WriteCatalog writes a catalog of messages as translate gives them: none where a translation is
// missing, and several forms where the number decides.
func WriteCatalog(out io.Writer, l Language, messages []Message, translate func(Message) []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, header, l.Code, l.Name, cmp.Or(l.pluralForms(), pluralForms))
	for _, m := range messages {
		b.WriteByte('\n')
		if len(m.Files) > 0 {
			fmt.Fprintf(&b, "#: %s\n", strings.Join(m.Files, " "))
		}
		if m.Context != "" {
			fmt.Fprintf(&b, "msgctxt %s\n", quote(m.Context))
		}
		fmt.Fprintf(&b, "msgid %s\n", quote(m.Text))
		forms := translate(m)
		if m.Plural == "" {
			fmt.Fprintf(&b, "msgstr %s\n", quote(strings.Join(forms, "")))
			continue
		}

		fmt.Fprintf(&b, "msgid_plural %s\n", quote(m.Plural))
		for i, form := range append(forms, make([]string, max(0, 2-len(forms)))...) {
			fmt.Fprintf(&b, "msgstr[%d] %s\n", i, quote(form))
		}
	}

	_, err := io.WriteString(out, b.String())

	return err
}

var escapes = strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\t", "\\t")

func quote(text string) string { return "\"" + escapes.Replace(text) + "\"" }

// Translations returns what a catalog has for messages: all forms, or none.
func Translations(po *gotext.Po) func(Message) []string {
	all := entries(po)
	return func(m Message) (forms []string) {
		entry := all[m.Context][m.Text]
		for i := 0; entry != nil && entry.IsTranslatedN(i); i++ {
			forms = append(forms, entry.Trs[i])
		}
		return forms
	}
}

// Write writes all messages in the language as a catalog.
func (l Language) Write(out io.Writer) error {
	var catalogs []func(Message) []string
	for _, c := range l.catalogs {
		catalogs = append(catalogs, Translations(c))
	}

	return WriteCatalog(out, l, Messages(), func(m Message) []string {
		for _, translate := range catalogs {
			if forms := translate(m); len(forms) > 0 {
				return forms
			}
		}
		if l.transform != nil {
			return []string{l.transform(m.Text)}
		}
		if m.Plural != "" {
			return []string{m.Text, m.Plural}
		}
		return []string{m.Text}
	})
}
