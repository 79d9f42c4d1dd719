package sync

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Edit is the same work with other values, by the names in its form: "quantity",
// "lot" and "serials"; what is not named stays. It may ask the service at site.
func Edit(ctx context.Context, site *dock.Site, w *api.Work, values map[string]string) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, editReplacement{site.T()}, site, w, values)
}

// Record is the adjustment that records what happened, with other values by the
// names in its form: "delta", "state" and "reason".
func Record(ctx context.Context, site *dock.Site, w *api.Work, values map[string]string) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, adjustReplacement{site.T()}, site, w, values)
}

// WorkTitle is what was done, in the words of the warehouse.
func WorkTitle(t *i18n.Translator, w *api.Work) string { return workTitle(t, w) }

func buildReplacement(ctx context.Context, k replacement, site *dock.Site, w *api.Work, values map[string]string) (in api.ReplaceWorkInput, err error) {
	for _, why := range []string{cannotReplace(site.T(), w), k.unavailable(w)} {
		if why != "" {
			return in, errors.New(why)
		}
	}
	form := newForm(site.T(), k, w)
	for name, value := range values {
		if !form.Fill(name, value) {
			return in, errors.New(site.T().Get("%s cannot be %q here", name, value))
		}
	}
	if !form.Validate() {
		asked := form.Prompt()
		return in, errors.New(site.T().Get("%s: %s", asked.Label, asked.Problem))
	}
	in, err = k.build(ctx, site, w, form.Values())
	in.Key = w.Key
	return in, err
}
