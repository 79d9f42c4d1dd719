package outbox

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Edit returns the request that replaces w with the same operation and other values,
// named as in its form: "quantity", "lot" and "serials". Values that are not named
// stay. It may call the service.
func Edit(
	ctx context.Context,
	site *session.Site,
	w *api.Work,
	values map[string]string,
) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, editReplacement{site.T()}, site, w, values)
}

// Record returns the request that replaces w with an adjustment that records what
// happened. Values are named as in its form: "delta", "state" and "reason".
func Record(
	ctx context.Context,
	site *session.Site,
	w *api.Work,
	values map[string]string,
) (api.ReplaceWorkInput, error) {
	return buildReplacement(ctx, adjustReplacement{site.T()}, site, w, values)
}

// WorkTitle describes what was done: "receive 48 × OAT-1L on PO-2026-118".
func WorkTitle(t *i18n.Translator, w *api.Work) string { return workTitle(t, w) }

func buildReplacement(
	ctx context.Context,
	k replacement,
	site *session.Site,
	w *api.Work,
	values map[string]string,
) (in api.ReplaceWorkInput, err error) {
	for _, why := range []string{cannotReplace(site.T(), w), k.unavailable(w)} {
		if why != "" {
			return in, errors.New(why)
		}
	}

	form := newForm(site.T(), k, w)
	for name, value := range values {
		if !form.Fill(name, value) {
			return in, site.T().NewError("%s cannot be %q here", name, value)
		}
	}

	if !form.Validate() {
		asked := form.Prompt()
		return in, site.T().NewError("%s: %s", asked.Label, asked.Problem)
	}

	in, err = k.build(ctx, site, w, form.Values())
	in.Key = w.Key

	return in, err
}
