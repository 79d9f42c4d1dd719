// Package widget provides the parts of screens: forms, inputs, lists, feeds, bars and text
// that fits a width.
//
// Form, Input, Question, List and Feed are small models with a View; the rest are functions
// that paint. Widgets depend on no service, shell or clock, and fit any width. A Theme has
// the colors that they paint with, and the glyphs that carry the same meaning without color.
package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells that s takes on the screen, without styles.
func Width(s string) int { return ansi.StringWidth(s) }

// Clip cuts s to at most width cells and marks the cut with "…". It keeps styles.
func Clip(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

// Left clips s to width and pads it with spaces on the right.
func Left(s string, width int) string {
	s = Clip(s, width)
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Right clips s to width and pads it with spaces on the left, as for numbers.
func Right(s string, width int) string {
	s = Clip(s, width)
	return strings.Repeat(" ", max(0, width-Width(s))) + s
}

// Between puts left and right at the two ends of a line of width cells. If both do not fit,
// it clips left.
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

// unbroken and hyphens exchange hyphens for characters at which ansi does not break a line.
var (
	unbroken = strings.NewReplacer("-", "\u2011")
	hyphens  = strings.NewReplacer("\u2011", "-")
)

// Wrap breaks s into lines of at most width cells, at spaces if possible: a code such as
// OAT-1L stays in one piece. It hyphenates a word that is wider than a line.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	return strings.Split(hyphens.Replace(ansi.Wrap(unbroken.Replace(hyphenate(s, width)), width, "")), "\n")
}

// Rule returns a horizontal line of width cells.
func Rule(width int) string { return strings.Repeat("─", max(0, width)) }

// Clean makes text from elsewhere safe to paint on one line. It removes escape sequences,
// control characters and marks that change the writing direction, and replaces line breaks
// and tabs with spaces and invalid UTF-8 with "�".
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

// CleanLines cleans each line of a text.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
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

// isForbidden reports whether r is a control character, a mark of writing direction or an
// invisible filler.
func isForbidden(r rune) bool {
	return unicode.IsControl(r) ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' ||
		r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\ufeff' ||
		r >= '\U000e0000' && r <= '\U000e007f'
}

// Capitalize returns text with its first letter in upper case.
func Capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
