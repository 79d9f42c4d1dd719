package panel

import (
	"strings"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// FitHeight cuts text to height lines that include the line of the question. A height
// of 0 means no limit.
func FitHeight(text string, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= height || height <= 0 {
		return text
	}

	at := 0
	for i, line := range lines {
		if strings.Contains(line, widget.QuestionMarker) {
			at = i
		}
	}

	top := max(0, min(at-height/2, len(lines)-height))

	return strings.Join(lines[top:top+height], "\n")
}

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

func bold(t widget.Theme, text string) string { return t.Strong.Render(text) }

// Title returns a word with a capital letter.
func Title(word string) string {
	if word == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(first)) + word[size:]
}

// LoadingView renders a screen whose document is loading, or could not be loaded
// because of fault.
func LoadingView(t *i18n.Translator, th widget.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(th.Muted.Render(widget.Clip(t.Get("loading %s…", name), size.Width)), size)
	}

	var lines []string
	for i, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		if i == 0 {
			line = th.Warn(line)
		} else {
			line = "  " + line
		}
		lines = append(lines, line)
	}

	lines = append(lines, "", widget.QuestionMarker+th.Ask(widget.Clip(t.Get("enter to retry"), size.Width-3)))

	return indent(strings.Join(lines, "\n"), size)
}
