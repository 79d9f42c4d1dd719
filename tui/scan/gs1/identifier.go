package gs1

import (
	"fmt"

	"bincard/tui/i18n"
)

//go:generate go run ./internal/gen $GS1_SYNTAX_DICTIONARY table.go

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
