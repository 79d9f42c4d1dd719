package scan

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// WriteText writes a scan as text: the code and its kind, then the elements, the expiry date and the
// problems.
func WriteText(out io.Writer, s Scan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s", escapeControls(s.Text), s.Kind)
	if s.Symbology != "" {
		fmt.Fprintf(&b, " %s", s.Symbology)
	}

	b.WriteByte('\n')
	for _, e := range s.GS1.Elements {
		fmt.Fprintf(&b, "  %-6s %-26s %s\n", "("+e.AI+")", e.Title, escapeControls(e.Value))
	}
	if m := s.GS1; !m.Expiry.IsZero() {
		fmt.Fprintf(&b, "  expires %s\n", m.Expiry.Format(time.DateOnly))
	}
	for _, p := range s.Problems() {
		fmt.Fprintf(&b, "  problem: %s\n", p)
	}

	_, err := io.WriteString(out, b.String())

	return err
}

// escapeControls quotes text with control characters, so that a code cannot control the terminal.
func escapeControls(s string) string {
	if quoted := strconv.Quote(s); quoted[1:len(quoted)-1] != s {
		return quoted
	}
	return s
}
