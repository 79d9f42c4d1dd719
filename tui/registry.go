package tui

import (
	"fmt"
	"net/url"
	"strings"
)

// A Route is where one stands, as a string: navigation, the command line, the
// saved session and saved links are the same thing. "explain/OAT-1L@WH-1",
// "movements?sku=OAT-1L&days=7".
type Route struct {
	Path   string            // the whole route as written
	Params map[string]string // by the names in the pattern, unescaped
	Query  url.Values        // what follows "?"
}

// Param is the part of the route that the pattern names, or "".
func (r Route) Param(name string) string { return r.Params[name] }

// Path joins segments to a route; whatever stands in a segment survives:
// Path("explain", "A/B@WH-1").
func Path(segments ...string) string {
	escaped := make([]string, len(segments))
	for i, s := range segments {
		escaped[i] = url.PathEscape(s)
	}
	return strings.Join(escaped, "/")
}

// A Factory makes the screen of a route; env.Route carries the parameters and
// env.Draft the work that was kept. An error is shown and nothing opens.
type Factory func(env Env) (Screen, error)

// An Entry is a route pattern and who makes its screen.
type Entry struct {
	Pattern string // "receive", "receive/{id}", "explain/{balance}"
	Label   string // words for the palette; "" leaves it out, as do parameters
	Factory Factory
	Denied  func(Env) string // why this role may not open it; nil or "" if it may
}

// A Registry knows the screens by route. The first one added is home.
type Registry struct{ entries []Entry }

// NewRegistry makes an empty registry.
func NewRegistry() *Registry { return &Registry{} }

// Add registers a factory under a pattern whose segments are words or "{name}".
func (r *Registry) Add(pattern, label string, f Factory) *Registry {
	return r.AddEntry(Entry{Pattern: pattern, Label: label, Factory: f})
}

// AddEntry registers an entry; where several patterns fit a route, the first wins.
func (r *Registry) AddEntry(e Entry) *Registry {
	r.entries = append(r.entries, e)
	return r
}

// Entries are all entries in the order they were added.
func (r *Registry) Entries() []Entry { return r.entries }

// Home is the route of the first entry, or "".
func (r *Registry) Home() string {
	if len(r.entries) == 0 {
		return ""
	}
	return r.entries[0].Pattern
}

// Find tells who makes the screen of a route. A route nobody knows is an error
// that names it.
func (r *Registry) Find(path string) (Entry, Route, error) {
	bare, query, _ := strings.Cut(strings.Trim(path, "/"), "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return Entry{}, Route{}, fmt.Errorf("invalid query in route %q: %w", path, err)
	}
	for _, e := range r.entries {
		if params, ok := match(e.Pattern, bare); ok {
			return e, Route{Path: path, Params: params, Query: values}, nil
		}
	}
	return Entry{}, Route{}, fmt.Errorf("unknown screen %q", path)
}

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
