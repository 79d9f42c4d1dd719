package scan

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui/i18n"
)

// paste makes a scan of each line of a paste. Repeated lines count: a batch scanner that sends its
// memory counts pieces that way.
func (c *Collector) paste(characters []rune, now time.Time) {
	raw := string(characters)
	lines := strings.FieldsFunc(raw, func(r rune) bool { return r == '\r' || r == '\n' })
	c.ended, c.terminator = now, noTerminator
	if strings.HasSuffix(raw, "\n") || strings.HasSuffix(raw, "\r") {
		c.terminator = tea.KeyEnter
	}

	switch {
	case c.isRepeat(raw, now, now):
		return
	case len(characters) > maxCharacters:
		c.refuse(raw, i18n.Textf("the paste has %d characters, a scan has at most %d", len(characters), maxCharacters),
			now, true)
		return
	case len(lines) > maxLines:
		c.refuse(raw, i18n.Textf("the paste has %d lines, at most %d codes are accepted at once", len(lines), maxLines),
			now, true)
		return
	}

	for _, line := range lines {
		if line = strings.Trim(line, framing); strings.TrimSpace(line) != "" {
			c.emit(line, now, true, len(lines) == 1 && c.terminator == noTerminator)
		}
	}
}
