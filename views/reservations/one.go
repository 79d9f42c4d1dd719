package reservations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// One makes the screen of one reservation, named by id or reference.
func One(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &one{site: site, env: env, post: dock.Posting{Site: site, Lost: lost}}, nil
	}
}

// one is the screen of one reservation.
type one struct {
	site    *dock.Site
	env     tui.Env
	doc     *api.Reservation
	balance *api.Balance // of what it holds; nil where the service cannot say
	fault   string
	post    dock.Posting
	seek    bool
}

type (
	readMsg struct {
		docs    []api.Reservation
		balance *api.Balance
		err     error
	}
	foundMsg struct {
		targets []dock.Target
		err     error
	}
)

func (s *one) Init(env tui.Env) tea.Cmd {
	if raw, ok := env.Draft(); ok {
		var step dock.Step
		if json.Unmarshal(raw, &step) == nil && step.Op != "" {
			s.post.Step = &step
		}
	}
	return tea.Batch(s.read(), tick(env))
}

func (s *one) ref() string { return s.env.Route.Param("id") }

// read reads the reservation and the balance that it holds something of.
func (s *one) read() tea.Cmd {
	ref := s.ref()
	return s.env.Latest("reservation", func(ctx context.Context) tea.Msg {
		docs, err := find(ctx, s.site, ref)
		if err != nil {
			return readMsg{err: err}
		}
		m := readMsg{docs: docs}
		rows, err := s.site.Balances(ctx, docs[0].ProductID, docs[0].LocationID)
		for i := range rows { // without the right to read balances the reservation stands alone
			if err == nil && rows[i].OwnerID == docs[0].OwnerID && rows[i].ChannelID == docs[0].ChannelID {
				m.balance = &rows[i]
			}
		}
		return m
	})
}

// find finds reservations by id or reference, those that hold something first.
func find(ctx context.Context, site *dock.Site, ref string) ([]api.Reservation, error) {
	id, bad := uuid.Parse(ref)
	if bad == nil && len(ref) == 36 {
		doc, err := dock.Ask(ctx, site, api.GetReservation, api.ReservationInput{ReservationID: id})
		switch {
		case err == nil:
			return []api.Reservation{doc}, nil
		case api.HasCode(err, api.NotFound):
			return nil, fmt.Errorf(noSuch, ref)
		case !dock.Missing(err):
			return nil, err
		}
	}
	var out []api.Reservation
	rows, _, err := site.Reservations(ctx, dock.Place{}, "")
	for _, r := range rows {
		if r.ID == id || strings.EqualFold(ref, dock.ReservationName(&r)) {
			out = append(out, r)
		}
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf(noSuch, ref)
	}
	return out, err
}

func (s *one) Title() string { return fmt.Sprintf(saidReservations, s.ShortTitle()) }

func (s *one) ShortTitle() string {
	if s.doc == nil {
		return s.ref()
	}
	return dock.ReservationName(s.doc)
}

func (s *one) Busy() bool       { return s.post.Busy() || s.seek }
func (s *one) Refresh() tea.Cmd { return s.read() }

// Snapshot is the write that has no answer yet.
func (s *one) Snapshot() []byte {
	if s.post.Step == nil {
		return nil
	}
	raw, _ := json.Marshal(s.post.Step)
	return raw
}

// OnScan goes to what is scanned.
func (s *one) OnScan(got scan.Scan) tea.Cmd {
	s.seek = true
	r := dock.Read(got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		targets, err := s.site.Resolve(ctx, r)
		return foundMsg{targets, err}
	})
}

func (s *one) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		return s, tick(s.env)
	case readMsg:
		return s, s.taken(msg)
	case foundMsg:
		s.seek = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.Words(msg.err)))
		}
		return s, dock.Follow(s.site, msg.targets)
	case dock.PostedMsg:
		return s, s.posted(msg)
	}
	return s, nil
}

func (s *one) taken(m readMsg) tea.Cmd {
	switch {
	case m.err != nil && s.doc != nil:
		return tui.Warn(fmt.Sprintf(saidNotReadAnew, dock.Words(m.err)))
	case m.err != nil:
		s.fault = dock.Words(m.err)
		return nil
	case len(m.docs) > 1:
		line := func(r *api.Reservation) string {
			return fmt.Sprintf("%s  %s  %s", sku(r), widget.Count(r.Quantity), statuses[string(standing(r, s.env.Now()))])
		}
		return dock.Which(askWhich, m.docs, line, func(r *api.Reservation) tea.Cmd {
			return tui.Replace(tui.Path("reservations", r.ID.String()))
		})
	}
	s.fault, s.doc, s.balance = "", &m.docs[0], m.balance
	return nil
}

// send does a write on the reservation, or does the one again that has no answer.
func (s *one) send(op api.Operation[api.ReservationInput, api.ReservationResult], words string) tea.Cmd {
	step, err := dock.NewStep(op, api.ReservationInput{ReservationID: s.doc.ID}, words)
	if err != nil {
		return tui.Fail(err)
	}
	return s.post.Freeze(s.env, step)
}

func (s *one) posted(m dock.PostedMsg) tea.Cmd {
	if fail := s.post.Answered(m); fail != nil {
		return tea.Batch(fail, s.read())
	}
	out := m.Res.Output.(*api.ReservationResult)
	s.doc, s.balance = &out.Reservation, &out.Balance
	text := map[api.ReservationStatus]string{api.ReservationCommitted: committed, api.ReservationReleased: released,
		api.ReservationCancelled: cancelled}[s.doc.Status]
	return tea.Batch(tui.Toast(fmt.Sprintf(text, dock.ReservationName(s.doc), widget.Count(held(s.doc)), sku(s.doc))), tui.Accepted())
}
