package dock

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/tui"
)

// draft is the work of a bench as it is kept: enough to go on after a crash,
// with the keys of a booking that was begun.
type draft struct {
	Name     string                  `json:"name,omitempty"` // of the document
	Counts   map[string]Count        `json:"counts"`
	Tracking map[string]api.Tracking `json:"tracking,omitempty"` // learned, by line
	At       int                     `json:"at,omitempty"`
	Learned  map[string]string       `json:"learned,omitempty"`
	Said     []Said                  `json:"said,omitempty"`
	Plan     *Plan                   `json:"plan,omitempty"`
	// Unknown are the members that a newer version added.
	Unknown jsontext.Value `json:",embed"`
}

// Snapshot is the draft, or nil when there is nothing to keep. Until the
// document is here, it is what was kept before.
func (b *Bench) Snapshot() []byte {
	d := b.kept
	if d == nil {
		d = b.drafted()
	}
	if d == nil {
		return nil
	}
	raw, err := json.Marshal(d, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		b.Env.Log.Error("draft not written", "error", err)
		return nil
	}
	return raw
}

func (b *Bench) drafted() *draft {
	d := &draft{Name: b.Name, Counts: map[string]Count{}, At: b.At, Learned: b.Learned, Plan: b.plan, Unknown: b.draftMore}
	for _, l := range b.Lines {
		if !l.Count.Empty() {
			d.Counts[l.Key] = l.Count
		}
		if !l.Goods.Known && l.Goods.Tracking != "" {
			if d.Tracking == nil {
				d.Tracking = map[string]api.Tracking{}
			}
			d.Tracking[l.Key] = l.Goods.Tracking
		}
	}
	if len(d.Counts) == 0 && d.Plan == nil {
		return nil
	}
	d.Said = b.said[:min(len(b.said), 20)]
	return d
}

func (b *Bench) restore(raw []byte) {
	var d draft
	if err := json.Unmarshal(raw, &d, jsontext.AllowInvalidUTF8(true)); err != nil {
		b.Env.Log.Error("draft not understood", "route", b.Env.Route.Path, "error", err)
		return
	}
	b.kept = &d
	b.plan, b.draftMore = d.Plan, d.Unknown
}

// attach gives the kept counts to the lines, now that they are here.
func (b *Bench) attach() {
	d := b.kept
	b.kept = nil
	for _, l := range b.Lines {
		if c, ok := d.Counts[l.Key]; ok {
			l.Count = c
		}
		if t, ok := d.Tracking[l.Key]; ok && !l.Goods.Known {
			l.Goods.Tracking = t
		}
	}
	b.At, b.Learned, b.said, b.plan = d.At, d.Learned, d.Said, d.Plan
}

// Unsent is work that was begun and not sent, kept as a draft.
type Unsent struct {
	Route, Name string
	Pieces      int64
	Waiting     bool // it was sent, and has no answer
}

// Unsents lists the kept drafts of benches; those of other screens have no
// name and no pieces.
func Unsents(drafts tui.Drafts) ([]Unsent, error) {
	routes, err := drafts.Routes()
	var out []Unsent
	for _, route := range routes {
		u := Unsent{Route: route, Name: route}
		raw, ok, err := drafts.Load(route)
		if err != nil || !ok {
			continue // gone meanwhile, or damaged: its screen tells
		}
		var d draft
		if json.Unmarshal(raw, &d) == nil && d.Name != "" {
			u.Name = d.Name
			u.Waiting = d.Plan != nil && d.Plan.Sent
			for _, c := range d.Counts {
				u.Pieces += c.Now
			}
		}
		out = append(out, u)
	}
	return out, err
}
