package tui

import (
	"cmp"
	"strings"
)

// oldNames has the words that earlier versions used in routes, action IDs, flags and
// commands, each with its present form. Drafts, sessions, settings and scripts still have
// the old ones.
var oldNames = []struct{ old, current string }{
	{"again", "retry"},
	{"arrive", "receive-transfer"},
	{"book", "record"},
	{"dock", "panel"},
	{"insist", "force"},
	{"place", "location"},
	{"places", "locations"},
	{"seats", "sessions-per-operator"},
}

// oldActions has the action IDs of earlier versions that changed in other ways than the
// words above.
var oldActions = map[string]string{
	"adjust.do":     "adjust.record",
	"count.begin":   "count.restart",
	"dock.again":    "panel.retry",
	"dock.giveup":   "panel.discard",
	"dock.insist":   "panel.keep",
	"dock.leave":    "panel.skip",
	"dock.shelf":    "panel.recount",
	"dock.there":    "panel.switch",
	"dock.unfilter": "panel.clear",
	"fulfill.all":   "fulfill.lines",
	"export.begin":  "export.export",
	"home.adjust":   "home.corrections",
	"kit.do":        "kit.record",
	"move.do":       "move.record",
}

// CurrentName returns the present form of a word, such as a flag or a command.
func CurrentName(word string) string {
	for _, n := range oldNames {
		if word == n.old {
			return n.current
		}
	}

	return word
}

// OldName returns the word that earlier versions used in place of a word.
func OldName(word string) string {
	for _, n := range oldNames {
		if word == n.current {
			return n.old
		}
	}

	return word
}

// CurrentRoute returns the present form of a route.
func CurrentRoute(path string) string { return renameRoute(path, CurrentName) }

// OldRoute returns the route that earlier versions used in place of a route.
func OldRoute(path string) string { return renameRoute(path, OldName) }

// renameRoute renames the first segment and the parameters of the query.
func renameRoute(path string, rename func(string) string) string {
	bare, query, hasQuery := strings.Cut(path, "?")
	first, rest, hasRest := strings.Cut(bare, "/")
	path = rename(first)
	if hasRest {
		path += "/" + rest
	}
	if !hasQuery {
		return path
	}

	params := strings.Split(query, "&")
	for i, p := range params {
		if name, value, ok := strings.Cut(p, "="); ok {
			params[i] = rename(name) + "=" + value
		}
	}

	return path + "?" + strings.Join(params, "&")
}

// NewKeymap returns the keymap of settings, which may have action IDs of earlier versions.
// If an action has keys under both of its IDs, those of the present one count.
func NewKeymap(settings map[string][]string) Keymap {
	k := Keymap{}
	for id, keys := range settings {
		parts := strings.Split(id, ".")
		for i, p := range parts {
			if p != "again" && p != "insist" { // words that actions still have
				parts[i] = CurrentName(p)
			}
		}

		current := cmp.Or(oldActions[id], strings.Join(parts, "."))
		if _, both := settings[current]; both && current != id {
			continue
		}

		k[current] = keys
	}

	return k
}
