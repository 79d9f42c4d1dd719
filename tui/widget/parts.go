package widget

import "strings"

// FitParts breaks a text of parts with " · " between them into at most n lines of width cells. A line ends after
// a part if possible. Parts without room are left out; a part that is begun but does not fit
// ends with "…" after a word.
func FitParts(text string, width, n int) []string {
	type line struct {
		text  string
		whole bool // ends with a part
	}
	var lines []line
	for _, part := range strings.Split(Clean(text), " · ") {
		if last := len(lines) - 1; last >= 0 && Width(lines[last].text+" · "+part) <= width {
			lines[last].text += " · " + part
			continue
		}
		for _, words := range Wrap(part, width) {
			lines = append(lines, line{text: words})
		}
		if len(lines) > 0 {
			lines[len(lines)-1].whole = true
		}
	}

	out := make([]string, 0, n)
	for i, l := range lines[:max(0, min(n, len(lines)))] {
		if i == n-1 && !l.whole {
			l.text = Clip(l.text+"…", width)
		}
		out = append(out, l.text)
	}

	return out
}
