package dock

import (
	"context"
	"encoding/json"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// A NewDocumentForm is how a new document of one product is made by a form. The form
// has a field "product", which a scan fills.
type NewDocumentForm struct {
	Title  string // "Receive › new"
	Prompt string // what the form is for, in one line
	Fields func(ctx context.Context) ([]widget.Field, error)
	// ItemNote says what matters of the goods that were found: "204 available"; it
	// may be nil.
	ItemNote func(ctx context.Context, goods Item) (string, error)
	// BuildStep makes the write of the values.
	BuildStep func(values map[string]string, goods Item) (Step, error)
	// Created tells the route of what was made, and what to say.
	Created func(res *api.Response) (route, toast string)
}

// NewForm makes the screen of a form for a new document; "?sku=" fills the product.
func NewForm(site *Site, m NewDocumentForm) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &newDocumentView{site: site, config: m, env: env, submitter: Submitter{Site: site}}, nil
	}
}

// making is the draft of a new document.
type newDocumentDraft struct {
	Values map[string]string `json:"values"`
	Step   *Step             `json:"step,omitempty"`
}

func (s *newDocumentView) Snapshot() []byte {
	if s.form == nil {
		return s.lastDraft
	}
	values := s.form.Values()
	if s.submitter.Step == nil && values["product"] == "" && values["quantity"] == "" {
		return nil
	}
	raw, _ := json.Marshal(newDocumentDraft{values, s.submitter.Step})
	return raw
}

func (s *newDocumentView) View(size tui.Size) string {
	t := s.env.Theme
	if s.form == nil {
		return LoadingView(s.site.T(), t, size, s.site.T().Get("the form"), s.errText)
	}
	ask := s.config.Prompt
	if s.submitter.Step != nil {
		ask = s.site.T().Get("No answer yet: enter to retry")
	}
	lines := []string{t.Muted.Render(widget.Clip(ask, size.Width-margin(size))), ""}
	if size.Class == tui.Short {
		lines = lines[:0]
	}
	lines = append(lines, strings.Split(s.form.View(t, size.Width-margin(size)), "\n")...)
	if s.item != nil && !size.Small() {
		lines = append(lines, "", "  "+t.OK(widget.Clean(s.item.Title()+"   "+s.item.PackText(s.site.T())+"   "+s.itemNote)))
	}
	return indent(strings.Join(lines, "\n"), size)
}
