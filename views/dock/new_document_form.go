package dock

import (
	"context"
	"encoding/json"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// A NewDocumentForm describes a form that creates a document of one product. Its field
// "product" is filled by scans.
type NewDocumentForm struct {
	Title  string // "Receive › new"
	Prompt string // what the form is for, in one line
	Fields func(ctx context.Context) ([]widget.Field, error)
	// ItemNote returns what matters about the item: "204 available"; may be nil.
	ItemNote func(ctx context.Context, item Item) (string, error)
	// BuildStep returns the write for the values.
	BuildStep func(values map[string]string, item Item) (Step, error)
	// Created returns the route of the new document and the message to show.
	Created func(res *api.Response) (route, toast string)
}

// NewForm returns the factory of the form's screen; "?sku=" in the route fills the
// product.
func NewForm(site *Site, m NewDocumentForm) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &newDocumentView{site: site, config: m, env: env, submitter: Submitter{Site: site}}, nil
	}
}

// newDocumentDraft is the draft of a new document.
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
