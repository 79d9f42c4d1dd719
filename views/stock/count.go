package stock

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// Count returns the factory of the screen that counts a location: the one that the
// route names, else the operator's. With "?sku=" it counts one product, with "?skus=" those
// of a list.
func Count(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t, most := site.T(), int64(session.MaxCountProducts)
		skus, listed := session.CountSKUs(env.Route.Query)
		switch {
		case listed && len(skus) == 0:
			return nil, errors.New(t.Get("The list of this count names no product."))
		case len(skus) > session.MaxCountProducts:
			return nil, errors.New(t.Get("This list has %s products. Count at most %s at once.", t.Count(int64(len(skus))), t.Count(most)))
		}
		return &countScreen{site: site, env: env, skus: skus, panel: panel.NewCountPanel(site, env)}, nil
	}
}

// countScreen is the screen of a count. Scans are counted on the count panel, which has a
// line for each stock row. Then the differences are reviewed and booked.
type countScreen struct {
	site      *session.Site
	env       tui.Env
	panel     *panel.CountPanel
	skus      []string // products that the route names; none counts all
	location  session.Location
	errText   string
	lookingUp bool // the location is being looked up

	draft         countDraft           // saved with the draft
	stock         *stockRows           // nil until loaded
	rows          map[string]*stockRow // by key, from when the count began
	current       map[string]*stockRow // by key, from when the review began
	locationInput widget.Question
	list          widget.List[*count.Line]
	submission    *submit.Submission // of the first write of the queue
	loadingReview bool               // stock is being loaded for the review
	rowErrors     map[string]string  // by key: why the service rejected the count
	lastResult    string             // result of the previous count
	// corrections are the counts that the limit of the operator's role counts.
	corrections session.Corrections
}

// countDraft is the draft of a count, besides the panel's.
type countDraft struct {
	Blind bool `json:"blind,omitempty"` // the operator hides the expected quantities
	// Revealed means that a supervisor shows them.
	Revealed bool `json:"revealed,omitempty"`
	// Found has the serials that a supervisor accepted although they are recorded
	// elsewhere, by product and number.
	Found map[string]foundSerial `json:"found,omitempty"`
	// First has the first counts of lines with a large difference, by key.
	First map[string]*firstCount `json:"first,omitempty"`
	// CountedBy is who finished counting before the review.
	CountedBy string               `json:"countedBy,omitempty"`
	Review    bool                 `json:"review,omitempty"`
	Rows      map[string]*stockRow `json:"rows,omitempty"`   // stock when the count began
	Queue     []queuedStep         `json:"queue,omitempty"`  // writes still to be booked
	Sent      bool                 `json:"sent,omitempty"`   // the first write of Queue has no answer
	Booked    int                  `json:"booked,omitempty"` // differences booked
	Failed    int                  `json:"left,omitempty"`   // differences rejected
	Before    int                  `json:"before,omitempty"` // differences booked before the review was repeated
	// Selected has the products that were scanned.
	Selected []api.ID `json:"selected,omitempty"`
	// Added has the products that were added to a count of a list.
	Added []api.ID `json:"added,omitempty"`
	// Line is the key of the line that is counted.
	Line string `json:"line,omitempty"`
}

// queuedStep is a write and the key of the row that it corrects.
type queuedStep struct {
	Key  string      `json:"key"`
	Step submit.Step `json:"step"`
	// Left is set if the write takes a found serial off the location where it is recorded:
	// its key in countDraft.Found.
	Left string `json:"left,omitempty"`
}

type (
	locationMsg struct {
		location session.Location
		err      error
	}
	stockMsg struct {
		stock    *stockRows
		location session.Location
		review   bool
		err      error

		corrections session.Corrections // counts, for a review
	}
)

func (s *countScreen) ref() string { return s.env.Route.Param("location") }

// sku returns the product of a count of one product, or "".
func (s *countScreen) sku() string {
	if len(s.skus) == 1 {
		return s.skus[0]
	}
	return ""
}

// isList reports whether the products of a list are counted.
func (s *countScreen) isList() bool { return len(s.skus) > 1 }

// load loads the stock of the location, for a count or for its review.
func (s *countScreen) load(review bool) tea.Cmd {
	s.loadingReview = review
	location, code, added := s.location, s.ref(), s.draft.Added
	var products []api.ID
	for _, r := range s.draft.Rows {
		products = append(products, r.Product)
	}
	limited, now := review && s.env.IsLimited(tui.MayCount), s.env.Now()
	return s.env.DoFor(time.Minute, func(ctx context.Context) tea.Msg {
		if !location.IsSet() {
			var err error
			if location, err = s.site.FindLocation(ctx, code); err != nil {
				return stockMsg{err: err}
			}
		}
		stock, err := loadStock(ctx, s.site, location, s.skus, added...)
		for _, id := range products { // counted items without recorded stock here
			if _, known := stock.items[id]; err == nil && !known {
				stock.items[id], err = s.site.Item(ctx, id, nil)
			}
		}
		out := stockMsg{stock: stock, location: location, review: review, err: err}
		if limited && err == nil {
			out.corrections, out.err = s.site.Corrections(ctx, tui.MayCount, location.ID, api.ID{}, now)
		}
		return out
	})
}

func (s *countScreen) Title() string {
	if s.ref() == "" {
		return s.site.T().Get("Count")
	}
	return s.site.T().Get("Count › %s", s.ShortTitle())
}

// ShortTitle returns the location, SKU@LOCATION if one product is counted, or how many
// products of the location are.
func (s *countScreen) ShortTitle() string {
	name := s.location.Code
	if name == "" {
		name = s.ref()
	}
	switch {
	case s.isList():
		return s.site.T().Get("%s products", s.site.T().Count(int64(len(s.skus)+len(s.draft.Added)))) + "@" + name
	case s.sku() != "":
		return s.sku() + "@" + name
	}
	return name
}

// Busy reports whether scans must wait.
func (s *countScreen) Busy() bool {
	return s.lookingUp || s.loadingReview || s.submission.Sending() || s.panel.Busy()
}

// AcceptsKey reports whether k is text input: the code of a location, or a quantity.
func (s *countScreen) AcceptsKey(k tea.KeyMsg) bool {
	switch {
	case s.ref() == "":
		return s.locationInput.AcceptsKey(k)
	case s.stock == nil || s.draft.Review:
		return false
	}
	return s.panel.AcceptsKey(k)
}

// Snapshot returns the panel's draft with the stock recorded when the count began.
func (s *countScreen) Snapshot() []byte {
	raw := s.panel.Snapshot()
	if raw == nil && len(s.draft.Queue)+len(s.draft.First)+len(s.panel.Selected) == 0 {
		return nil
	}
	members := map[string]json.RawMessage{}
	if raw != nil {
		if err := json.Unmarshal(raw, &members); err != nil {
			s.env.Log.Error("cannot encode draft", "error", err)
			return raw
		}
	}
	saved := s.draft
	if s.stock != nil {
		saved.Rows, saved.Selected, saved.Line = s.rows, s.panel.Selected, s.panel.Line().Key
	}
	members["stock"], _ = json.Marshal(saved)
	out, _ := json.Marshal(members)
	return out
}

// hasCount reports whether a quantity was entered for the line.
func hasCount(l *count.Line) bool { return l.Count.Quantity > 0 || l.Count.None }

// progress returns how many lines are counted, of how many.
func (s *countScreen) progress() (done, all int) {
	for _, l := range s.panel.Lines {
		if hasCount(l) {
			done++
		}
	}
	return done, len(s.panel.Lines)
}

// rowOf returns the stock row of a line, or one without stock.
func (s *countScreen) rowOf(l *count.Line) *stockRow {
	if r := s.rows[l.Key]; r != nil {
		return r
	}
	return &stockRow{Product: l.Item.ID, SKU: l.Item.SKU, item: l.Item, Lot: l.Count.Lot}
}
