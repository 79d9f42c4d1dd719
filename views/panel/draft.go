package panel

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
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
	Lines      lineBooking             `json:"lines,omitzero"`
	// Unknown holds the members that a newer version added.
	Unknown jsontext.Value `json:",embed"`
}

// Snapshot returns the draft, or nil if there is nothing to save. Until the document
// is loaded it returns the restored draft.
func (p *CountPanel) Snapshot() []byte {
	d := p.restored
	if d == nil {
		d = newDraft(&p.ScanMatcher, &p.sender)
	}
	if d == nil {
		return nil
	}
	if p.restored == nil {
		d.Name, d.Feed, d.Unknown = p.Document.Name, p.feed.saved(), p.draftUnknown
	}

	raw, err := json.Marshal(d, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		p.Env.Log.Error("cannot encode draft", "error", err)
		return nil
	}

	return raw
}

// Counts returns what is counted by line, also in a draft whose document is not loaded yet.
func Counts(p *CountPanel) map[string]count.Count {
	d := p.restored
	if d == nil {
		d = newDraft(&p.ScanMatcher, &p.sender)
	}
	if d == nil {
		return nil
	}
	return d.Counts
}

// newDraft returns the draft of what is counted and being sent, or nil if that is nothing.
func newDraft(m *count.ScanMatcher, s *sender) *draft {
	d := &draft{Counts: map[string]count.Count{}, Tracking: map[string]api.Tracking{},
		Current: m.Current, Learned: m.Learned, Submission: s.submission, Lines: s.lines}
	for _, l := range m.Lines {
		if !l.Count.Empty() {
			d.Counts[l.Key] = l.Count
		}
		if !l.Item.InCatalog && l.Item.Tracking != "" {
			d.Tracking[l.Key] = l.Item.Tracking
		}
	}

	if len(d.Counts) == 0 && d.Submission == nil {
		return nil
	}

	return d
}

func decodeDraft(raw []byte) (*draft, error) {
	var d draft
	err := json.Unmarshal(raw, &d, jsontext.AllowInvalidUTF8(true))
	return &d, err
}

// sender returns the sender that continues with the booking of the draft.
func (d *draft) sender() sender {
	s := sender{submission: d.Submission, lines: d.Lines}
	for line := range d.Lines.Recorded {
		if key := d.Submission.FirstKey(line); key != "" {
			s.lines.addReceipt(line, key)
		}
	}

	return s
}

// apply restores the counts to the loaded lines. preferred is as in useLineKeys.
func (d *draft) apply(m *count.ScanMatcher, preferred string) {
	d.useLineKeys(m.Lines, preferred)
	for _, l := range m.Lines {
		if c, ok := d.Counts[l.Key]; ok {
			l.Count = c
		}
		if t, ok := d.Tracking[l.Key]; ok && !l.Item.InCatalog {
			l.Item.Tracking = t
		}
	}

	m.Current, m.Learned = d.Current, d.Learned
	if len(d.Feed) > 0 {
		m.Resume(d.Feed[0])
	}
}

// useLineKeys replaces the keys of a draft that an earlier version saved: the IDs of the
// products of documents with one line each. preferred is the key of the line to use if
// several have the product.
func (d *draft) useLineKeys(lines []*count.Line, preferred string) {
	for i, l := range lines {
		product := l.Item.ID.String()
		known := slices.ContainsFunc(lines, func(x *count.Line) bool { return x.Key == product })
		other := slices.ContainsFunc(lines, func(x *count.Line) bool {
			return x != l && x.Key == preferred && x.Item.ID == l.Item.ID
		})
		if known || other {
			continue
		}
		if rename(d.Counts, product, l.Key) {
			d.Current = i
		}

		rename(d.Tracking, product, l.Key)
		for code, key := range d.Learned {
			if key == product {
				d.Learned[code] = l.Key
			}
		}
	}
}

func rename[V any](m map[string]V, from, to string) bool {
	v, ok := m[from]
	if ok {
		delete(m, from)
		m[to] = v
	}
	return ok
}

// DraftName returns the name of a draft for messages.
func DraftName(t *i18n.Translator, saved tui.Draft) string {
	d, _ := decodeDraft(saved.Data) // without a name, the route has to do
	return names.DraftShort(t, saved.Route, d.Name)
}

// DraftPieces returns how many pieces a draft has counted.
func DraftPieces(saved tui.Draft) int64 {
	var d draft
	if json.Unmarshal(saved.Data, &d) != nil {
		return 0
	}
	return d.pieces()
}

func (d *draft) pieces() (n int64) {
	for _, c := range d.Counts {
		n += c.Quantity
	}
	return n
}

// An UnsentDraft summarizes a saved draft.
type UnsentDraft struct {
	Route, Name    string
	Owner, From    string // as in tui.Draft
	Pieces         int64
	Counted, Lines int  // of a stock count, which counts lines; 0 for others
	AwaitingAnswer bool // a booking was sent and has no answer
}

// Mark describes the draft for an operator: "12 counted", or "Ada: 12 counted".
func (u UnsentDraft) Mark(t *i18n.Translator, operator string) string {
	text := t.GetC("unsent", "draft")
	switch {
	case u.AwaitingAnswer:
		text = t.Get("no answer yet")
	case u.Lines > 0:
		text = t.Get("%s of %s lines counted", t.Count(int64(u.Counted)), t.Count(int64(u.Lines)))
	case u.Pieces > 0:
		text = t.Get("%s counted", t.Count(u.Pieces))
	}

	if u.Owner != "" && u.Owner != operator {
		text = widget.Clean(u.Owner) + ": " + text
	}

	return text
}

// OpenMark describes what somebody has open at another terminal: "Ada: 12 counted", "Ada: open".
func OpenMark(t *i18n.Translator, w tui.OpenWork) string {
	text := t.GetC("open", "presence")
	if w.Pieces > 0 {
		text = t.Get("%s counted", t.Count(w.Pieces))
	}
	return widget.Clean(w.Person) + ": " + text
}

// UnsentDrafts lists the saved drafts: those of the operator, then those without an owner, then
// those of others by name. A draft without a count has no pieces; its name is its route.
func UnsentDrafts(drafts tui.Drafts, operator string) ([]UnsentDraft, error) {
	list, err := drafts.List()
	var out []UnsentDraft
	for _, saved := range list {
		u := UnsentDraft{Route: saved.Route, Name: saved.Route, Owner: saved.Owner, From: saved.From}
		if d, err := decodeDraft(saved.Data); err == nil && d.Name != "" {
			u.Name = d.Name
			u.AwaitingAnswer = d.Submission != nil && d.Submission.Sent
			u.Pieces = d.pieces()
			u.Counted, u.Lines = countedLines(saved.Data, d.Counts)
		}

		out = append(out, u)
	}

	rank := func(u UnsentDraft) string {
		if u.Owner == operator {
			return ""
		}
		return "+" + u.Owner // behind the operator
	}

	slices.SortStableFunc(out, func(a, b UnsentDraft) int { return strings.Compare(rank(a), rank(b)) })

	return out, err
}

// countedLines returns how many lines of a stock count are counted, of how many: one for
// each row of the stock when it began, and one for each item found besides. For the draft
// of another job it returns 0.
func countedLines(raw []byte, counts map[string]count.Count) (counted, lines int) {
	var d struct {
		Stock struct {
			Rows map[string]jsontext.Value `json:"rows"`
		} `json:"stock"`
	}
	if err := json.Unmarshal(raw, &d); err != nil || len(d.Stock.Rows) == 0 {
		return 0, 0
	}

	lines = len(d.Stock.Rows)
	for key, c := range counts {
		if _, ok := d.Stock.Rows[key]; !ok {
			lines++
		}
		if c.Quantity > 0 || c.None {
			counted++
		}
	}

	return counted, lines
}

// DraftRoute returns the first of the routes of a document that has a draft. A draft
// of the operator, or one without an owner, comes before a draft of another operator. It
// returns "" if no route has a draft.
func DraftRoute(env tui.Env, routes ...string) string {
	list, err := UnsentDrafts(env.Drafts, env.Operator)
	if err != nil {
		env.Log.Error("cannot list drafts", "error", err)
	}

	for _, own := range []bool{true, false} {
		for _, route := range routes {
			for _, d := range list {
				if mine := d.Owner == "" || d.Owner == env.Operator; d.Route == route && mine == own {
					return route
				}
			}
		}
	}

	return ""
}
