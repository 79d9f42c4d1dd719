package main

import (
	"fmt"
	"strconv"
	"strings"
)

// svgStyle is how cells are painted. An empty color is the terminal's own.
type svgStyle struct {
	foreground, background string
	bold, reverse          bool
}

// after returns the style after an SGR sequence with these parameters.
func (s svgStyle) after(parameters string) svgStyle {
	codes := strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		return svgStyle{}
	}

	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			s = svgStyle{}
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
			color, used := extendedColor(codes[i+1:])
			if i += used; n == 38 {
				s.foreground = color
			} else {
				s.background = color
			}
		}
	}

	return s
}

// extendedColor returns a color of the 256-color palette (5;n) or an RGB color (2;r;g;b)
// and the number of codes that it consists of.
func extendedColor(codes []string) (color string, used int) {
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

// ansiColors are the 16 ANSI colors in xterm's shades.
var ansiColors = [16]string{"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"}

// paletteColor returns color n of the 256-color palette: 16 ANSI colors, a 6x6x6 cube and
// grays.
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
