package stock

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Count makes the screen that counts a place: the one that the route names, or
// where the terminal stands; "?sku=" counts one product of it alone.
func Count(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &count{site: site, env: env, panel: dock.NewCountPanel(site, env), submitter: dock.Submitter{Site: site, UnknownText: env.T.Get("No answer, so the booking is not confirmed. Press enter to retry; it is booked only once.")}}, nil
	}
}

// count is the screen of a count. Scans are counted on the bench, a line a row
// of the books; then the differences are looked through and booked.
type count struct {
	site      *dock.Site
	env       tui.Env
	panel     *dock.CountPanel
	location  dock.Location
	errText   string
	lookingUp bool // the place is being looked up

	draft         countDraft           // what is kept with the draft
	stock         *stockRows           // nil until they are here
	rows          map[string]*stockRow // by key: as they were when the count began
	current       map[string]*stockRow // as the books have them now, while the differences are looked through
	locationInput widget.Question
	list          widget.List[*dock.Line]
	submitter     dock.Submitter
	loadingReview bool              // the books are being read for the review
	rowErrors     map[string]string // what the service said to the count of a row
	lastResult    string            // what was said of the count before
}

// countDraft is what a count keeps besides the bench.
type countDraft struct {
	Blind  bool                 `json:"blind,omitempty"`
	Review bool                 `json:"review,omitempty"`
	Rows   map[string]*stockRow `json:"rows,omitempty"`   // the books as they were when the count began
	Queue  []queuedStep         `json:"queue,omitempty"`  // what is being booked
	Sent   bool                 `json:"sent,omitempty"`   // the first of the queue was sent, and has no answer
	Booked int                  `json:"booked,omitempty"` // differences that are booked
	Failed int                  `json:"left,omitempty"`   // those that were not taken
}

// queuedStep is a write of a booking under way, and the row it puts right.
type queuedStep struct {
	Key  string    `json:"key"`
	Step dock.Step `json:"step"`
}

type (
	locationMsg struct {
		location dock.Location
		err      error
	}
	stockMsg struct {
		stock    *stockRows
		location dock.Location
		review   bool
		err      error
	}
)

func (s *count) Init(tui.Env) tea.Cmd {
	b := s.panel
	b.Verb, b.AllowZero, b.Question = s.site.T().Get("count"), true, s.question
	b.ChooseLine, b.AddLine = s.chooseLine, s.addProduct
	b.OnLocation = func(p dock.Location) tea.Cmd { return s.openLocation(p) }
	s.locationInput.Ask = s.site.T().Get("Which location? Scan it, or type its code")
	s.list = widget.NewList(func(l *dock.Line) string { return l.Key })
	var kept struct {
		Stock countDraft `json:"stock"`
	}
	if raw, ok := s.env.Draft(); ok && json.Unmarshal(raw, &kept) == nil {
		s.draft = kept.Stock
		if len(s.draft.Queue) > 0 && s.draft.Sent {
			s.submitter.Step = &s.draft.Queue[0].Step
		}
	}
	if s.ref() == "" {
		if here := s.site.Location(); here.IsSet() {
			return tui.Replace(tui.Path("count", here.Code))
		}
		return nil
	}
	return s.load(false)
}

func (s *count) ref() string { return s.env.Route.Param("place") }

func (s *count) sku() string { return s.env.Route.Query.Get("sku") }

// load reads the books of the place; for a review what is there stays meanwhile.
func (s *count) load(review bool) tea.Cmd {
	s.loadingReview = review
	place, code := s.location, s.ref()
	var found []api.ID
	for _, r := range s.draft.Rows {
		found = append(found, r.Product)
	}
	return s.env.DoFor(time.Minute, func(ctx context.Context) tea.Msg {
		if !place.IsSet() {
			var err error
			if place, err = s.site.FindLocation(ctx, code); err != nil {
				return stockMsg{err: err}
			}
		}
		read, err := loadStock(ctx, s.site, place, s.sku())
		for _, id := range found { // goods that were found and are not in the books of the place
			if _, known := read.items[id]; err == nil && !known {
				read.items[id], err = s.site.Item(ctx, id, nil)
			}
		}
		return stockMsg{stock: read, location: place, review: review, err: err}
	})
}

func (s *count) Title() string {
	if s.ref() == "" {
		return s.site.T().Get("Count")
	}
	return s.site.T().Get("Count › %s", s.ShortTitle())
}

// ShortTitle is the place, and the product where only that is counted.
func (s *count) ShortTitle() string {
	name := s.location.Code
	if name == "" {
		name = s.ref()
	}
	if s.sku() != "" {
		name = s.sku() + "@" + name
	}
	return name
}

// Busy reports whether scans must wait.
func (s *count) Busy() bool {
	return s.lookingUp || s.loadingReview || s.submitter.Busy() || s.panel.Busy()
}

// AcceptsKey reports whether a key is text: of the place, else a number.
func (s *count) AcceptsKey(k tea.KeyMsg) bool {
	switch {
	case s.ref() == "":
		return s.locationInput.AcceptsKey(k)
	case s.stock == nil || s.draft.Review:
		return false
	}
	return s.panel.AcceptsKey(k)
}

// Snapshot is the panel's draft with the stock recorded when the count began.
func (s *count) Snapshot() []byte {
	raw := s.panel.Snapshot()
	if raw == nil && len(s.draft.Queue) == 0 {
		return nil
	}
	whole := map[string]json.RawMessage{}
	if raw != nil {
		if err := json.Unmarshal(raw, &whole); err != nil {
			s.env.Log.Error("draft not written", "error", err)
			return raw
		}
	}
	kept := s.draft
	if s.stock != nil {
		kept.Rows = s.rows
	}
	whole["stock"], _ = json.Marshal(kept)
	out, _ := json.Marshal(whole)
	return out
}

// OnScan counts a scan; while the differences are looked through it goes back
// to counting first.
func (s *count) OnScan(x scan.Scan) tea.Cmd {
	r := dock.ParseLabel(s.site.T(), x)
	switch {
	case s.ref() == "":
		return s.findLocation(r)
	case s.stock == nil:
		return tui.Fail(errors.New(s.site.T().Get("Stock at this location is still loading. Nothing was counted: scan it again.")))
	case len(s.draft.Queue) > 0:
		return tui.Fail(errors.New(s.site.T().Get("The count is being booked. Nothing was counted: press enter to continue.")))
	}
	s.draft.Review = false
	if ask := s.requireLot(x, r); ask != nil {
		return ask
	}
	return s.panel.OnScan(x)
}

// findLocation opens the count of the place that a code names.
func (s *count) findLocation(r dock.Label) tea.Cmd {
	if r.HasNoCode() {
		return tui.Fail(errors.New(s.site.T().Get("%s is not a location label. Scan the label of the location.", r.Name())))
	}
	s.lookingUp = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		p, err := s.site.FindLocation(ctx, r.Codes[0])
		return locationMsg{p, err}
	})
}

// openLocation opens the count of another place that was scanned.
func (s *count) openLocation(p dock.Location) tea.Cmd {
	if p.ID == s.location.ID {
		return tea.Batch(tui.Accepted(), tui.Toast(s.site.T().Get("You are already counting %s", p.Code)))
	}
	return tea.Batch(tui.Accepted(), tui.Open(tui.Path("count", p.Code)))
}

func (s *count) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case locationMsg:
		s.lookingUp = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.UserMessage(s.site.T(), msg.err)))
		}
		return s, tea.Batch(tui.Accepted(), tui.Replace(tui.Path("count", msg.location.Code)))
	case dock.LocationChangedMsg:
		if s.ref() == "" {
			return s, tui.Replace(tui.Path("count", msg.Location.Code))
		}
		return s, nil
	case stockMsg:
		return s, s.stockLoaded(msg)
	case dock.SubmittedMsg:
		return s, s.answered(msg)
	case tea.KeyMsg:
		return s, s.key(msg)
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *count) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.ref() == "":
		if text, done := s.locationInput.Key(k); done {
			return s.findLocation(dock.ParseLabel(s.site.T(), scan.Parse(text, s.env.Now())))
		}
		return nil
	case s.stock == nil:
		return nil
	case s.draft.Review || !s.panel.AcceptsKey(k) && k.Type != tea.KeyRunes: // letters are heard: what is typed with them is no number
		if s.list.Key(k) && !s.draft.Review {
			s.panel.Current = s.list.Cursor()
		}
		return nil
	}
	if k.Type == tea.KeyEnter && !s.panel.Modal() {
		s.setLineLot(s.panel.Current)
	}
	cmd, _ := s.panel.Update(k)
	return cmd
}

// stockLoaded puts the rows on the panel, or compares them with the count.
func (s *count) stockLoaded(m stockMsg) tea.Cmd {
	s.loadingReview = false
	switch {
	case m.err != nil && s.stock != nil:
		return tui.Fail(errors.New(s.site.T().Get("Stock could not be loaded, so the count cannot be compared: %s", dock.UserMessage(s.site.T(), m.err))))
	case m.err != nil:
		s.errText = dock.UserMessage(s.site.T(), m.err)
		return tui.Bell(2)
	}
	s.location, s.errText = m.location, ""
	fresh := map[string]*stockRow{}
	for _, r := range m.stock.rows {
		fresh[r.key()] = r
	}
	if m.review {
		s.compare(m.stock, fresh)
		return nil
	}
	s.stock, s.rows = m.stock, fresh
	for key, then := range s.draft.Rows { // a count goes on from the books it began with
		then.item = m.stock.items[then.Product]
		s.rows[key] = then
	}
	for key, now := range fresh {
		if len(s.draft.Rows) > 0 && s.draft.Rows[key] == nil {
			now.Expected, now.Serials = 0, nil // it came after the count began
		}
	}
	s.draft.Rows = nil
	s.setLines()
	s.panel.ConfirmAdd = !s.draft.Blind
	if s.draft.Review && len(s.draft.Queue) == 0 {
		return s.load(true)
	}
	return nil
}

// hasCount reports whether a quantity was entered for the line.
func hasCount(l *dock.Line) bool { return l.Count.Quantity > 0 || l.Count.None }

// progress is how many rows are counted, of how many.
func (s *count) progress() (done, all int) {
	for _, l := range s.panel.Lines {
		if hasCount(l) {
			done++
		}
	}
	return done, len(s.panel.Lines)
}

func (s *count) rowOf(l *dock.Line) *stockRow {
	if r := s.rows[l.Key]; r != nil {
		return r
	}
	return &stockRow{Product: l.Item.ID, SKU: l.Item.SKU, item: l.Item, Lot: l.Count.Lot}
}
