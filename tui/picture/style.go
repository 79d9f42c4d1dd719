package picture

import (
	"fmt"
	"strconv"
	"strings"
)

// style is how cells are painted; an empty colour is the terminal's own.
type style struct {
	foreground, background string
	bold, reverse          bool
}

// after is the style after the parameters of a colour sequence.
func (s style) after(parameters string) style {
	codes := strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		return style{}
	}
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 7:
			s.reverse = true
		case n == 22:
			s.bold = false
		case n == 27:
			s.reverse = false
		case n == 39:
			s.foreground = ""
		case n == 49:
			s.background = ""
		case n >= 30 && n <= 37:
			s.foreground = paletteColor(n - 30)
		case n >= 90 && n <= 97:
			s.foreground = paletteColor(n - 90 + 8)
		case n >= 40 && n <= 47:
			s.background = paletteColor(n - 40)
		case n >= 100 && n <= 107:
			s.background = paletteColor(n - 100 + 8)
		case n == 38 || n == 48:
			colour, used := extendedColor(codes[i+1:])
			if i += used; n == 38 {
				s.foreground = colour
			} else {
				s.background = colour
			}
		}
	}
	return s
}

// extendedColor is a colour of 256, or of three parts, and how many codes tell it.
func extendedColor(codes []string) (colour string, used int) {
	at := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, _ := strconv.Atoi(codes[i])
		return min(max(n, 0), 255)
	}
	switch {
	case len(codes) >= 2 && codes[0] == "5":
		return paletteColor(at(1)), 2
	case len(codes) >= 4 && codes[0] == "2":
		return fmt.Sprintf("#%02x%02x%02x", at(1), at(2), at(3)), 4
	}
	return "", len(codes)
}

// ansiColors are the colours that every terminal names, as xterm paints them.
var ansiColors = [16]string{"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"}

// paletteColor is a colour of the 256: the sixteen, a cube, and greys.
func paletteColor(n int) string {
	switch {
	case n < 16:
		return ansiColors[n]
	case n >= 232:
		v := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
}
