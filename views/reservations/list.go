package reservations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// List returns the factory of the list of reservations.
func List(site *session.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of the reservations, due first.
type list struct {
	site         *session.Site
	env          tui.Env
	panel        panel.ListPanel[api.Reservation]
	finder       panel.ScanFinder[api.Reservation]
	statusFilter atomic.Value // api.ReservationStatus; also read outside the update loop
}

// tickMsg updates the remaining times every second.
type tickMsg struct{}

func tick(env tui.Env) tea.Cmd {
	return env.After(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *list) Init(env tui.Env) tea.Cmd {
	t := env.T

	s.env, s.finder = env, s.newFinder()
	s.statusFilter.Store(api.ReservationPending)
	s.panel = panel.ListPanel[api.Reservation]{Question: t.Get("Scan an item, or choose a reservation"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("pending"),
		Detail: func(r api.Reservation) string { return panel.JoinParts(name(&r), names.Reservation(&r)) },
		Load: func(ctx context.Context) ([]api.Reservation, bool, error) {
			rows, more, err := s.site.Reservations(ctx, s.site.Location(), s.shownStatus())
			sortByDue(rows, s.env.Now())
			return rows, more, err
		},
		FilterText: func(r api.Reservation) string {
			return names.Reservation(&r) + " " + sku(&r) + " " + name(&r) + " " + actor(&r)
		}}
	s.panel.List = widget.NewList(func(r api.Reservation) string { return r.ID.String() }, s.columns(tui.Standard)...)
	return tea.Batch(s.panel.Init(env), tick(env))
}

func (s *list) shownStatus() api.ReservationStatus {
	return s.statusFilter.Load().(api.ReservationStatus)
}

func sku(r *api.Reservation) string { return names.ProductSKU(r.Product, r.ProductID) }

func name(r *api.Reservation) string { return names.ProductName(r.Product) }

// actor returns the name of the person or key that made the reservation.
func actor(r *api.Reservation) string {
	if r.CreatedBy != nil && r.CreatedBy.Label != "" {
		return r.CreatedBy.Label
	}
	return r.Actor.Label
}

// remaining returns the quantity still reserved.
func remaining(r *api.Reservation) int64 { return r.Quantity - r.FulfilledQuantity }

func (s *list) columns(class tui.Class) []widget.Column[api.Reservation] {
	type col = widget.Column[api.Reservation]
	now := s.env.Now
	left := col{Title: s.site.T().Get("left"), Width: 11, Cell: func(r api.Reservation) string {
		switch statusAt(&r, now()) {
		case api.ReservationPending:
			return glyph(&r, now()) + " " + widget.Right(TimeLeft(s.site.T(), r.ExpiresAt.Sub(now())), 9)
		case api.ReservationCommitted:
			return glyph(&r, now()) + " " + s.env.T.Get(statuses["committed"])
		}
		return "  " + s.env.T.Get(statuses[string(statusAt(&r, now()))])
	}, Style: func(r api.Reservation, t theme.Theme, text string) string {
		switch {
		case endsSoon(&r, now()):
			return t.Warning.Render(text)
		case statusAt(&r, now()) != api.ReservationPending:
			return t.Muted.Render(text)
		}
		return text
	}}
	quantity := col{Title: s.site.T().Get("held"), Width: 7, Right: true, Cell: func(r api.Reservation) string { return s.site.T().Count(remaining(&r)) }}
	skuColumn := col{Title: s.site.T().Get("sku"), Cell: func(r api.Reservation) string { return sku(&r) }}
	switch class {
	case tui.Narrow:
		left.Width = 8
		left.Cell = func(r api.Reservation) string {
			if statusAt(&r, now()) == api.ReservationPending {
				return widget.Right(TimeLeft(s.site.T(), r.ExpiresAt.Sub(now())), 8)
			}
			return s.env.T.Get(statuses[string(statusAt(&r, now()))])
		}
		return []col{skuColumn, left}
	case tui.Short:
		return []col{skuColumn, quantity, left}
	}
	skuColumn.Width = 10
	end := col{Title: s.site.T().GetC("expires", "reservations"), Width: 16, Rank: 3, Cell: func(r api.Reservation) string { return expiryText(s.site.T(), &r, now()) }}
	if class == tui.Standard {
		end.Width = 100 // no room; the remaining time is shown anyway
	}
	return []col{
		{Title: s.site.T().Get("reservation"), Width: 14, Cell: func(r api.Reservation) string { return names.Reservation(&r) }},
		left, quantity, skuColumn,
		{Title: s.site.T().Get("product"), Rank: 2, Cell: func(r api.Reservation) string { return cmp.Or(name(&r), sku(&r)) }},
		end,
		{Title: s.site.T().Get("by"), Width: 12, Rank: 4, Cell: func(r api.Reservation) string { return actor(&r) }},
		{Title: s.site.T().Get("at"), Width: 6, Rank: 5, Cell: func(r api.Reservation) string { return session.LocationOf(r.Location).Code }},
	}
}

func (s *list) Title() string                { return s.site.T().Get("Reservations") }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.panel.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *list) Busy() bool                   { return s.finder.Busy() }
func (s *list) OnScan(got scan.Scan) tea.Cmd {
	return s.finder.Find(s.env, count.ParseLabel(s.site.T(), got))
}

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if _, handled := msg.(tickMsg); handled {
		return s, tick(s.env)
	}
	if cmd, handled := s.finder.Update(msg); handled {
		return s, cmd
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

// setLabels sets the noun and the empty text for the status filter.
func (s *list) setLabels() {
	t := s.site.T()

	s.panel.Noun, s.panel.List.EmptyText = t.Get("pending"), t.Get("Nothing is reserved here. F3 reserves stock; F4 shows committed; F6 changes the location.")
	switch s.shownStatus() {
	case api.ReservationCommitted:
		s.panel.Noun, s.panel.List.EmptyText = t.Get("committed"), t.Get("No committed reservations here. F4 shows all.")
	case "":
		s.panel.Noun, s.panel.List.EmptyText = "", t.Get("No reservations here yet. F3 creates one.")
	}
}

func (s *list) View(size tui.Size) string {
	s.panel.List.Columns = s.columns(size.Class)
	s.setLabels()
	return s.panel.View(size)
}

func (s *list) Actions() []tui.Action {
	t := s.site.T()

	next := map[api.ReservationStatus]api.ReservationStatus{api.ReservationPending: api.ReservationCommitted, api.ReservationCommitted: ""}
	label := map[api.ReservationStatus]string{api.ReservationPending: t.Get("pending"), api.ReservationCommitted: t.Get("committed"), "": t.Get("all")}
	then, known := next[s.shownStatus()]
	if !known {
		then = api.ReservationPending
	}
	actions := []tui.Action{
		{ID: "reservations.open", Keys: []string{"enter"}, Label: t.GetC("open", "verb"), Help: t.Get("Open the selected reservation"), Disabled: s.panel.EmptyText, Run: func() tea.Cmd {
			r, _ := s.panel.Selected()
			return openReservation(&r)
		}},
		{ID: "reservations.new", Keys: []string{"f3"}, Label: t.Get("reserve"), Short: t.Get("new"), Help: t.Get("Reserve stock for a customer or order"),
			Disabled: func() string { return s.site.Denied(api.CreateReservation.Spec) },
			Run:      func() tea.Cmd { return tui.Open("reservations/new") }},
		{ID: "reservations.show", Keys: []string{"f4"}, Label: label[then], Help: t.Get("Show pending, committed, or all reservations"), Run: func() tea.Cmd {
			s.statusFilter.Store(then)
			return s.panel.Reload()
		}},
	}
	return append(append(actions, s.panel.Actions()...), panel.ChooseLocation(s.site, s.env))
}

func openReservation(r *api.Reservation) tea.Cmd {
	return tui.Open(tui.Path("reservations", r.ID.String()))
}

// newFinder returns the finder of reservations by reference or item.
func (s *list) newFinder() panel.ScanFinder[api.Reservation] {
	t := s.site.T()

	return panel.ScanFinder[api.Reservation]{Site: s.site, Rows: s.panel.Rows, Name: names.Reservation, SKU: sku,
		ID:      func(r *api.Reservation) api.ID { return r.ID },
		Product: func(r *api.Reservation) api.ID { return r.ProductID },
		Choose: func(hits []api.Reservation) tea.Cmd {
			line := func(r *api.Reservation) string {
				return fmt.Sprintf("%s  %s  %s  %s", names.Reservation(r), sku(r), t.Count(remaining(r)), expiryText(t, r, s.env.Now()))
			}
			return tea.Batch(tui.Accepted(), panel.Choose(t.Get("Which reservation?"), hits, line, openReservation))
		},
		NotFoundText: func(p *api.Product) tea.Cmd {
			return tui.Fail(errors.New(t.Get("No reservations of %s (%s) here.", p.SKU, p.Name)), tui.Action{ID: "reservations.reserve", Keys: []string{"f3"}, Label: t.Get("reserve it"),
				Disabled: func() string { return s.site.Denied(api.CreateReservation.Spec) },
				Run:      func() tea.Cmd { return tui.Open("reservations/new?sku=" + url.QueryEscape(p.SKU)) }})
		}}
}
