package panel

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// LoadingView renders a screen whose document is loading, or could not be loaded
// because of fault.
func LoadingView(t *i18n.Translator, th theme.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(th.Muted.Render(widget.Clip(t.Get("loading %s…", name), size.Width)), size)
	}
	var lines []string
	for _, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		lines = append(lines, th.Warn(line))
	}
	lines = append(lines, "", widget.QuestionMarker+th.Ask(widget.Clip(t.Get("enter to retry"), size.Width-3)))
	return indent(strings.Join(lines, "\n"), size)
}
