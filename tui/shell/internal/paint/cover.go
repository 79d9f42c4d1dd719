package paint

import (
	"slices"
	"strings"

	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

// TakeMarker removes the markers and returns the line of the question, or -1. keep is the number
// of its lines if it is a field.
func TakeMarker(lines []string) (clean []string, at, keep int) {
	at = -1
	for i, line := range lines {
		if strings.Contains(line, widget.QuestionMarker) {
			at, keep = i, 0
		}
		if strings.Contains(line, widget.FieldMarker) && at >= 0 {
			keep = i + 1 - at
		}
		lines[i] = markers.Replace(line)
	}

	return lines, at, keep
}

var markers = strings.NewReplacer(widget.QuestionMarker, "", widget.FieldMarker, "")

// Fill cuts or extends lines to exactly n.
func Fill(lines []string, n int) []string {
	if len(lines) > n {
		return lines[:n]
	}
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines
}

// Cover replaces line at with the lines over, or puts them below the keep lines there. It removes
// empty lines below first, then lines at the end, so that the results of scans stay visible. If
// there is no such line or not enough room, it replaces the last lines, or removes the first ones
// if any are to be kept. The lines over are from from to to.
func Cover(lines, over []string, at, keep int) (out []string, from, to int) {
	height := len(lines)
	if len(over) > height {
		over = over[:height]
	}
	if keep > 0 {
		at += keep
		lines = slices.Insert(slices.Clone(lines), at, "")
		removed := max(0, at+len(over)-height)
		lines, at = lines[removed:], at-removed
	}
	if at < 0 || at+len(over) > height {
		at = height - len(over)
		copy(lines[at:], over)
		return lines, at, height
	}

	rest := lines[at+1:]
	for need := len(over) - 1; need > 0 && len(rest) > 0 && blank(rest[0]); need-- {
		rest = rest[1:]
	}

	out = append(append(slices.Clone(lines[:at]), over...), rest...)

	return Fill(out, height), at, at + len(over)
}

func blank(line string) bool { return strings.TrimSpace(ansi.Strip(line)) == "" }
