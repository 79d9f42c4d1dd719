package i18n

import (
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
	for text := range po.GetDomain().GetTranslations() {
		if text != "" {
			all = append(all, Message{Text: text})
		}
	}

	for context, entries := range po.GetDomain().GetCtxTranslations() {
		for text := range entries {
			if text != "" {
				all = append(all, Message{Text: text, Context: context})
			}
		}
	}

	slices.SortFunc(all, compareMessages)

	return all
})

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
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
`

// WriteCatalog writes a catalog of messages as translate gives them: "" where a
// translation is missing.
func WriteCatalog(out io.Writer, l Language, messages []Message, translate func(Message) string) error {
	var b strings.Builder
	fmt.Fprintf(&b, header, l.Code, l.Name)
	for _, m := range messages {
		b.WriteByte('\n')
		if len(m.Files) > 0 {
			fmt.Fprintf(&b, "#: %s\n", strings.Join(m.Files, " "))
		}
		if m.Context != "" {
			fmt.Fprintf(&b, "msgctxt %s\n", quote(m.Context))
		}
		fmt.Fprintf(&b, "msgid %s\nmsgstr %s\n", quote(m.Text), quote(translate(m)))
	}

	_, err := io.WriteString(out, b.String())

	return err
}

var escapes = strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\t", "\\t")

func quote(text string) string { return "\"" + escapes.Replace(text) + "\"" }

// Translation returns what a catalog has for a message, or "".
func Translation(po *gotext.Po, m Message) string {
	switch d := po.GetDomain(); {
	case m.Context != "" && d.IsTranslatedC(m.Text, m.Context):
		return d.GetC(m.Text, m.Context, nil...)
	case m.Context == "" && d.IsTranslated(m.Text):
		return d.Get(m.Text, nil...)
	}

	return ""
}

// Write writes all messages in the language as a catalog.
func (l Language) Write(out io.Writer) error {
	return WriteCatalog(out, l, Messages(), func(m Message) string { return l.lookUp(m.Text, m.Context) })
}
