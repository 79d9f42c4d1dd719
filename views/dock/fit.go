package dock

import (
	"strings"

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
