package label

import (
	"fmt"
	"strings"
	"unicode"
)

// smallestText is the height of the smallest line that a text shrinks to, in millimeters.
const smallestText = 1.4

const ellipsis = "…"

// wrap breaks a text into lines of a width: between words, else before a bracket, else
// anywhere.
func wrap(text string, width, height int, bold bool) (lines []string) {
	fits := func(s string) bool { return TextWidth(s, height, bold) <= width }
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

// placeText returns the lines of a text element on the page. A text that does not fit has
// lower lines, or ends with an ellipsis.
func (e *element) placeText(text string, perMM int) (out []Text, err error) {
	x, y, width, height := e.dots("x", perMM), e.dots("y", perMM), e.dots("w", perMM), e.dots("h", perMM)
	lines := wrap(text, width, height, e.bold)
	if e.words["fit"] == "shrink" {
		smallest := smallestText * float64(perMM)
		for ; len(lines) > e.lines && float64(height) >= smallest; lines = wrap(text, width, height, e.bold) {
			height--
		}
		if float64(height) < smallest {
			return nil, fmt.Errorf("the text does not fit into %g mm: %q", e.numbers["w"], text)
		}
	}

	if n := e.lines; len(lines) > n {
		// The last line continues with the next one, so that it is full.
		last := []rune(lines[n-1] + " " + lines[n])
		for len(last) > 0 && TextWidth(string(last)+ellipsis, height, e.bold) > width {
			last = last[:len(last)-1]
		}
		lines = append(lines[:n-1], strings.TrimRight(string(last), " ")+ellipsis)
	}

	for i, line := range lines {
		space := max(0, width-TextWidth(line, height, e.bold))
		left := x
		switch e.words["align"] {
		case "center":
			left += space / 2
		case "right":
			left += space
		}

		out = append(out, Text{X: left, Y: y + i*height, Height: height, Bold: e.bold, Text: line})
	}

	return out, nil
}
