package drafts

import (
	"slices"

	"bincard/tui"
)

// Renamed returns the drafts of d by their present routes. It finds a draft that an earlier
// version saved under an old route, and replaces it with the next save.
func Renamed(d tui.Drafts) tui.Drafts { return renamed{d} }

type renamed struct{ tui.Drafts }

func (r renamed) Load(route string) ([]byte, bool, error) {
	data, ok, err := r.Drafts.Load(route)
	if old := tui.OldRoute(route); err == nil && !ok && old != route {
		return r.Drafts.Load(old)
	}
	return data, ok, err
}

func (r renamed) Save(route string, data []byte) error {
	if err := r.Drafts.Save(route, data); err != nil {
		return err
	}
	return r.discardOld(route)
}

func (r renamed) Discard(route string) error {
	if err := r.Drafts.Discard(route); err != nil {
		return err
	}
	return r.discardOld(route)
}

func (r renamed) discardOld(route string) error {
	if old := tui.OldRoute(route); old != route {
		return r.Drafts.Discard(old)
	}
	return nil
}

func (r renamed) Routes() ([]string, error) {
	routes, err := r.Drafts.Routes()
	for i, route := range routes {
		routes[i] = tui.CurrentRoute(route)
	}
	slices.Sort(routes)
	return slices.Compact(routes), err
}
