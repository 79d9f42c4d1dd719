package config

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"bincard/tui/i18n"
)

// MessagesDir returns the folder of the company's own message catalogs.
func MessagesDir() string { return filepath.Join(xdg.ConfigHome, "bincard", "messages") }

// Languages returns the available languages and notes on problems in the company's
// catalogs.
func Languages() (languages i18n.Languages, notes []string) {
	languages, problems := i18n.Load(MessagesDir())
	if old := filepath.Join(xdg.ConfigHome, "bincard", "words.txt"); exists(old) {
		notes = append(notes, i18n.Textf("%s is no longer read. Put its texts in %s (see 'bincard words --help').", old,
			filepath.Join(MessagesDir(), "en.po")))
	}
	for _, p := range problems {
		notes = append(notes, p.String())
	}

	return languages, notes
}

// SessionLanguage returns the language of a session: the operator's, else that of the settings,
// else that of the environment, else English. note reports an unknown language.
func (c Config) SessionLanguage(
	languages i18n.Languages,
	operator string,
	environ []string,
) (l i18n.Language, note string) {
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
		note = i18n.Textf("The language %q in config.toml is unknown. Use one of: %s.", code,
			strings.Join(languages.Codes(), ", "))
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

// Translator returns the translator of a session and notes on the settings. changed
// switches to another operator's language.
func (c Config) Translator(
	operator string,
	environ []string,
) (t *i18n.Translator, changed func(operator, language string), notes []string) {
	languages, notes := Languages()
	l, note := c.SessionLanguage(languages, operator, environ)
	if note != "" {
		notes = append(notes, note)
	}

	t = i18n.New(l)

	return t, func(operator, language string) {
		c := c
		if language != "" {
			c.Operators = Operators{{Name: operator, Language: language}}
		}
		l, _ := c.SessionLanguage(languages, operator, environ)
		t.SetLanguage(l)
	}, notes
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
