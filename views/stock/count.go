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
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Count returns the factory of the screen that counts a location: the one that the
// route names, else the operator's. With "?sku=" it counts one product.
func Count(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &countScreen{site: site, env: env, panel: panel.NewCountPanel(site, env)}, nil
	}
}

// countScreen is the screen of a count. Scans are counted on the count panel, which has a
// line for each stock row. Then the differences are reviewed and booked.
type countScreen struct {
	site      *session.Site
	env       tui.Env
	panel     *panel.CountPanel
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
}

// countDraft is the draft of a count, besides the panel's.
type countDraft struct {
	Blind  bool                 `json:"blind,omitempty"`
	Review bool                 `json:"review,omitempty"`
	Rows   map[string]*stockRow `json:"rows,omitempty"`   // stock when the count began
	Queue  []queuedStep         `json:"queue,omitempty"`  // writes still to be booked
	Sent   bool                 `json:"sent,omitempty"`   // the first write of Queue has no answer
	Booked int                  `json:"booked,omitempty"` // differences booked
	Failed int                  `json:"left,omitempty"`   // differences rejected
	Before int                  `json:"before,omitempty"` // differences booked before the review was repeated
}

// queuedStep is a write and the key of the row that it corrects.
type queuedStep struct {
	Key  string      `json:"key"`
	Step submit.Step `json:"step"`
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
	}
)

func (s *countScreen) Init(tui.Env) tea.Cmd {
	s.panel.Job = panel.CountJob{Verb: s.site.T().Get("count"), Question: s.question, OtherLocation: s.openLocation}
	s.panel.AllowZero, s.panel.ChooseLine, s.panel.AddLine = true, s.chooseLine, s.addProduct
	s.locationInput.Ask = s.site.T().Get("Which location? Scan it, or type its code")
	s.list = widget.NewList(func(l *count.Line) string { return l.Key })
	var saved struct {
		Stock countDraft `json:"stock"`
	}
	if raw, ok := s.env.Draft(); ok && json.Unmarshal(raw, &saved) == nil {
		s.draft = saved.Stock
		if len(s.draft.Queue) > 0 && s.draft.Sent {
			s.submission = submit.Resume(&s.draft.Queue[0].Step)
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

func (s *countScreen) ref() string { return s.env.Route.Param("location") }

func (s *countScreen) sku() string { return s.env.Route.Query.Get("sku") }

// load loads the stock of the location, for a count or for its review.
func (s *countScreen) load(review bool) tea.Cmd {
	s.loadingReview = review
	location, code := s.location, s.ref()
	var products []api.ID
	for _, r := range s.draft.Rows {
		products = append(products, r.Product)
	}
	return s.env.DoFor(time.Minute, func(ctx context.Context) tea.Msg {
		if !location.IsSet() {
			var err error
			if location, err = s.site.FindLocation(ctx, code); err != nil {
				return stockMsg{err: err}
			}
		}
		stock, err := loadStock(ctx, s.site, location, s.sku())
		for _, id := range products { // counted items without recorded stock here
			if _, known := stock.items[id]; err == nil && !known {
				stock.items[id], err = s.site.Item(ctx, id, nil)
			}
		}
		return stockMsg{stock: stock, location: location, review: review, err: err}
	})
}

func (s *countScreen) Title() string {
	if s.ref() == "" {
		return s.site.T().Get("Count")
	}
	return s.site.T().Get("Count › %s", s.ShortTitle())
}

// ShortTitle returns the location, or SKU@LOCATION if one product is counted.
func (s *countScreen) ShortTitle() string {
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
	if raw == nil && len(s.draft.Queue) == 0 {
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
		saved.Rows = s.rows
	}
	members["stock"], _ = json.Marshal(saved)
	out, _ := json.Marshal(members)
	return out
}

// OnScan counts a scan. During the review it first goes back to counting.
func (s *countScreen) OnScan(x scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.site.T(), x)
	switch {
	case s.ref() == "":
		return s.findLocation(r)
	case s.stock == nil:
		return tui.Fail(errors.New(s.site.T().Get("Stock at this location is still loading. Nothing was counted: scan it again.")))
	case len(s.draft.Queue) > 0:
		return tui.Fail(errors.New(s.site.T().Get("The count is being recorded. Nothing was counted: press enter to continue.")))
	}
	s.draft.Review = false
	if ask := s.requireLot(x, r); ask != nil {
		return ask
	}
	return s.panel.OnScan(x)
}

// findLocation opens the count of the location that a code names.
func (s *countScreen) findLocation(r count.Label) tea.Cmd {
	if r.HasNoCode() {
		return tui.Fail(errors.New(s.site.T().Get("%s is not a location label. Scan the label of the location.", r.Name())))
	}
	s.lookingUp = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		p, err := s.site.FindLocation(ctx, r.Codes[0])
		return locationMsg{p, err}
	})
}

// openLocation opens the count of another location that was scanned.
func (s *countScreen) openLocation(p session.Location) tea.Cmd {
	if p.ID == s.location.ID {
		return tea.Batch(tui.Accepted(), tui.Toast(s.site.T().Get("You are already counting %s", p.Code)))
	}
	return tea.Batch(tui.Accepted(), tui.Open(tui.Path("count", p.Code)))
}

func (s *countScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case locationMsg:
		s.lookingUp = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(submit.UserMessage(s.site.T(), msg.err)))
		}
		return s, tea.Batch(tui.Accepted(), tui.Replace(tui.Path("count", msg.location.Code)))
	case panel.LocationChangedMsg:
		if s.ref() == "" {
			return s, tui.Replace(tui.Path("count", msg.Location.Code))
		}
		return s, nil
	case stockMsg:
		return s, s.stockLoaded(msg)
	case submit.Answer:
		return s, s.answered(msg)
	case tea.KeyMsg:
		return s, s.key(msg)
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *countScreen) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.ref() == "":
		if text, done := s.locationInput.Key(k); done {
			return s.findLocation(count.ParseLabel(s.site.T(), scan.Parse(text, s.env.Now())))
		}
		return nil
	case s.stock == nil:
		return nil
	case s.draft.Review || !s.panel.AcceptsKey(k) && k.Type != tea.KeyRunes: // the panel must see letters, so that digits typed with them are not a quantity
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
func (s *countScreen) stockLoaded(m stockMsg) tea.Cmd {
	s.loadingReview = false
	switch {
	case m.err != nil && s.stock != nil:
		return tui.Fail(errors.New(s.site.T().Get("Stock could not be loaded, so the count cannot be compared: %s", submit.UserMessage(s.site.T(), m.err))))
	case m.err != nil:
		s.errText = submit.UserMessage(s.site.T(), m.err)
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
	for key, then := range s.draft.Rows { // the count continues from the stock when it began
		then.item = m.stock.items[then.Product]
		s.rows[key] = then
	}
	for key, now := range fresh {
		if len(s.draft.Rows) > 0 && s.draft.Rows[key] == nil {
			now.Expected, now.Serials = 0, nil // stocked after the count began
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
