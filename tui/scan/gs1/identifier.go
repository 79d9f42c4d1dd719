package gs1

import (
	"fmt"
	"sort"
	"strings"

	"bincard/tui/i18n"
)

//go:generate go run ./internal/gen $GS1_SYNTAX_DICTIONARY table.go

// Set is a set of characters that a part may contain.
type Set byte

// The sets of the dictionary.
const (
	SetN Set = 'N' // digits
	SetX Set = 'X' // GS1's set of 82: letters, digits and !"%&'()*+,-./:;<=>?_
	SetY Set = 'Y' // GS1's set of 39: capitals, digits and #-/
	SetZ Set = 'Z' // base64 for addresses: letters, digits, - and _
)

// Identifier is a row of GS1's dictionary: an application identifier, or a run of them from First
// to Last that share one format.
type Identifier struct {
	First, Last string
	Title       string
	Predefined  bool       // the first digits determine the length, so no separator follows
	Attribute   bool       // allowed in the query of a Digital Link
	Key         bool       // allowed as the key of a Digital Link
	Qualifiers  [][]string // the alternatives of identifiers that may follow the key in the path, each in order
	Parts       []Part     // of the value, in order
}

// Part is a part of a value. Lengths are in characters.
type Part struct {
	Set      Set
	Min, Max int
	Optional bool // may be missing at the end of the value
	rules    []rule
}

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

// lengths returns the lengths of the shortest and the longest value of an identifier.
func (id Identifier) lengths() (shortest, longest int) {
	for _, p := range id.Parts {
		if !p.Optional {
			shortest += p.Min
		}
		longest += p.Max
	}
	return shortest, longest
}

// check returns the problem of a value, or "". year is the current year, for two-digit years.
func (id Identifier) check(value string, year int) string {
	rest := value
	for _, p := range id.Parts {
		if rest == "" && p.Optional {
			break
		}
		n := min(p.Max, len(rest))
		if n < p.Min {
			return id.lengthMessage(value)
		}
		if message := p.check(rest[:n], year); message != "" {
			return message
		}
		rest = rest[n:]
	}
	if rest != "" {
		return id.lengthMessage(value)
	}
	return ""
}

func (id Identifier) lengthMessage(value string) string {
	shortest, longest := id.lengths()
	allowed := i18n.Textf("%d to %d", shortest, longest)
	if shortest == longest {
		allowed = fmt.Sprint(shortest)
	}
	return i18n.Textf("%q has %d characters, %s takes %v", value, len(value), id.name(), allowed)
}

// name returns the identifier's name for people.
func (id Identifier) name() string {
	if id.Title == "" {
		return "(" + id.First + ")"
	}
	return id.Title
}

func (p Part) check(value string, year int) string {
	if message := p.Set.check(value); message != "" {
		return message
	}
	for _, check := range p.rules {
		if message := check(value, year); message != "" {
			return message
		}
	}
	return ""
}
