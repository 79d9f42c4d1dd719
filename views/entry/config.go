package entry

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/submit"
)

// A Config describes a form.
type Config struct {
	Title  string // "Products › new"
	Short  string // title on small screens: "new product"
	Prompt string // purpose of the form, in one line
	Fields func() []widget.Field
	// StartValues fills the form initially. again is true if it is not the first
	// form of the screen, so parameters of the route no longer apply.
	StartValues func(form *widget.Form, again bool)
	// Name returns a name for what the values describe: "product OAT-1L".
	Name func(values map[string]string) string
	// Needs are what creation needs of the operator's role.
	Needs []tui.Need
	// BuildStep builds the request. A *FieldError is shown at its field.
	BuildStep func(ctx context.Context, values map[string]string) (submit.Step, error)
	// RouteScan returns the field that a scan fills, and its value.
	RouteScan func(form *widget.Form, r count.Label) (field, value string, err error)
	// CheckScan returns what a scanned value is shown as, or an error if it may not be used. It may be
	// nil.
	CheckScan func(ctx context.Context, field, value string) (shown string, err error)
	// Collecting is the field that keeps the focus after a scan, which adds to it.
	Collecting string
	// Reread returns the route of the form with what the service has now besides the values. It
	// is offered when the version has changed; nil if the form has none.
	Reread func(ctx context.Context, values map[string]string) (route string, err error)
	// FieldOf returns the field of a path in the request, or "".
	FieldOf func(path string) string
	// ConflictActions returns the actions that a rejection offers.
	ConflictActions func(e *api.Error) []tui.Action
	// Created describes what was created.
	Created func(res *api.Response) Created
}

// Created is what the form shows after creation.
type Created struct {
	Text    string // "Product OAT-1L created"
	Pairs   []widget.Pair
	Prompt  string       // "Press enter to create a delivery of it"
	Short   string       // Prompt in 18 cells, for small screens
	Actions []tui.Action // next steps, the most likely first; without esc and f3
	// Route, if not empty, is opened instead, with Text as a message.
	Route string
}

// A FieldError is an error in one field.
type FieldError struct {
	Field string
	Short string // beside the field
	Long  string // in place of the question
}

func (f *FieldError) Error() string { return f.Long }

// fieldErrors returns the fields that a rejection names.
func (m *Config) fieldErrors(t *i18n.Translator, e *api.Error) []FieldError {
	var out []FieldError
	add := func(path, short string) {
		if field := m.FieldOf(path); field != "" {
			out = append(out, FieldError{Field: field, Short: short})
		}
	}
	if e.Code == api.AlreadyExists {
		path, _ := e.Details["field"].(string) // empty if only one field can conflict
		short := t.Get("taken")
		if sku, ok := e.Details["sku"].(string); ok {
			short = t.Get("taken by %s", sku)
		}
		add(path, short)
	}

	for _, p := range fieldProblems(e.Details["fields"]) {
		add(p.Path, t.Message(p.Message))
	}

	return out
}

// fieldProblems returns the fields of a rejection, which are typed or decoded JSON.
func fieldProblems(detail any) (list []api.FieldProblem) {
	if same, ok := detail.([]api.FieldProblem); ok {
		return same
	}
	raw, err := json.Marshal(detail)
	if err != nil || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// errorText returns the text of a rejection, with the label of the field instead of
// its path in the request.
func (m *Config) errorText(t *i18n.Translator, e *api.Error, fields []widget.Field) string {
	list := fieldProblems(e.Details["fields"])
	if e.Code != api.ValidationError || len(list) == 0 {
		return submit.UserMessage(t, e)
	}

	name := m.FieldOf(list[0].Path)
	for _, f := range fields {
		if f.Name == name {
			return t.Get("%s: %s. Nothing was saved.", f.Label, t.Message(widget.Clean(list[0].Message)))
		}
	}

	return submit.UserMessage(t, e)
}

// entered is the prefix of the parameters of a route that have values that were entered.
const entered = "entered."

// WithEntered returns the values that were read again, with those that were entered and differ
// from what was read before.
func WithEntered(again, before url.Values, values map[string]string) url.Values {
	for name, value := range values {
		if value != before.Get(name) {
			again.Set(entered+name, value)
		}
	}
	return again
}

// FillRead fills the fields of a form with the values that were read, or with those that were
// entered before; then it shows beside them what was read.
func FillRead(t *i18n.Translator, f *widget.Form, read url.Values) {
	for _, name := range slices.Backward(f.Names()) { // so that the first one that differs gets the focus
		f.Fill(name, read.Get(name))
		now := f.Text(name)
		if !read.Has(entered+name) || read.Get(entered+name) == read.Get(name) {
			continue
		}

		f.Fill(name, read.Get(entered+name))
		if now == "" {
			f.SetProblem(name, t.NewError("is empty now"))
		} else {
			f.SetProblem(name, t.NewError("is %s now", now))
		}
	}
}
