package stock

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
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
			return nil, t.NewError("This count has no products.")
		case len(skus) > session.MaxCountProducts:
			return nil, t.NewError("This list has %s products. Count at most %s at once.",
				t.Count(int64(len(skus))), t.Count(most))
		}

		lines := countLines{panel: panel.NewCountPanel(site, env), listed: len(skus) > 0}

		return &countScreen{site: site, Env: env, skus: skus, countLines: lines}, nil
	}
}

// countScreen is the screen of a count. Scans are counted on the count panel, which has a
// line for each stock row. Then the differences are reviewed and booked.
type countScreen struct {
	tui.Env
	site     *session.Site
	skus     []string // products that the route names; none counts all
	location session.Location
	errText  string

	countLines
	countDraft
	stock         *stockRows // nil until loaded
	current       rowsByKey  // from when the review began
	locationInput widget.Question
	list          widget.List[*count.Line]
	lookingUp     bool              // a code is being looked up
	loadingReview bool              // stock is being loaded for the review
	rejected      map[string]string // by key: why the service rejected the count
	lastResult    string            // result of the previous count
	// corrections are the counts that the limit of the operator's role counts.
	corrections session.Corrections
}

// countDraft is the draft of a count, besides the panel's.
type countDraft struct {
	visibility
	// Found has the serials that a supervisor accepted although they are recorded elsewhere.
	Found foundSerials `json:"found,omitempty"`
	secondCounts
	Review bool `json:"review,omitempty"`
	// Began is the stock when the count began. It is nil once stock is loaded.
	Began rowsByKey `json:"rows,omitempty"`
	countQueue
	// Selected has the products that were scanned.
	Selected []api.ID `json:"selected,omitempty"`
	// Added has the products that were added to a count of a list.
	Added []api.ID `json:"added,omitempty"`
	// LineKey is the key of the line that is counted.
	LineKey string `json:"line,omitempty"`
}

// visibility says whether the expected quantities are shown.
type visibility struct {
	Blind    bool `json:"blind,omitempty"`    // the operator hides them
	Revealed bool `json:"revealed,omitempty"` // a supervisor shows them
}

// isBlind reports whether the expected quantities are hidden during the count: the operator
// hid them, or is a worker to whom no supervisor has shown them.
func (v visibility) isBlind(supervisor bool) bool { return v.Blind || v.isSecret(supervisor) }

// isSecret reports whether the expected quantities are hidden in the review, too.
func (v visibility) isSecret(supervisor bool) bool { return !v.Revealed && !supervisor }

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

func (s *countScreen) ref() string { return s.Route.Param("location") }

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
	location, code, added := s.location, s.ref(), s.Added
	var products []api.ID
	for _, r := range s.Began {
		products = append(products, r.Product)
	}

	limited, now := review && s.IsLimited(tui.MayCount), s.Now()

	return s.DoFor(time.Minute, func(ctx context.Context) tea.Msg {
		if !location.IsSet() {
			var err error
			location, err = s.site.FindLocation(ctx, code)
			if err != nil {
				return stockMsg{err: err}
			}
		}

		stock, err := loadStock(ctx, s.site, location, s.skus, added...)
		if err != nil {
			return stockMsg{location: location, review: review, err: err}
		}
		for _, id := range products { // counted items without recorded stock here
			if _, known := stock.items[id]; err == nil && !known {
				stock.items[id], err = s.site.Item(ctx, id, nil)
			}
		}

		out := stockMsg{stock: stock, location: location, review: review, err: err}
		if limited && err == nil {
			out.corrections, out.err = s.site.Corrections(ctx, tui.MayCount, location.ID, api.NoID, now)
		}

		return out
	})
}

func (s *countScreen) Title() string {
	if s.ref() == "" {
		return s.T.Get("Count")
	}
	return s.T.Get("Count › %s", s.ShortTitle())
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
		number := s.T.Count(int64(len(s.skus) + len(s.Added)))
		return s.T.Get("%s products", number) + "@" + name
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
	case s.stock == nil || s.Review:
		return false
	}

	return s.panel.AcceptsKey(k)
}

// Snapshot returns the panel's draft with the stock recorded when the count began.
func (s *countScreen) Snapshot() []byte {
	raw := s.panel.Snapshot()
	if raw == nil && len(s.Queue)+len(s.First)+len(s.panel.Selected) == 0 {
		return nil
	}

	saved := s.countDraft
	if s.stock != nil {
		saved.Began, saved.Selected, saved.LineKey = s.rows, s.panel.Selected, s.panel.Line().Key
	}

	return addDraft(s.Env, raw, saved)
}
