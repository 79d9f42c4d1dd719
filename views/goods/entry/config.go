package entry

import (
	"context"
	"encoding/json"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// A Config says what a form makes.
type Config struct {
	Title  string // "Products › new"
	Short  string // the title on small screens: "new product"
	Prompt string // what the form is for, in one line
	Fields func() []widget.Field
	// StartValues fills the form at first; again tells that it is not the first one of
	// the screen, so that what the route says is used up.
	StartValues func(form *widget.Form, again bool)
	// Name is what people call the thing that these values make: "product OAT-1L".
	Name func(values map[string]string) string
	// BuildStep makes the write of the values; a *Fault is shown at its field.
	BuildStep func(values map[string]string) (dock.Step, error)
	// RouteScan tells which field a scan fills, and with what.
	RouteScan func(form *widget.Form, r dock.Label) (field, value string, err error)
	// CheckUnused asks whether a scanned value may be used: an error is told and nothing
	// is filled. It may be nil.
	CheckUnused func(ctx context.Context, field, value string) error
	// FieldOf is the field that a path of the request belongs to, or "".
	FieldOf func(path string) string
	// ConflictActions is what can be done about a refusal, beside typing something else.
	ConflictActions func(e *api.Error) []tui.Action
	// Created tells of what was made.
	Created func(res *api.Response) Created
}

// Created is what the form shows when the thing is made.
type Created struct {
	Text    string // "Product OAT-1L created"
	Pairs   []widget.Pair
	Prompt  string       // "Press enter to create a delivery of it"
	Short   string       // the same in 18 cells, for small screens
	Actions []tui.Action // what comes next, the most wanted first; without esc and f3
}

// A FieldError is what is wrong with one field.
type FieldError struct {
	Field string
	Short string // beside the field
	Long  string // in place of the question
}

func (f *FieldError) Error() string { return f.Long }

// fieldErrors are the fields that a refusal names, the first one first.
func (m *Config) fieldErrors(t *i18n.Translator, e *api.Error) []FieldError {
	var out []FieldError
	add := func(path, short string) {
		if field := m.FieldOf(path); field != "" {
			out = append(out, FieldError{Field: field, Short: short})
		}
	}
	if e.Code == api.AlreadyExists {
		path, _ := e.Details["field"].(string) // none where there is only one that can be taken
		short := t.Get("taken")
		if sku, ok := e.Details["sku"].(string); ok {
			short = t.Get("taken by %s", sku)
		}
		add(path, short)
	}
	for _, p := range fieldProblems(e.Details["fields"]) {
		add(p.Path, p.Message)
	}
	return out
}

// fieldProblems reads the fields of a refusal, which came as they are or as JSON.
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

// errorText are a refusal as it is told: the words of the fields rather than of
// the request.
func (m *Config) errorText(t *i18n.Translator, e *api.Error, fields []widget.Field) string {
	list := fieldProblems(e.Details["fields"])
	if e.Code != api.ValidationError || len(list) == 0 {
		return dock.UserMessage(t, e)
	}
	name := m.FieldOf(list[0].Path)
	for _, f := range fields {
		if f.Name == name {
			return t.Get("%s: %s. Nothing was saved.", f.Label, widget.Clean(list[0].Message))
		}
	}
	return dock.UserMessage(t, e)
}
