package listscreen

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
)

// maxListWidth limits a list without a preview, so that the end of a row is near its start.
const maxListWidth = 150

// previewState is what the preview of the selected row shows beyond the row.
type previewState struct {
	listWidth int    // beside a preview in the last view; 0 if it had no room for one
	key       string // of the row that lots are read for
	lots      PreviewLots
}

// inList reports whether a click in column x is in the list.
func (p *previewState) inList(x int) bool { return p.listWidth == 0 || x < p.listWidth }

// layout divides a size between the list and the preview.
func (p *previewState) layout(size tui.Size) {
	p.listWidth = 0
	if width := PreviewWidth(size); width > 0 {
		p.listWidth = size.Width - width - 3
	}
}

// lotsMsg carries the lots of a row.
type lotsMsg struct {
	key  string
	lots PreviewLots
	err  error
}

// read shows the lots. Without them, the preview shows the rest.
func (p *previewState) read(m lotsMsg) {
	if m.err == nil && m.key == p.key {
		p.lots = m.lots
	}
}

// readPreview reads the lots of the selected row if it changed or the rows were reloaded.
// Only the newest read counts.
func (s *Screen) readPreview(reloaded bool) tea.Cmd {
	row := s.List.Selected()
	if row == nil || s.kind.PreviewLots == nil || s.preview.listWidth == 0 {
		return nil
	}

	key := s.kind.Key(row)
	if key == s.preview.key && !reloaded {
		return nil
	}
	if key != s.preview.key {
		s.preview.key, s.preview.lots = key, nil
	}

	read := s.kind.PreviewLots(row)
	if read == nil {
		return nil
	}

	return s.Latest("preview", func(ctx context.Context) tea.Msg {
		lots, err := read(ctx)
		return lotsMsg{key, lots, err}
	})
}

// Resized reads the lots of the selected row if the new size shows them.
func (s *Screen) Resized() tea.Cmd { return s.readPreview(false) }

// listAndPreview paints the rows, and beside them the selected one if there is room.
func (s *Screen) listAndPreview(t widget.Theme, size tui.Size, height int) string {
	row := s.List.Selected()
	left := s.preview.listWidth
	if row == nil || left == 0 {
		return s.List.View(t, min(maxListWidth, size.Width-margin(size)), height)
	}

	beside := s.previewLines(t, row, size.Width-left-4, height)
	lines := strings.Split(s.List.View(t, left, height), "\n")
	for i := range lines {
		lines[i] = widget.Left(lines[i], left) + " " + t.Muted.Render("│")
		if i < len(beside) {
			lines[i] += " " + beside[i]
		}
	}

	return strings.Join(lines, "\n")
}

// previewLines paints a row, with its draft and the lots that were read for it.
func (s *Screen) previewLines(t widget.Theme, row any, width, height int) []string {
	doc := s.kind.Preview(row)
	doc.Facts = append(doc.Facts, PreviewFact{Label: s.T.Get("draft"), Text: s.marks.of(row), Warn: true})
	if s.kind.Key(row) == s.preview.key {
		doc.SetLots(s.preview.lots)
	}
	return doc.View(s.T, t, width, height)
}
