package label

import (
	"cmp"

	"bincard/tui/scan/gs1"
)

// zplFNC1 is the command for an FNC1 within the data of a Code 128.
const zplFNC1 = ">8"

// escapedCode128 are the characters that are commands within the data.
var escapedCode128 = map[byte]string{'>': ">0", '^': "><", '~': ">="}

// zplCode128 returns the data of a Code 128 in ZPL. It is printable ASCII, with gs1.GS for
// an FNC1 if isGS1 is set. It chooses the sets of characters itself, so that every
// printer draws the same bars: pairs of digits in C, the rest in B.
func zplCode128(data string, isGS1 bool) string {
	out, inC := ">:", countDigits(data) >= 4 || isGS1 && countDigits(data) >= 2
	if inC {
		out = ">;"
	}
	if isGS1 {
		out += zplFNC1
	}

	for data != "" {
		n, taken := countDigits(data), 1
		switch {
		case data[:1] == gs1.GS:
			out += zplFNC1
		case inC && n >= 2:
			out, taken = out+data[:2], 2
		case inC: // change to set B
			out, inC, taken = out+">6", false, 0
		case n >= 4 && n%2 == 0: // change to set C
			out, inC, taken = out+">5", true, 0
		default:
			out += cmp.Or(escapedCode128[data[0]], data[:1])
		}

		data = data[taken:]
	}

	return out
}

// countDigits returns how many digits a text begins with.
func countDigits(text string) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
