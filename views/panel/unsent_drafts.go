package panel

import (
	"bincard/tui"

	"github.com/go-json-experiment/json"
)

// An UnsentDraft summarizes a saved draft.
type UnsentDraft struct {
	Route, Name    string
	Pieces         int64
	AwaitingAnswer bool // a booking was sent and has no answer
}

// UnsentDrafts lists the saved drafts. A draft without a count has no pieces; its name
// is its route.
func UnsentDrafts(drafts tui.Drafts) ([]UnsentDraft, error) {
	routes, err := drafts.Routes()
	var out []UnsentDraft
	for _, route := range routes {
		u := UnsentDraft{Route: route, Name: route}
		raw, ok, err := drafts.Load(route)
		if err != nil || !ok {
			continue // deleted meanwhile, or damaged, which its screen reports
		}
		var d draft
		if json.Unmarshal(raw, &d) == nil && d.Name != "" {
			u.Name = d.Name
			u.AwaitingAnswer = d.Submission != nil && d.Submission.Sent
			for _, c := range d.Counts {
				u.Pieces += c.Quantity
			}
		}
		out = append(out, u)
	}
	return out, err
}
