package gs1

import (
	"fmt"
	"sort"
	"strings"
)

//go:generate go run ./internal/gen $GS1_SYNTAX_DICTIONARY table.go

// Set names the characters a part may hold.
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
	Predefined  bool       // the first digits tell the length, so no separator follows
	Attribute   bool       // may stand in the query of a Digital Link
	Key         bool       // may be the key of a Digital Link
	Qualifiers  [][]string // what may follow the key in the path: alternatives, each in order
	Parts       []Part     // what the value is made of, in order
}

// Part is a stretch of a value. Lengths are in characters.
type Part struct {
	Set      Set
	Min, Max int
	Optional bool // may be absent when the value ends before it
	rules    []rule
}

// Lookup finds the row of an identifier.
func Lookup(ai string) (Identifier, bool) {
	i := sort.Search(len(table), func(i int) bool { return table[i].Last >= ai })
	if i == len(table) || len(table[i].First) != len(ai) || table[i].First > ai {
		return Identifier{}, false
	}
	return table[i], true
}

// leadingIdentifier finds the identifier a text begins with. When there is none it still names the digits
// that stand where an identifier should, as many as the neighbours of that range have.
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

// lengths gives the shortest and the longest value of an identifier.
func (id Identifier) lengths() (shortest, longest int) {
	for _, p := range id.Parts {
		if !p.Optional {
			shortest += p.Min
		}
		longest += p.Max
	}
	return shortest, longest
}

// check tells what is wrong with a value, or "". Year is the clock's, for two-digit years.
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
	allowed := fmt.Sprintf("%d to %d", shortest, longest)
	if shortest == longest {
		allowed = fmt.Sprint(shortest)
	}
	return fmt.Sprintf("%q has %d characters, %s takes %s", value, len(value), id.name(), allowed)
}

// name is what a person calls the identifier.
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
