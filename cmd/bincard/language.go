package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"bincard/tui/i18n"
)

// english is nil: a nil Translator returns texts in English, which commands print.
var english *i18n.Translator

// messagesDir returns the folder of the company's own message catalogs.
func messagesDir() string { return filepath.Join(xdg.ConfigHome, "bincard", "messages") }

// loadLanguages returns the available languages and notes on problems in the company's
// catalogs.
func loadLanguages() (languages i18n.Languages, notes []string) {
	languages, problems := i18n.Load(messagesDir())
	if old := filepath.Join(xdg.ConfigHome, "bincard", "words.txt"); exists(old) {
		notes = append(notes, i18n.Textf("%s is no longer read. Put its texts in %s (see 'bincard words --help').", old, filepath.Join(messagesDir(), "en.po")))
	}
	for _, p := range problems {
		notes = append(notes, p.String())
	}
	return languages, notes
}

// language returns the language of a session: the operator's, else that of the settings,
// else that of the environment, else English. note reports an unknown language.
func (c config) language(languages i18n.Languages, operator string, environ []string) (l i18n.Language, note string) {
	codes := []string{c.Language}
	for _, o := range c.Operators {
		if o.Name == operator && o.Language != "" {
			codes = []string{o.Language, c.Language}
		}
	}
	for _, code := range codes {
		if code == "" {
			continue
		}
		if l, ok := languages.Find(code); ok {
			return l, note
		}
		note = i18n.Textf("The language %q in config.toml is unknown. Use one of: %s.", code, strings.Join(languages.Codes(), ", "))
	}
	if l, ok := languages.Find(environmentLanguage(environ)); ok {
		return l, note
	}
	return languages[0], note
}

// environmentLanguage returns the locale that the environment sets, in gettext's order of
// precedence.
func environmentLanguage(environ []string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		for _, e := range environ {
			if value, ok := strings.CutPrefix(e, name+"="); ok && value != "" {
				return value
			}
		}
	}
	return ""
}

// wordsCommand prints all messages of the terminal for translation.
func wordsCommand() *cobra.Command {
	var check bool
	var language string
	cmd := &cobra.Command{
		Use:   "words",
		Short: "Print all messages of the terminal for translation",
		Long: `Print all messages of the terminal as a catalog of GNU gettext (PO).

To change messages, put a catalog with the changed ones in the folder messages
beside config.toml: messages/en.po changes English, messages/de.po German, and
messages/fr.po adds French. Keep placeholders such as %s and {pending}; if their
order changes, number them (%[2]s %[1]s). Messages with msgctxt "error" are
errors of the service and the scanner, and words in them. The language of a
terminal is set in its settings; "language" of an operator in config.toml has
precedence.

--check reports the errors in these catalogs; the exit status is 1 if there are
any.`,
		Example: `  bincard words > fr.po
  bincard words --language de | grep -A1 Receive
  bincard words --check`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			languages, notes := loadLanguages()
			if check {
				for _, n := range notes {
					fmt.Fprintln(cmd.OutOrStdout(), n)
				}
				if len(notes) > 0 {
					return fmt.Errorf("%d messages in %s are ignored", len(notes), messagesDir())
				}
				return nil
			}
			if language == "" {
				fmt.Fprint(cmd.OutOrStdout(), i18n.Template())
				return nil
			}
			l, ok := languages.Find(language)
			if !ok {
				return &usageError{fmt.Errorf("unknown language %q: use one of %s", language, strings.Join(languages.Codes(), ", "))}
			}
			return l.Write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "report errors in the company's catalogs")
	cmd.Flags().StringVar(&language, "language", "", "print the messages in a language: "+`"de"`)
	return cmd
}

// translator returns the translator of a session and notes on the settings. changed
// switches to another operator's language.
func (c config) translator(operator string, environ []string) (t *i18n.Translator, changed func(operator string), notes []string) {
	languages, notes := loadLanguages()
	l, note := c.language(languages, operator, environ)
	if note != "" {
		notes = append(notes, note)
	}
	t = i18n.New(l)
	return t, func(operator string) {
		l, _ := c.language(languages, operator, environ)
		t.SetLanguage(l)
	}, notes
}

// A translatedError is an error of the terminal in the operator's language.
type translatedError struct {
	text string
	err  error
}

func (e *translatedError) Error() string { return e.text }
func (e *translatedError) Unwrap() error { return e.err }

// translated returns err in the operator's language, or as it is if that is not possible.
func (c config) translated(err error) error {
	if err == nil {
		return nil
	}
	t, _, _ := c.translator(c.operator(), os.Environ())
	english := errorSentence(err)
	if text := t.Message(english); text != english {
		return &translatedError{text, err}
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func languageCodes() []string {
	languages, _ := loadLanguages()
	return languages.Codes()
}

func knownLanguage(code string) bool {
	languages, _ := loadLanguages()
	_, ok := languages.Find(code)
	return ok
}
