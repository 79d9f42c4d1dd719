package sync

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/dock"
)

// Edit is the same work with other values, by the names in its form: "quantity",
// "lot" and "serials"; what is not named stays. It may ask the service at site.
func Edit(ctx context.Context, site *dock.Site, w *api.Work, values map[string]string) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, editReplacement{}, site, w, values)
}

// Record is the adjustment that records what happened, with other values by the
// names in its form: "delta", "state" and "reason".
func Record(ctx context.Context, site *dock.Site, w *api.Work, values map[string]string) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, adjustReplacement{}, site, w, values)
}

// WorkTitle is what was done, in the words of the warehouse.
func WorkTitle(w *api.Work) string { return workTitle(w) }

func buildReplacement(ctx context.Context, k replacement, site *dock.Site, w *api.Work, values map[string]string) (in api.ReplaceWorkInput, err error) {
	for _, why := range []string{cannotReplace(w), k.unavailable(w)} {
		if why != "" {
			return in, errors.New(why)
		}
	}
	form := newForm(k, w)
	for name, value := range values {
		if !form.Fill(name, value) {
			return in, errors.New(sprintf(noSuchField, name, value))
		}
	}
	if !form.Validate() {
		asked := form.Prompt()
		return in, errors.New(sprintf(badField, asked.Label, asked.Problem))
	}
	in, err = k.build(ctx, site, w, form.Values())
	in.Key = w.Key
	return in, err
}
