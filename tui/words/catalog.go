// Package words is the one table of all that the terminal says, so that a
// warehouse can have it in its own language.
//
// Each package keeps its words in a file words.go: variables of the English
// text, used where they are said. Its words_table.go, made from that file by
//
//	//go:generate go run bincard/tui/words/gen
//
// hands them to this package under keys such as "inbounds.askList". A file of
// lines "key = text" then replaces those that differ, once, before the first
// screen opens.
package words

import (
	"cmp"
	"slices"
	"sync"
)

// An Entry is one text of a table: its name and where it stands.
type Entry struct {
	Name string
	Text *string
}

// A Line is one text by its key: "inbounds.askList".
type Line struct{ Key, Text string }

// word is a registered text.
type word struct {
	english string
	set     func(text string)
	get     func() string
}

var catalog = struct {
	sync.Mutex
	areas []string
	keys  map[string][]string // by area, in the order of the table
	words map[string]word
}{keys: map[string][]string{}, words: map[string]word{}}

// Add makes the texts of an area known, in the order given.
func Add(area string, entries ...Entry) {
	for _, e := range entries {
		register(area, e.Name, word{english: *e.Text, get: func() string { return *e.Text }, set: func(s string) { *e.Text = s }})
	}
}

// AddMap makes the texts of a map known, by their keys.
func AddMap[K ~string](area string, table map[K]string) {
	names := make([]K, 0, len(table))
	for k := range table {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b K) int { return cmp.Compare(a, b) })
	for _, k := range names {
		register(area, string(k), word{english: table[k], get: func() string { return table[k] }, set: func(s string) { table[k] = s }})
	}
}

func register(area, name string, w word) {
	catalog.Lock()
	defer catalog.Unlock()
	key := area + "." + name
	if _, twice := catalog.words[key]; twice {
		panic("words: " + key + " stands in two tables")
	}
	if len(catalog.keys[area]) == 0 {
		catalog.areas = append(catalog.areas, area)
	}
	catalog.keys[area] = append(catalog.keys[area], key)
	catalog.words[key] = w
}

// All are the texts as they are said now, area by area.
func All() []Line {
	catalog.Lock()
	defer catalog.Unlock()
	areas := slices.Sorted(slices.Values(catalog.areas))
	var out []Line
	for _, area := range areas {
		for _, key := range catalog.keys[area] {
			out = append(out, Line{Key: key, Text: catalog.words[key].get()})
		}
	}
	return out
}

// Use says the lines instead of what was said before. It is called once, before
// the first screen opens, as screens read their words without a lock. A line
// that cannot be used is told and left in English.
func Use(lines []Line) (problems []Problem) {
	catalog.Lock()
	defer catalog.Unlock()
	for _, l := range lines {
		w, known := catalog.words[l.Key]
		if !known {
			problems = append(problems, Problem{Key: l.Key, Text: l.Key + ": unknown key" + suggestKey(l.Key)})
			continue
		}
		if fault := mismatch(w.english, l.Text); fault != "" {
			problems = append(problems, Problem{Key: l.Key, Text: l.Key + ": " + fault})
			continue
		}
		w.set(l.Text)
	}
	return problems
}
