package widget

import (
	"strings"
)

// Feed is the log of scan results, the newest first. Equal lines are not merged: each line
// is one scan.
type Feed struct {
	Max   int // the most lines; 50 if 0
	lines []feedLine
}

type feedLine struct {
	glyph string
	cells []string
}

// OK adds an accepted line. View paints its cells in columns.
func (f *Feed) OK(cells ...string) { f.add(GlyphOK, cells) }

// Unconfirmed adds a line for a result that is not confirmed yet.
func (f *Feed) Unconfirmed(cells ...string) { f.add(GlyphUnconfirmed, cells) }

// Refused adds a refused line.
func (f *Feed) Refused(cells ...string) { f.add(GlyphRefused, cells) }

func (f *Feed) add(glyph string, cells []string) {
	limit := f.Max
	if limit == 0 {
		limit = 50
	}

	clean := make([]string, len(cells))
	for i, c := range cells {
		clean[i] = Clean(c)
	}

	f.lines = append([]feedLine{{glyph, clean}}, f.lines...)
	f.lines = f.lines[:min(limit, len(f.lines))]
}

// Len returns the number of lines.
func (f *Feed) Len() int { return len(f.lines) }

// Clear removes all lines.
func (f *Feed) Clear() { f.lines = nil }

// View paints the newest lines that fit, in columns.
func (f *Feed) View(t Theme, width, height int) string {
	shown := f.lines[:max(0, min(height, len(f.lines)))]
	var widths []int
	for _, l := range shown {
		for i, c := range l.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(c))
		}
	}

	gap := "   "
	if width < 60 {
		gap = " "
	}

	out := make([]string, len(shown))
	for i, l := range shown {
		var cells []string
		for j, c := range l.cells {
			cells = append(cells, Left(c, widths[j]))
		}

		text := Clip(strings.TrimRight(strings.Join(cells, gap), " "), width-2)
		switch l.glyph {
		case GlyphOK:
			out[i] = t.OK(text)
		case GlyphRefused:
			out[i] = t.Refused(text)
		default:
			out[i] = t.Unconfirmed(text)
		}
	}

	return strings.Join(out, "\n")
}
