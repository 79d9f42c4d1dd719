package stock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
		return &count{site: site, env: env, bench: dock.NewBench(site, env), post: dock.Posting{Site: site, Lost: countLost}}, nil
	}
}

// count is the screen of a count. Scans are counted on the bench, a line a row
// of the books; then the differences are looked through and booked.
type count struct {
	site  *dock.Site
	env   tui.Env
	bench *dock.Bench
	place dock.Place
	fault string
	seek  bool // the place is being looked up

	kept   tally           // what is kept with the draft
	read   *books          // nil until they are here
	rows   map[string]*row // by key: as they were when the count began
	fresh  map[string]*row // as the books have them now, while the differences are looked through
	typed  widget.Question
	list   widget.List[*dock.Line]
	post   dock.Posting
	asked  bool              // the books are being read for the review
	failed map[string]string // what the service said to the count of a row
	last   string            // what was said of the count before
}

// tally is what a count keeps besides the bench.
type tally struct {
	Blind  bool            `json:"blind,omitempty"`
	Review bool            `json:"review,omitempty"`
	Rows   map[string]*row `json:"rows,omitempty"`   // the books as they were when the count began
	Queue  []job           `json:"queue,omitempty"`  // what is being booked
	Sent   bool            `json:"sent,omitempty"`   // the first of the queue was sent, and has no answer
	Booked int             `json:"booked,omitempty"` // differences that are booked
	Left   int             `json:"left,omitempty"`   // those that were not taken
}

// job is a write of a booking under way, and the row it puts right.
type job struct {
	Key  string    `json:"key"`
	Step dock.Step `json:"step"`
}

type (
	placeMsg struct {
		place dock.Place
		err   error
	}
	booksMsg struct {
		books  *books
		place  dock.Place
		review bool
		err    error
	}
)

func (s *count) Init(tui.Env) tea.Cmd {
	b := s.bench
	b.Verb, b.Nothing, b.Question = "count", true, s.question
	b.Pick, b.Join = s.pick, s.join
	b.Placed = func(p dock.Place) tea.Cmd { return s.elsewhere(p) }
	s.typed.Ask = askCountPlace
	s.list = widget.NewList(func(l *dock.Line) string { return l.Key })
	var kept struct {
		Stock tally `json:"stock"`
	}
	if raw, ok := s.env.Draft(); ok && json.Unmarshal(raw, &kept) == nil {
		s.kept = kept.Stock
		if len(s.kept.Queue) > 0 && s.kept.Sent {
			s.post.Step = &s.kept.Queue[0].Step
		}
	}
	if s.ref() == "" {
		if here := s.site.Place(); here.Chosen() {
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
	s.asked = review
	place, code := s.place, s.ref()
	var found []api.ID
	for _, r := range s.kept.Rows {
		found = append(found, r.Product)
	}
	return s.env.DoFor(time.Minute, func(ctx context.Context) tea.Msg {
		if !place.Chosen() {
			var err error
			if place, err = s.site.FindPlace(ctx, code); err != nil {
				return booksMsg{err: err}
			}
		}
		read, err := readBooks(ctx, s.site, place, s.sku())
		for _, id := range found { // goods that were found and are not in the books of the place
			if _, known := read.goods[id]; err == nil && !known {
				read.goods[id], err = s.site.Goods(ctx, id, nil)
			}
		}
		return booksMsg{books: read, place: place, review: review, err: err}
	})
}

func (s *count) Title() string {
	if s.ref() == "" {
		return "Count"
	}
	return fmt.Sprintf(saidCount, s.ShortTitle())
}

// ShortTitle is the place, and the product where only that is counted.
func (s *count) ShortTitle() string {
	name := s.place.Code
	if name == "" {
		name = s.ref()
	}
	if s.sku() != "" {
		name = s.sku() + "@" + name
	}
	return name
}

// Busy tells whether scans must wait.
func (s *count) Busy() bool { return s.seek || s.asked || s.post.Busy() || s.bench.Busy() }

// Types tells whether a key is text: of the place, else a number.
func (s *count) AcceptsKey(k tea.KeyMsg) bool {
	switch {
	case s.ref() == "":
		return s.typed.AcceptsKey(k)
	case s.read == nil || s.kept.Review:
		return false
	}
	return s.bench.AcceptsKey(k)
}

// Snapshot is the bench's draft with the books as they were when it began.
func (s *count) Snapshot() []byte {
	raw := s.bench.Snapshot()
	if raw == nil && len(s.kept.Queue) == 0 {
		return nil
	}
	whole := map[string]json.RawMessage{}
	if raw != nil {
		if err := json.Unmarshal(raw, &whole); err != nil {
			s.env.Log.Error("draft not written", "error", err)
			return raw
		}
	}
	kept := s.kept
	if s.read != nil {
		kept.Rows = s.rows
	}
	whole["stock"], _ = json.Marshal(kept)
	out, _ := json.Marshal(whole)
	return out
}

// OnScan counts a scan; while the differences are looked through it goes back
// to counting first.
func (s *count) OnScan(x scan.Scan) tea.Cmd {
	r := dock.Read(x)
	switch {
	case s.ref() == "":
		return s.findPlace(r)
	case s.read == nil:
		return tui.Fail(errors.New(countAbsent))
	case len(s.kept.Queue) > 0:
		return tui.Fail(errors.New(countSending))
	}
	s.kept.Review = false
	if ask := s.whichLot(x, r); ask != nil {
		return ask
	}
	return s.bench.OnScan(x)
}

// findPlace opens the count of the place that a code names.
func (s *count) findPlace(r dock.Reading) tea.Cmd {
	if r.Bare() {
		return tui.Fail(fmt.Errorf(noPlaceInIt, r.Name()))
	}
	s.seek = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		p, err := s.site.FindPlace(ctx, r.Codes[0])
		return placeMsg{p, err}
	})
}

// elsewhere opens the count of another place that was scanned.
func (s *count) elsewhere(p dock.Place) tea.Cmd {
	if p.ID == s.place.ID {
		return tea.Batch(tui.Accepted(), tui.Toast(fmt.Sprintf(isCounted, p.Code)))
	}
	return tea.Batch(tui.Accepted(), tui.Open(tui.Path("count", p.Code)))
}

func (s *count) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case placeMsg:
		s.seek = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.Words(msg.err)))
		}
		return s, tea.Batch(tui.Accepted(), tui.Replace(tui.Path("count", msg.place.Code)))
	case dock.MovedMsg:
		if s.ref() == "" {
			return s, tui.Replace(tui.Path("count", msg.Place.Code))
		}
		return s, nil
	case booksMsg:
		return s, s.taken(msg)
	case dock.PostedMsg:
		return s, s.posted(msg)
	case tea.KeyMsg:
		return s, s.key(msg)
	}
	cmd, _ := s.bench.Update(msg)
	return s, cmd
}

func (s *count) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.ref() == "":
		if text, done := s.typed.Key(k); done {
			return s.findPlace(dock.Read(scan.Parse(text, s.env.Now())))
		}
		return nil
	case s.read == nil:
		return nil
	case s.kept.Review || !s.bench.AcceptsKey(k) && k.Type != tea.KeyRunes: // letters are heard: what is typed with them is no number
		if s.list.Key(k) && !s.kept.Review {
			s.bench.At = s.list.Cursor()
		}
		return nil
	}
	if k.Type == tea.KeyEnter && !s.bench.Modal() {
		s.lotted(s.bench.At)
	}
	cmd, _ := s.bench.Update(k)
	return cmd
}

// taken puts the rows of the books on the bench, or holds them against it.
func (s *count) taken(m booksMsg) tea.Cmd {
	s.asked = false
	switch {
	case m.err != nil && s.read != nil:
		return tui.Fail(fmt.Errorf(booksUnread, dock.Words(m.err)))
	case m.err != nil:
		s.fault = dock.Words(m.err)
		return tui.Bell(2)
	}
	s.place, s.fault = m.place, ""
	fresh := map[string]*row{}
	for _, r := range m.books.rows {
		fresh[r.key()] = r
	}
	if m.review {
		s.hold(m.books, fresh)
		return nil
	}
	s.read, s.rows = m.books, fresh
	for key, then := range s.kept.Rows { // a count goes on from the books it began with
		then.goods = m.books.goods[then.Product]
		s.rows[key] = then
	}
	for key, now := range fresh {
		if len(s.kept.Rows) > 0 && s.kept.Rows[key] == nil {
			now.Expected, now.Pieces = 0, nil // it came after the count began
		}
	}
	s.kept.Rows = nil
	s.lay()
	s.bench.Open = !s.kept.Blind
	if s.kept.Review && len(s.kept.Queue) == 0 {
		return s.load(true)
	}
	return nil
}

// counts tells whether somebody said how many of a line there are.
func counts(l *dock.Line) bool { return l.Count.Now > 0 || l.Count.None }

// progress is how many rows are counted, of how many.
func (s *count) progress() (done, all int) {
	for _, l := range s.bench.Lines {
		if counts(l) {
			done++
		}
	}
	return done, len(s.bench.Lines)
}

func (s *count) rowOf(l *dock.Line) *row {
	if r := s.rows[l.Key]; r != nil {
		return r
	}
	return &row{Product: l.Goods.ID, SKU: l.Goods.SKU, goods: l.Goods, Lot: l.Count.Lot}
}
