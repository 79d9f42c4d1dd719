package reservations

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// List makes the screen of what is reserved here.
func List(site *dock.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of the reservations, due first.
type list struct {
	site  *dock.Site
	env   tui.Env
	board dock.Board[api.Reservation]
	seek  dock.Seeker[api.Reservation]
	show  atomic.Value // api.ReservationStatus: which are shown; read beside the screen's turn
}

// tickMsg lets the time that is left go on.
type tickMsg struct{}

func tick(env tui.Env) tea.Cmd {
	return env.After(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env, s.seek = env, s.seeker()
	s.show.Store(api.ReservationPending)
	s.board = dock.Board[api.Reservation]{Ask: askList, Short: askListShort, Noun: showPending,
		Aside: func(r api.Reservation) string { return dock.Joined(name(&r), dock.ReservationName(&r)) },
		Load: func(ctx context.Context) ([]api.Reservation, bool, error) {
			rows, more, err := s.site.Reservations(ctx, s.site.Place(), s.status())
			due(rows, s.env.Now())
			return rows, more, err
		},
		Text: func(r api.Reservation) string {
			return dock.ReservationName(&r) + " " + sku(&r) + " " + name(&r) + " " + who(&r)
		}}
	s.board.List = widget.NewList(func(r api.Reservation) string { return r.ID.String() }, s.columns(tui.Standard)...)
	return tea.Batch(s.board.Init(env), tick(env))
}

func (s *list) status() api.ReservationStatus { return s.show.Load().(api.ReservationStatus) }

func sku(r *api.Reservation) string { return dock.SKUOf(r.Product, r.ProductID) }

func name(r *api.Reservation) string { return dock.NameOf(r.Product) }

// who made the reservation.
func who(r *api.Reservation) string {
	if r.CreatedBy != nil && r.CreatedBy.Label != "" {
		return r.CreatedBy.Label
	}
	return r.Actor.Label
}

// held is what a reservation still holds.
func held(r *api.Reservation) int64 { return r.Quantity - r.FulfilledQuantity }

func (s *list) columns(class tui.Class) []widget.Column[api.Reservation] {
	type col = widget.Column[api.Reservation]
	now := s.env.Now
	left := col{Title: columnLeft, Width: 11, Cell: func(r api.Reservation) string {
		switch standing(&r, now()) {
		case api.ReservationPending:
			return glyph(&r, now()) + " " + widget.Right(Left(r.ExpiresAt.Sub(now())), 9)
		case api.ReservationCommitted:
			return glyph(&r, now()) + " " + statuses["committed"]
		}
		return "  " + statuses[string(standing(&r, now()))]
	}, Style: func(r api.Reservation, t theme.Theme, text string) string {
		switch {
		case soon(&r, now()):
			return t.Warning.Render(text)
		case standing(&r, now()) != api.ReservationPending:
			return t.Muted.Render(text)
		}
		return text
	}}
	quantity := col{Title: columnHeld, Width: 7, Right: true, Cell: func(r api.Reservation) string { return widget.Count(held(&r)) }}
	goods := col{Title: columnSku, Cell: func(r api.Reservation) string { return sku(&r) }}
	switch class {
	case tui.Narrow:
		left.Width = 8
		left.Cell = func(r api.Reservation) string {
			if standing(&r, now()) == api.ReservationPending {
				return widget.Right(Left(r.ExpiresAt.Sub(now())), 8)
			}
			return statuses[string(standing(&r, now()))]
		}
		return []col{goods, left}
	case tui.Short:
		return []col{goods, quantity, left}
	}
	goods.Width = 10
	end := col{Title: columnEnds, Width: 16, Rank: 3, Cell: func(r api.Reservation) string { return ends(&r, now()) }}
	if class == tui.Standard {
		end.Width = 100 // no room: how long it lasts is said already
	}
	return []col{
		{Title: columnReservation, Width: 14, Cell: func(r api.Reservation) string { return dock.ReservationName(&r) }},
		left, quantity, goods,
		{Title: columnProduct, Rank: 2, Cell: func(r api.Reservation) string { return cmp.Or(name(&r), sku(&r)) }},
		end,
		{Title: columnBy, Width: 12, Rank: 4, Cell: func(r api.Reservation) string { return who(&r) }},
		{Title: columnAt, Width: 6, Rank: 5, Cell: func(r api.Reservation) string { return dock.PlaceOf(r.Location).Code }},
	}
}

func (s *list) Title() string                { return "Reservations" }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.board.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.board.Reload() }
func (s *list) Busy() bool                   { return s.seek.Busy() }
func (s *list) OnScan(got scan.Scan) tea.Cmd { return s.seek.Find(s.env, dock.Read(got)) }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if _, mine := msg.(tickMsg); mine {
		return s, tick(s.env)
	}
	if cmd, mine := s.seek.Update(msg); mine {
		return s, cmd
	}
	cmd, _ := s.board.Update(msg)
	return s, cmd
}

// named says what the rows are, and what to do where there are none.
func (s *list) named() {
	s.board.Noun, s.board.List.EmptyText = showPending, emptyPending
	switch s.status() {
	case api.ReservationCommitted:
		s.board.Noun, s.board.List.EmptyText = showCommitted, emptyCommitted
	case "":
		s.board.Noun, s.board.List.EmptyText = "", emptyAll
	}
}

func (s *list) View(size tui.Size) string {
	s.board.List.Columns = s.columns(size.Class)
	s.named()
	return s.board.View(size)
}

func (s *list) Actions() []tui.Action {
	next := map[api.ReservationStatus]api.ReservationStatus{api.ReservationPending: api.ReservationCommitted, api.ReservationCommitted: ""}
	label := map[api.ReservationStatus]string{api.ReservationPending: showPending, api.ReservationCommitted: showCommitted, "": showAll}
	then, known := next[s.status()]
	if !known {
		then = api.ReservationPending
	}
	actions := []tui.Action{
		{ID: "reservations.open", Keys: []string{"enter"}, Label: labelOpen, Help: helpOpen, Disabled: s.board.None, Run: func() tea.Cmd {
			r, _ := s.board.Chosen()
			return open(&r)
		}},
		{ID: "reservations.new", Keys: []string{"f3"}, Label: labelReserve, Short: shortNew, Help: helpNew,
			Disabled: func() string { return s.site.Denied(api.CreateReservation.Spec) },
			Run:      func() tea.Cmd { return tui.Open("reservations/new") }},
		{ID: "reservations.show", Keys: []string{"f4"}, Label: label[then], Help: helpShow, Run: func() tea.Cmd {
			s.show.Store(then)
			return s.board.Reload()
		}},
	}
	return append(append(actions, s.board.Actions()...), dock.ChoosePlace(s.site, s.env))
}

func open(r *api.Reservation) tea.Cmd { return tui.Open(tui.Path("reservations", r.ID.String())) }

// seeker finds the reservation that a scan names, or that of the goods it names.
func (s *list) seeker() dock.Seeker[api.Reservation] {
	return dock.Seeker[api.Reservation]{Site: s.site, Rows: s.board.Rows, Name: dock.ReservationName, SKU: sku,
		ID:      func(r *api.Reservation) api.ID { return r.ID },
		Product: func(r *api.Reservation) api.ID { return r.ProductID },
		Choose: func(hits []api.Reservation) tea.Cmd {
			line := func(r *api.Reservation) string {
				return fmt.Sprintf("%s  %s  %s  %s", dock.ReservationName(r), sku(r), widget.Count(held(r)), ends(r, s.env.Now()))
			}
			return tea.Batch(tui.Accepted(), dock.Which(askWhich, hits, line, open))
		},
		None: func(p *api.Product) tea.Cmd {
			return tui.Fail(fmt.Errorf(noneOf, p.SKU, p.Name), tui.Action{ID: "reservations.reserve", Keys: []string{"f3"}, Label: labelReserveIt,
				Disabled: func() string { return s.site.Denied(api.CreateReservation.Spec) },
				Run:      func() tea.Cmd { return tui.Open("reservations/new?sku=" + url.QueryEscape(p.SKU)) }})
		}}
}
