package dock

import (
	"strings"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/theme"
)

func margin(size tui.Size) int {
	if size.Small() {
		return 0
	}
	return 1
}

func indent(text string, size tui.Size) string {
	if size.Small() {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines, "\n")
}

func bold(t theme.Theme, text string) string { return t.Strong.Render(text) }

func title(word string) string {
	if word == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(first)) + word[size:]
}

// doneWord returns PastVerb, or "booked" if it is empty.
func (p *CountPanel) doneWord() string {
	if p.PastVerb != "" {
		return p.PastVerb
	}
	return p.T().Get("booked")
}
