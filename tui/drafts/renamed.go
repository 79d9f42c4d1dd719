package drafts

import (
	"slices"

	"bincard/tui"
)

// Renamed returns the drafts of d by their present routes. It finds a draft that an earlier
// version saved under an old route, and replaces it with the next save.
func Renamed(d tui.Drafts) tui.Drafts { return renamed{d} }

type renamed struct{ tui.Drafts }

func (r renamed) Load(route, owner string) (tui.Draft, bool, error) {
	d, ok, err := r.Drafts.Load(route, owner)
	if old := tui.OldRoute(route); err == nil && !ok && old != route {
		d, ok, err = r.Drafts.Load(old, owner)
	}
	d.Route = route
	return d, ok, err
}

func (r renamed) Save(d tui.Draft) error {
	if err := r.Drafts.Save(d); err != nil {
		return err
	}
	return r.discardOld(d.Route, d.Owner)
}

func (r renamed) Discard(route, owner string) error {
	if err := r.Drafts.Discard(route, owner); err != nil {
		return err
	}
	return r.discardOld(route, owner)
}

func (r renamed) discardOld(route, owner string) error {
	if old := tui.OldRoute(route); old != route {
		return r.Drafts.Discard(old, owner)
	}
	return nil
}

// List returns one draft of each route and owner: the one under the present route if there
// are two.
func (r renamed) List() ([]tui.Draft, error) {
	all, err := r.Drafts.List()
	list := make([]tui.Draft, 0, len(all))
	for _, d := range all {
		current := tui.CurrentRoute(d.Route)
		if current != d.Route &&
			slices.ContainsFunc(all, func(o tui.Draft) bool { return o.Route == current && o.Owner == d.Owner }) {
			continue
		}
		d.Route = current
		list = append(list, d)
	}

	sortDrafts(list)

	return list, err
}
