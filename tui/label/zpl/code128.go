package zpl

import (
	"strings"

	"bincard/tui/scan/gs1"
)

// The commands within the data of a Code 128.
const (
	startB  = ">:"
	startC  = ">;"
	codeC   = ">5"
	codeB   = ">6"
	fnc1    = ">8"
	greater = ">0"
	caret   = "><"
	tilde   = ">="
)

// code128 returns the data of a Code 128 in ZPL. It is printable ASCII, with gs1.GS for
// an FNC1 if isGS1 is set. It chooses the sets of characters itself, so that every
// printer draws the same bars: pairs of digits in C, the rest in B.
func code128(data string, isGS1 bool) string {
	var b strings.Builder
	inC := digits(data) >= 4 || isGS1 && digits(data) >= 2
	if inC {
		b.WriteString(startC)
	} else {
		b.WriteString(startB)
	}
	if isGS1 {
		b.WriteString(fnc1)
	}
	for data != "" {
		n := digits(data)
		switch {
		case data[:1] == gs1.GS:
			b.WriteString(fnc1)
			data = data[1:]
		case inC && n >= 2:
			b.WriteString(data[:2])
			data = data[2:]
		case inC:
			b.WriteString(codeB)
			inC = false
		case n >= 4 && n%2 == 0:
			b.WriteString(codeC)
			inC = true
		default:
			b.WriteString(escaped(data[0]))
			data = data[1:]
		}
	}
	return b.String()
}

// escaped returns a character in set B.
func escaped(x byte) string {
	switch x {
	case '>':
		return greater
	case '^':
		return caret
	case '~':
		return tilde
	}
	return string(x)
}

// digits returns how many digits a text begins with.
func digits(text string) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
