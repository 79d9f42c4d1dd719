package plain

import (
	"strings"

	"bincard/tui/i18n"
)

// commandWord returns the English word of a command, which may be typed in English or in
// the language of the session; other words are returned as they are, in lower case.
func commandWord(t *i18n.Translator, word string) string {
	word = strings.ToLower(word)
	for _, w := range []struct{ english, local string }{
		{"help", t.GetC("help", "command")}, {"actions", t.GetC("actions", "command")}, {"where", t.GetC("where", "command")},
		{"more", t.GetC("more", "command")}, {"next", t.GetC("next", "command")}, {"quit", t.GetC("quit", "command")},
		{"exit", t.GetC("exit", "command")}, {"back", t.GetC("back", "command")}, {"home", t.GetC("home", "command")},
		{"find", t.GetC("find", "command")}, {"scan", t.GetC("scan", "command")}, {"yes", yes(t)}, {"no", no(t)},
		{"yes", t.GetC("y", "command")}, {"no", t.GetC("n", "command")}, {"yes", "y"}, {"no", "n"}, {"ok", t.GetC("ok", "command")},
	} {
		if word == w.english || word == strings.ToLower(w.local) {
			return w.english
		}
	}

	return word
}

// actionWord returns the word of the session's language for the last part of an action's ID,
// or "" if its label has to do.
func actionWord(t *i18n.Translator, segment string) string {
	switch segment {
	case "record":
		return t.GetC("record", "command")
	case "undo":
		return t.GetC("undo", "command")
	}

	return ""
}

func yes(t *i18n.Translator) string { return t.GetC("yes", "command") }
func no(t *i18n.Translator) string  { return t.GetC("no", "command") }

// symbolWords returns a replacer that writes the symbols of screens as words or ASCII.
func symbolWords(t *i18n.Translator) *strings.Replacer {
	return strings.NewReplacer("✓", "ok", "Σ", t.GetC("sum", "symbol"), "≠", t.GetC("is not", "symbol"), "×", "x", "›",
		">", "…", "...", "○ ", "", "○", t.GetC("waits", "symbol"), "▸", "", "·", "-", "←", t.GetC("left", "symbol"),
		"→", t.GetC("to", "symbol"), "↑", t.GetC("up", "symbol"), "↓", t.GetC("down", "symbol"))
}
