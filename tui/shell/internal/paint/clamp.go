package paint

import (
	"strings"

	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

// Clamp makes the lines of any screen fit the terminal: it cuts off what is too wide or
// too tall and removes control sequences other than colors.
func Clamp(lines []string, width, height int) []string {
	if len(lines) > height {
		lines = lines[:height]
	}

	for i, line := range lines {
		line = sanitizeLine(line)
		if ansi.StringWidth(line) > width {
			line = ansi.Truncate(line, width, "")
		}
		if strings.Contains(line, "\x1b") && !strings.HasSuffix(line, "\x1b[0m") {
			line += "\x1b[0m"
		}
		lines[i] = line
	}

	return lines
}

// sanitizeLine keeps color sequences (SGR) and removes all other escape sequences,
// control characters and marks of direction.
func sanitizeLine(line string) string {
	if isSafe(line) {
		return line
	}

	var b strings.Builder
	for len(line) > 0 {
		if n := sgrLength(line); n > 0 {
			b.WriteString(line[:n])
			line = line[n:]
			continue
		}

		next := strings.IndexByte(line[1:], '\x1b') + 1
		if next == 0 {
			next = len(line)
		}

		b.WriteString(widget.Clean(line[:next]))
		line = line[next:]
	}

	return b.String()
}

// isSafe reports whether widget.Clean would not change a line.
func isSafe(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] < 0x20 || line[i] == 0x7f {
			return false
		}
	}

	return widget.Clean(line) == line
}

// sgrLength returns the length of the color sequence that line begins with, or 0.
func sgrLength(line string) int {
	if !strings.HasPrefix(line, "\x1b[") {
		return 0
	}

	for i := 2; i < len(line); i++ {
		switch c := line[i]; {
		case c == 'm':
			return i + 1
		case c >= '0' && c <= '9' || c == ';' || c == ':':
		default:
			return 0
		}
	}

	return 0
}
