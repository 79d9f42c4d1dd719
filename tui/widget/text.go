// Package widget paints the parts every screen is made of: rows, pairs, bars,
// questions, forms. Widgets are pure renderers or small models; they know no
// service, no shell and no clock, and they fit any width they are given.
package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells s takes on the screen, styles not counted.
func Width(s string) int { return ansi.StringWidth(s) }

// Clip cuts s to at most width cells; what is cut ends in "…". Styles survive.
func Clip(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

// Left clips s to width and fills it with spaces on the right.
func Left(s string, width int) string {
	s = Clip(s, width)
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Right clips s to width and fills it with spaces on the left, as numbers stand.
func Right(s string, width int) string {
	s = Clip(s, width)
	return strings.Repeat(" ", max(0, width-Width(s))) + s
}

// Between puts left and right at the two ends of a line of width cells.
// Where both do not fit, left is clipped: what stands right stays.
func Between(left, right string, width int) string {
	right = Clip(right, width)
	room := width - Width(right)
	if right != "" && room > 0 {
		room--
	}
	if right == "" {
		return Left(left, width)
	}
	return Left(left, room) + strings.Repeat(" ", max(0, width-Width(right)-room)) + right
}

// Wrap breaks s into lines of at most width cells, at spaces where it can.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}

// Rule is a horizontal line of width cells.
func Rule(width int) string { return strings.Repeat("─", max(0, width)) }

// Clean makes text that came from elsewhere safe to paint on one line: escape
// sequences, control characters and marks that turn the writing direction are
// taken out, line breaks and tabs become spaces, broken UTF-8 becomes "�".
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	s = ansi.Strip(strings.ToValidUTF8(s, "�"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case isForbidden(r):
			return -1
		}
		return r
	}, s)
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return utf8.ValidString(s) && strings.IndexFunc(s, isUnpaintable) < 0
		}
	}
	return true
}

func isUnpaintable(r rune) bool { return r == '\u2028' || r == '\u2029' || isForbidden(r) }

// isForbidden tells control characters, marks of direction and invisible fillers.
func isForbidden(r rune) bool {
	return unicode.IsControl(r) ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' ||
		r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\ufeff' ||
		r >= '\U000e0000' && r <= '\U000e007f'
}
