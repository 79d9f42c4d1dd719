package tui

import (
	"errors"
	"net/url"
	"strings"

	"bincard/tui/i18n"
)

// A Route identifies a screen and its parameters as a string: "explain/OAT-1L@WH-1",
// "movements?sku=OAT-1L&days=7". Navigation, the command line, the saved session and
// saved links all use it.
type Route struct {
	Path   string            // the whole route as written
	Params map[string]string // by the names in the pattern, unescaped
	Query  url.Values        // after the "?"
}

// Param returns the part of the route that the pattern names, or "".
func (r Route) Param(name string) string { return r.Params[name] }

// Path escapes segments and joins them to a route: Path("explain", "A/B@WH-1").
func Path(segments ...string) string {
	escaped := make([]string, len(segments))
	for i, s := range segments {
		escaped[i] = url.PathEscape(s)
	}
	return strings.Join(escaped, "/")
}

// A Factory makes the screen of a route. The parameters are in env.Route and the saved
// work in env.Draft. An error is shown and opens nothing.
type Factory func(env Env) (Screen, error)

// An Entry is a route pattern and the Factory of its screens.
type Entry struct {
	Pattern string // "receive", "receive/{id}", "explain/{balance}"
	Label   string // in the palette, which lists no entry without a label or with parameters
	Factory Factory
	Denied  func(Env) string // why the role may not open it, or ""; may be nil
}

// Shared reports whether operators share the work on the entry's routes, because they
// name a document or a balance. Each operator has a separate form on a route without
// parameters.
func (e Entry) Shared() bool { return strings.Contains(e.Pattern, "{") }

// A Registry finds the Entry of a route. The first entry is home.
type Registry struct {
	Finder  Finder // for the find dialog; none if nil
	entries []Entry
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{} }

// Add adds a factory under a pattern whose segments are words or "{name}".
func (r *Registry) Add(pattern, label string, f Factory) *Registry {
	return r.AddEntry(Entry{Pattern: pattern, Label: label, Factory: f})
}

// AddEntry adds an entry. Where several patterns match a route, the first wins.
func (r *Registry) AddEntry(e Entry) *Registry {
	r.entries = append(r.entries, e)
	return r
}

// Entries returns all entries in the order they were added.
func (r *Registry) Entries() []Entry { return r.entries }

// Home returns the route of the first entry, or "".
func (r *Registry) Home() string {
	if len(r.entries) == 0 {
		return ""
	}
	return r.entries[0].Pattern
}

// Find returns the entry whose pattern matches a path, and the parsed route. The path may
// be one of an earlier version.
func (r *Registry) Find(path string) (Entry, Route, error) {
	path = CurrentRoute(path)
	bare, query, _ := strings.Cut(strings.Trim(path, "/"), "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return Entry{}, Route{}, errors.New(i18n.Textf("invalid query in route %q: %v", path, err))
	}
	for _, e := range r.entries {
		if params, ok := match(e.Pattern, bare); ok {
			return e, Route{Path: path, Params: params, Query: values}, nil
		}
	}

	return Entry{}, Route{}, errors.New(i18n.Textf("unknown screen %q", path))
}

// match returns the parameters of a path that has the form of a pattern.
func match(pattern, path string) (map[string]string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return nil, false
	}

	params := map[string]string{}
	for i, w := range want {
		text, err := url.PathUnescape(have[i])
		if err != nil {
			return nil, false
		}

		switch {
		case strings.HasPrefix(w, "{") && strings.HasSuffix(w, "}"):
			if text == "" {
				return nil, false
			}
			params[w[1:len(w)-1]] = text
		case w != text:
			return nil, false
		}
	}

	return params, true
}
