package dock

import (
	"context"
	"encoding/json"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// A Making is how a new document of one product is made by a form. The form
// has a field "product", which a scan fills.
type Making struct {
	Title  string // "Receive › new"
	Ask    string // what the form is for, in one line
	Fields func(ctx context.Context) ([]widget.Field, error)
	// About says what matters of the goods that were found: "204 available"; it
	// may be nil.
	About func(ctx context.Context, goods Goods) (string, error)
	// Step makes the write of the values.
	Step func(values map[string]string, goods Goods) (Step, error)
	// Made tells the route of what was made, and what to say.
	Made func(res *api.Response) (route, toast string)
}

// Make makes the screen of a form for a new document; "?sku=" fills the product.
func Make(site *Site, m Making) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &maker{site: site, making: m, env: env, post: Posting{Site: site}}, nil
	}
}

// making is the draft of a new document.
type makingDraft struct {
	Values map[string]string `json:"values"`
	Step   *Step             `json:"step,omitempty"`
}

func (s *maker) Snapshot() []byte {
	if s.form == nil {
		return s.kept
	}
	values := s.form.Values()
	if s.post.Step == nil && values["product"] == "" && values["quantity"] == "" {
		return nil
	}
	raw, _ := json.Marshal(makingDraft{values, s.post.Step})
	return raw
}

func (s *maker) View(size tui.Size) string {
	t := s.env.Theme
	if s.form == nil {
		return Absent(t, size, wordForm, s.fault)
	}
	ask := s.making.Ask
	if s.post.Step != nil {
		ask = askAgain
	}
	lines := []string{t.Muted.Render(widget.Clip(ask, size.Width-margin(size))), ""}
	if size.Class == tui.Short {
		lines = lines[:0]
	}
	lines = append(lines, strings.Split(s.form.View(t, size.Width-margin(size)), "\n")...)
	if s.goods != nil && !size.Small() {
		lines = append(lines, "", "  "+t.OK(widget.Clean(s.goods.Title()+"   "+s.goods.Pack()+"   "+s.about)))
	}
	return indent(strings.Join(lines, "\n"), size)
}
