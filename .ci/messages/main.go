// Messages updates the template of all messages and the catalogs: it adds new messages
// without a translation and removes obsolete ones. It prints the missing translations.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bincard/tui/i18n"
	"bincard/tui/i18n/extract"

	"github.com/leonelquinteros/gotext"
)

const folder = "tui/i18n"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

func run() error {
	messages, err := extract.Messages(".")
	if err != nil {
		return err
	}

	none := func(i18n.Message) []string { return nil }
	if err := write(filepath.Join(folder, "messages.pot"), i18n.Language{}, messages, none); err != nil {
		return err
	}

	catalogs, err := filepath.Glob(filepath.Join(folder, "*.po"))
	if err != nil {
		return err
	}

	for _, name := range catalogs {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}

		po := gotext.NewPo()
		po.Parse(text)
		l := i18n.Language{Code: strings.TrimSuffix(filepath.Base(name), ".po"), Name: po.GetDomain().Headers.Get("X-Language-Name")}
		missing, translate := 0, i18n.Translations(po)
		err = write(name, l, messages, func(m i18n.Message) []string {
			forms := translate(m)
			if len(forms) == 0 || m.Plural != "" && len(forms) == 1 {
				missing++
				fmt.Printf("%s: %s lacks %q\n", m.Files[0], l.Code, m.Text)
			}
			return forms
		})
		if err != nil {
			return err
		}

		fmt.Printf("%s: %d messages, %d without a translation\n", name, len(messages), missing)
	}

	return nil
}

func write(name string, l i18n.Language, messages []i18n.Message, translate func(i18n.Message) []string) error {
	var b strings.Builder
	if err := i18n.WriteCatalog(&b, l, messages, translate); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
