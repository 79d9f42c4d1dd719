package shell

import (
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/widget"
)

// savedWork is what operators have on disk: their drafts, and the routes they left.
type savedWork struct {
	opts     *Options
	operator string              // who signed in last, even if signed out
	started  bool                // the routes of the options were opened
	left     map[string][]string // the routes that each operator left, by name
	session  string              // the contents of the session file
}

// signsIn reports whether operators sign in at all.
func (w *savedWork) signsIn() bool { return len(w.opts.Login.People()) > 0 }

// list returns the saved drafts of a route, or all if it is "".
func (w *savedWork) list(route string) []tui.Draft {
	list, err := w.opts.Drafts.List()
	if err != nil {
		w.opts.Log.Error("cannot list drafts", "error", err)
	}
	return slices.DeleteFunc(list, func(d tui.Draft) bool { return route != "" && d.Route != route })
}

// load returns the operator's draft of a route.
func (w *savedWork) load(route string) (d tui.Draft, ok bool, err error) {
	return w.opts.Drafts.Load(route, w.operator)
}

// claim finds the draft for the operator's screen of a route. A draft that belongs to
// nobody becomes the operator's. If another operator has it, asks is true: the operator
// may take it over. That is so for the draft of an owner whom the operator chose, and for
// work that operators share, but not if the operator has a draft of the route too.
func (w *savedWork) claim(entry tui.Entry, route, owner string) (d tui.Draft, asks bool, err error) {
	if owner != "" && owner != w.operator {
		if d, asks, err = w.opts.Drafts.Load(route, owner); !asks || err != nil {
			return d, false, err
		}
	} else {
		if _, own, err := w.load(route); own || err != nil {
			return d, false, nil // the screen reports a damaged draft
		}
		others := w.list(route)
		if len(others) == 0 {
			return d, false, nil
		}
		d, asks = others[0], entry.Shared()
	}

	if d.Owner == "" || !w.signsIn() {
		return d, false, w.assign(d, d.From)
	}

	return d, asks, nil
}

// assign makes a draft the operator's.
func (w *savedWork) assign(d tui.Draft, from string) error {
	before := d.Owner
	d.Owner, d.From = w.operator, from
	if err := w.opts.Drafts.Save(d); err != nil {
		return err
	}
	return w.opts.Drafts.Discard(d.Route, before)
}

// takeOver makes a draft of another operator the operator's, or says why it cannot.
func (w *savedWork) takeOver(d tui.Draft) (problem string) {
	t := w.opts.Translator
	d, ok, err := w.opts.Drafts.Load(d.Route, d.Owner)
	if err == nil && ok {
		if _, own, _ := w.load(d.Route); own {
			return t.Get("You have an unsent draft of your own: %s. Finish it first.", w.subject(d))
		}
		err = w.assign(d, d.Owner)
	}

	if err != nil {
		return t.Get("Cannot open the draft: %v", err)
	}

	return ""
}

// takeOverQuestion asks whether to take over a draft of another operator.
func (w *savedWork) takeOverQuestion(d tui.Draft) string {
	t, owner := w.opts.Translator, widget.Clean(d.Owner)
	if w.opts.DraftPieces != nil {
		if n := w.opts.DraftPieces(d); n > 0 {
			return t.Get("%s has counted %s here. Take it over?", owner, t.Count(n))
		}
	}

	return t.Get("%s has an unsent draft: %s. Take it over?", owner, w.subject(d))
}

// name names a draft, with its owner if that is another operator.
func (w *savedWork) name(d tui.Draft) string {
	name := w.subject(d)
	if d.Owner != "" && d.Owner != w.operator {
		name += " (" + widget.Clean(d.Owner) + ")"
	}
	return name
}

// subject names what a draft is about.
func (w *savedWork) subject(d tui.Draft) string {
	if w.opts.DraftName == nil {
		return widget.Clean(d.Route[strings.LastIndexByte(d.Route, '/')+1:])
	}
	return widget.Clean(w.opts.DraftName(w.opts.Translator, d))
}

// unsent says which drafts are saved, also those of screens that are not open, or returns "".
func (w *savedWork) unsent() string {
	t := w.opts.Translator
	var names []string
	for _, d := range w.list("") {
		names = append(names, w.name(d))
	}

	switch len(names) {
	case 0:
		return ""
	case 1:
		return t.Get("An unsent draft is saved: %s. Quit?", names[0])
	}

	return t.Get("%d unsent drafts are saved: %s. Quit?", len(names), strings.Join(names, ", "))
}

// routes returns the routes to open: those of the options, or that the operator left, here
// or in an earlier session. The first one is home, which is all that is open until somebody
// has signed in.
func (w *savedWork) routes() []string {
	home := w.opts.Registry.Home()
	if w.signsIn() && w.operator == "" {
		return []string{home}
	}

	routes := w.opts.Start
	if w.started || len(routes) == 0 {
		routes = nil
		for _, route := range w.leftRoutes() {
			if w.canReopen(route) {
				routes = append(routes, route)
			}
		}
	}

	w.started = true
	if len(routes) == 0 || routes[0] != home {
		routes = append([]string{home}, routes...)
	}

	return routes
}

// leftRoutes returns the routes that the operator left.
func (w *savedWork) leftRoutes() []string {
	if routes := w.left[w.operator]; len(routes) > 0 || !w.opts.Restore || w.opts.Session == "" {
		return routes
	}

	raw, err := os.ReadFile(w.file())
	if errors.Is(err, os.ErrNotExist) && !w.started && w.operator == w.opts.Login.Current {
		raw, err = os.ReadFile(w.opts.Session) // of an earlier version
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.opts.Log.Warn("session not restored", "error", err)
	}

	return strings.Split(string(raw), "\n")
}

// canReopen reports whether a route is known and nobody took over the work on it.
func (w *savedWork) canReopen(path string) bool {
	entry, route, err := w.opts.Registry.Find(path)
	if path == "" || err != nil || !entry.Shared() || !w.signsIn() {
		return path != "" && err == nil
	}
	others := w.list(route.Path)
	return len(others) == 0 ||
		slices.ContainsFunc(others, func(d tui.Draft) bool { return d.Owner == "" || d.Owner == w.operator })
}

// file returns the file with the operator's open routes.
func (w *savedWork) file() string {
	if w.operator == "" {
		return w.opts.Session
	}
	return w.opts.Session + "@" + url.PathEscape(w.operator)
}

// saveRoutes writes the operator's open routes to the session file, one per line.
func (w *savedWork) saveRoutes(routes []string) {
	text := strings.Join(routes, "\n")
	if w.opts.Session == "" || text == w.session || w.signsIn() && w.operator == "" {
		return
	}
	if err := drafts.WriteFile(w.file(), []byte(text)); err != nil {
		w.opts.Log.Warn("session not saved", "error", err)
		return
	}

	w.session = text
}
