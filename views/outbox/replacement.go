package outbox

import (
	"context"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
)

// A replacement replaces work that is not synced: the same operation with other
// values, or an adjustment.
type replacement interface {
	// unavailable returns why it cannot replace w, or "".
	unavailable(w *api.Work) string
	question() string
	title() string
	// fields returns the fields of the form, which fill fills in.
	fields(w *api.Work) []widget.Field
	fill(f *widget.Form, w *api.Work)
	// build returns the request that replaces w. It may call the service.
	build(ctx context.Context, site *session.Site, w *api.Work, v map[string]string) (api.ReplaceWorkInput, error)
	// describe describes the replacement.
	describe(w *api.Work, v map[string]string) string
}

// A fieldError is an error about one field.
type fieldError struct{ field, text string }

func (e *fieldError) Error() string { return e.text }

// cannotReplace returns why w cannot be replaced, or "".
func cannotReplace(t *i18n.Translator, w *api.Work) string {
	switch {
	case w.State == api.WorkSent:
		return t.Get("It was sent and may be recorded. Wait for the answer, or press F5 to sync now")
	case !isOpen(w):
		return t.Get("It is already resolved")
	}

	return ""
}
