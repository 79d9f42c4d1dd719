package panel

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/submit"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// draft is the saved work of a count panel. It includes the keys of a booking in
// progress, so that the work can continue after a crash.
type draft struct {
	Name       string                  `json:"name,omitempty"` // of the document
	Counts     map[string]count.Count  `json:"counts"`
	Tracking   map[string]api.Tracking `json:"tracking,omitempty"` // learned from rejections, by line
	Current    int                     `json:"at,omitempty"`
	Learned    map[string]string       `json:"learned,omitempty"`
	Feed       []count.FeedEntry       `json:"said,omitempty"`
	Submission *submit.Submission      `json:"plan,omitempty"`
	// Unknown holds the members that a newer version added.
	Unknown jsontext.Value `json:",embed"`
}

// Snapshot returns the draft, or nil if there is nothing to save. Until the document
// is loaded it returns the restored draft.
func (p *CountPanel) Snapshot() []byte {
	d := p.restored
	if d == nil {
		d = p.newDraft()
	}
	if d == nil {
		return nil
	}
	raw, err := json.Marshal(d, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		p.Env.Log.Error("cannot encode draft", "error", err)
		return nil
	}
	return raw
}

func (p *CountPanel) newDraft() *draft {
	d := &draft{Name: p.Document.Name, Counts: map[string]count.Count{}, Current: p.Current, Learned: p.Learned, Submission: p.submission, Unknown: p.draftUnknown}
	for _, l := range p.Lines {
		if !l.Count.Empty() {
			d.Counts[l.Key] = l.Count
		}
		if !l.Item.InCatalog && l.Item.Tracking != "" {
			if d.Tracking == nil {
				d.Tracking = map[string]api.Tracking{}
			}
			d.Tracking[l.Key] = l.Item.Tracking
		}
	}
	if len(d.Counts) == 0 && d.Submission == nil {
		return nil
	}
	d.Feed = p.feed.saved()
	return d
}

func (p *CountPanel) restore(raw []byte) {
	var d draft
	if err := json.Unmarshal(raw, &d, jsontext.AllowInvalidUTF8(true)); err != nil {
		p.Env.Log.Error("cannot decode draft", "route", p.Env.Route.Path, "error", err)
		return
	}
	p.restored = &d
	p.submission, p.draftUnknown = d.Submission, d.Unknown
}

// applyDraft restores the draft to the loaded lines.
func (p *CountPanel) applyDraft() {
	d := p.restored
	if d == nil {
		return
	}
	p.restored = nil
	for _, l := range p.Lines {
		if c, ok := d.Counts[l.Key]; ok {
			l.Count = c
		}
		if t, ok := d.Tracking[l.Key]; ok && !l.Item.InCatalog {
			l.Item.Tracking = t
		}
	}
	p.Current, p.Learned, p.feed.entries, p.submission = d.Current, d.Learned, d.Feed, d.Submission
	if len(d.Feed) > 0 {
		p.Resume(d.Feed[0])
	}
}

// DraftName returns the name of a draft for messages.
func DraftName(t *i18n.Translator, route string, data []byte) string {
	var d draft
	_ = json.Unmarshal(data, &d) // without a name, the route has to do
	return names.DraftShort(t, route, d.Name)
}

// An UnsentDraft summarizes a saved draft.
type UnsentDraft struct {
	Route, Name string
	Pieces      int64
	// Counted is how many of Lines are counted, for a count of a location.
	Counted, Lines int
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
				if u.Pieces += c.Quantity; c.Quantity > 0 || c.None {
					u.Counted++
				}
			}
			u.Lines = stockLines(raw)
		}
		out = append(out, u)
	}
	return out, err
}

// stockLines returns how many lines the draft of a count has; 0 for other drafts.
func stockLines(raw []byte) int {
	var saved struct {
		Stock struct {
			Rows map[string]jsontext.Value `json:"rows"`
		} `json:"stock"`
	}
	if json.Unmarshal(raw, &saved) != nil {
		return 0
	}
	return len(saved.Stock.Rows)
}
