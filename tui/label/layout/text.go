package layout

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"bincard/tui/label/typeface"
)

// smallestText is the height of the smallest line that a text shrinks to, in millimeters.
const smallestText = 1.4

const ellipsis = "…"

// shorten breaks a text into at most n lines of a width, and ends it with an ellipsis if
// it does not fit.
func shorten(text string, width, height, n int, bold bool) []string {
	lines := wrap(text, width, height, bold)
	if len(lines) <= n {
		return lines
	}
	// The last line continues with the next one, so that it is full.
	last := []rune(strings.TrimRight(lines[n-1]+" "+lines[n], " "))
	for len(last) > 0 && typeface.Width(string(last)+ellipsis, height, bold) > width {
		last = last[:len(last)-1]
	}
	return append(lines[:n-1], strings.TrimRight(string(last), " ")+ellipsis)
}

// shrink breaks a text into at most n lines of a width, and lowers their height until it
// fits.
func shrink(text string, width, height, n, perMM int, bold bool) (lines []string, lower int, err error) {
	for ; float64(height) >= smallestText*float64(perMM); height-- {
		if lines = wrap(text, width, height, bold); len(lines) <= n {
			return lines, height, nil
		}
	}
	return nil, 0, errTooLong
}

var errTooLong = errors.New("the text does not fit")

// wrap breaks a text into lines of a width: between words, else before a bracket, else
// anywhere.
func wrap(text string, width, height int, bold bool) (lines []string) {
	fits := func(s string) bool { return typeface.Width(s, height, bold) <= width }
	line := ""
	for _, word := range strings.Fields(text) {
		if joined := strings.TrimLeft(line+" "+word, " "); fits(joined) {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for !fits(word) {
			at := breakAt([]rune(word), fits)
			lines, word = append(lines, string([]rune(word)[:at])), string([]rune(word)[at:])
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakAt returns after how many characters to break a word that does not fit: at least
// one.
func breakAt(word []rune, fits func(string) bool) int {
	most := 1
	for most+1 < len(word) && fits(string(word[:most+1])) {
		most++
	}
	if most == len(word) {
		return most
	}
	for at := most; at > 0; at-- {
		if word[at] == '(' {
			return at
		}
	}
	for most > 1 && unicode.Is(unicode.Mn, word[most]) {
		most--
	}
	return most
}

// place returns the lines of a text element on the page.
func (e *element) placeText(text string, perMM int) ([]Text, error) {
	x, y, width, height := e.dots("x", perMM), e.dots("y", perMM), e.dots("w", perMM), e.dots("h", perMM)
	var lines []string
	if e.fit == "shrink" {
		var err error
		if lines, height, err = shrink(text, width, height, e.lines, perMM, e.bold); err != nil {
			return nil, fmt.Errorf("%w into %g mm: %q", err, e.numbers["w"], text)
		}
	} else {
		lines = shorten(text, width, height, e.lines, e.bold)
	}
	var out []Text
	for i, line := range lines {
		space := max(0, width-typeface.Width(line, height, e.bold))
		left := x
		switch e.align {
		case "center":
			left += space / 2
		case "right":
			left += space
		}
		out = append(out, Text{X: left, Y: y + i*height, Height: height, Bold: e.bold, Text: line})
	}
	return out, nil
}
