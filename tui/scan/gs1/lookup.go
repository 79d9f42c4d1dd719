package gs1

import (
	"sort"
	"strings"
)

// Lookup returns the row of an identifier.
func Lookup(ai string) (Identifier, bool) {
	i := sort.Search(len(table), func(i int) bool { return table[i].Last >= ai })
	if i == len(table) || len(table[i].First) != len(ai) || table[i].First > ai {
		return Identifier{}, false
	}
	return table[i], true
}

// leadingIdentifier returns the identifier at the start of a text. If the identifier is unknown, ai
// has as many digits as the identifiers of that range, and ok is false.
func leadingIdentifier(text string) (ai string, id Identifier, ok bool) {
	for n := 2; n <= 4 && n <= len(text); n++ {
		if id, ok := Lookup(text[:n]); ok {
			return text[:n], id, true
		}
	}

	n := min(2, len(text))
	if n == 2 {
		i := sort.Search(len(table), func(i int) bool { return table[i].First >= text[:n] })
		if i < len(table) && strings.HasPrefix(table[i].First, text[:n]) {
			n = min(len(table[i].First), len(text))
		}
	}

	return text[:n], Identifier{}, false
}
