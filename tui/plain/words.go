package plain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bincard/tui/i18n"
)

// commandWord returns the English word of a command, which may be typed in English or in
// the language of the session; other words are returned as they are, in lower case.
func commandWord(t *i18n.Translator, word string) string {
	for _, w := range []struct{ english, local string }{
		{"help", t.GetC("help", "command")}, {"actions", t.GetC("actions", "command")}, {"where", t.GetC("where", "command")},
		{"more", t.GetC("more", "command")}, {"next", t.GetC("next", "command")}, {"quit", t.GetC("quit", "command")},
		{"exit", t.GetC("exit", "command")}, {"back", t.GetC("back", "command")}, {"home", t.GetC("home", "command")},
		{"find", t.GetC("find", "command")}, {"scan", t.GetC("scan", "command")}, {"yes", yes(t)}, {"no", no(t)},
		{"yes", t.GetC("y", "command")}, {"no", t.GetC("n", "command")}, {"yes", "y"}, {"no", "n"}, {"ok", t.GetC("ok", "command")},
	} {
		if fold(word) == w.english || fold(word) == fold(w.local) {
			return w.english
		}
	}

	return strings.ToLower(word)
}

// screenLine returns a line that begins with a word of the session's language for a screen, with
// the English word, as routes have it.
func screenLine(t *i18n.Translator, text string) string {
	for _, w := range []struct{ english, local string }{ // the longest words first
		{"receive-transfer", t.GetC("receive-transfer", "command")}, {"receive", t.GetC("receive", "command")},
		{"ship", t.GetC("ship", "command")}, {"fulfill", t.GetC("fulfill", "command")},
		{"explain", t.GetC("explain", "command")}, {"stock", t.GetC("stock", "command")},
		{"movements", t.GetC("movements", "command")}, {"reservations", t.GetC("reservations", "command")},
		{"count", t.GetC("count", "command")}, {"sync", t.GetC("sync", "command")},
		{"settings", t.GetC("settings", "command")},
	} {
		if rest, ok := cutWord(text, w.local); ok {
			return strings.TrimSpace(w.english + " " + rest)
		}
	}

	return text
}

// fold returns a text in lower case and without accents, which people leave out when they type.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(text)))
}

// cutWord returns what follows a word, or several, at the start of a text.
func cutWord(text, word string) (rest string, ok bool) {
	for i := range text + " " {
		if (i == len(text) || text[i] == ' ') && word != "" && fold(text[:i]) == fold(word) {
			return strings.TrimSpace(text[i:]), true
		}
	}
	return "", false
}

// actionWord returns the word of the session's language for the last part of an action's ID,
// or "" if its label has to do.
func actionWord(t *i18n.Translator, segment string) string {
	switch segment {
	case "record":
		return t.GetC("record", "command")
	case "undo":
		return t.GetC("undo", "command")
	case "location":
		return t.GetC("location", "command")
	case "committed":
		return t.GetC("committed", "command")
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
