package reservations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// Detail returns the factory of the screen of one reservation, named by ID or
// reference.
func Detail(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &detail{site: site, Env: env}, nil
	}
}

// detail is the screen of one reservation.
type detail struct {
	panel.ScanLookup
	tui.Env

	site       *session.Site
	doc        *api.Reservation
	balance    *api.Balance // of the reserved stock; nil if unknown
	errText    string
	submission *submit.Submission
}

type (
	loadedMsg struct {
		docs    []api.Reservation
		balance *api.Balance
		err     error
	}
	tickMsg struct{} // updates the remaining time
)

func tick(env tui.Env) tea.Cmd {
	return env.After(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *detail) Init(env tui.Env) tea.Cmd {
	if raw, ok := env.Draft(); ok {
		var step submit.Step
		if json.Unmarshal(raw, &step) == nil && step.Op != "" {
			s.submission = submit.Resume(&step)
		}
	}

	return tea.Batch(s.load(), tick(env))
}

func (s *detail) ref() string { return s.Route.Param("id") }

// load reads the reservation and its balance.
func (s *detail) load() tea.Cmd {
	ref := s.ref()

	return s.Latest("reservation", func(ctx context.Context) tea.Msg {
		docs, err := find(ctx, s.site, ref)
		if err != nil {
			return loadedMsg{err: err}
		}

		m := loadedMsg{docs: docs}
		rows, err := s.site.Balances(ctx, docs[0].ProductID, docs[0].LocationID)
		for i := range rows { // without permission to read balances, only the reservation is shown
			if err == nil && rows[i].OwnerID == docs[0].OwnerID && rows[i].ChannelID == docs[0].ChannelID {
				m.balance = &rows[i]
			}
		}

		return m
	})
}

// find finds reservations by ID or reference.
func find(ctx context.Context, site *session.Site, ref string) ([]api.Reservation, error) {
	id, parseErr := uuid.Parse(ref)
	if parseErr == nil && len(ref) == 36 {
		doc, err := session.Call(ctx, site, api.GetReservation, api.ReservationInput{ReservationID: id})
		switch {
		case err == nil:
			return []api.Reservation{doc}, nil
		case api.HasCode(err, api.NotFound):
			return nil, site.T().NewError("Reservation %s not found. Choose one from the list (esc).", ref)
		case !session.IsUnsupported(err):
			return nil, err
		}
	}

	var out []api.Reservation
	rows, _, err := site.Reservations(ctx, session.Location{}, "")
	for _, r := range rows {
		if r.ID == id || strings.EqualFold(ref, names.Reservation(&r)) {
			out = append(out, r)
		}
	}

	if err == nil && len(out) == 0 {
		err = site.T().NewError("Reservation %s not found. Choose one from the list (esc).", ref)
	}

	return out, err
}

func (s *detail) Title() string { return s.T.Get("Reservations › %s", s.ShortTitle()) }

func (s *detail) ShortTitle() string {
	if s.doc == nil {
		return names.Unloaded(s.ref(), s.T.Get("Reservation"))
	}
	return names.Reservation(s.doc)
}

func (s *detail) Busy() bool       { return s.submission.Sending() || s.ScanLookup.Busy() }
func (s *detail) Refresh() tea.Cmd { return s.load() }

// Snapshot returns the request that has no answer yet.
func (s *detail) Snapshot() []byte {
	if !s.submission.Unfinished() {
		return nil
	}
	raw, _ := json.Marshal(s.submission.Unanswered())
	return raw
}

// OnScan opens what was scanned.
func (s *detail) OnScan(got scan.Scan) tea.Cmd { return s.Resolve(s.Env, s.site, got) }

func (s *detail) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		return s, tick(s.Env)
	case loadedMsg:
		return s, s.loaded(msg)
	case submit.Answer:
		return s, s.answered(msg)
	}

	cmd, _ := s.Found(s.site, msg)

	return s, cmd
}

func (s *detail) loaded(m loadedMsg) tea.Cmd {
	t := s.T

	switch {
	case m.err != nil && s.doc != nil:
		return tui.Warn(t.Get("Not refreshed: %s", submit.UserMessage(t, m.err)))
	case m.err != nil:
		s.errText = submit.UserMessage(t, m.err)
		return nil
	case len(m.docs) > 1:
		line := func(r *api.Reservation) string {
			return fmt.Sprintf("%s  %s  %s", sku(r), t.Count(r.Quantity),
				s.T.Get(statuses[string(statusAt(r, s.Now()))]))
		}
		return panel.Choose(t.Get("Which reservation?"), m.docs, line, func(r *api.Reservation) tea.Cmd {
			return tui.Replace(tui.Path("reservations", r.ID.String()))
		})
	}

	s.errText, s.doc, s.balance = "", &m.docs[0], m.balance

	return nil
}

// send sends a change of the reservation.
func (s *detail) send(op api.Operation[api.ReservationInput, api.ReservationResult], words string) tea.Cmd {
	step, err := submit.NewStep(op, api.ReservationInput{ReservationID: s.doc.ID}, words)
	if err != nil {
		return tui.Fail(err)
	}
	s.submission = submit.New(step)
	return s.submission.Send(s.Env, s.site)
}

func (s *detail) answered(a submit.Answer) tea.Cmd {
	t := s.T

	if err := s.submission.Answered(a); err != nil {
		text := s.submission.FailureText(t, err,
			t.Get("No answer, so the change is not confirmed. Press enter to retry; it is done only once."))
		return tea.Batch(tui.Fail(errors.New(text)), s.load())
	}

	out := a.Response.Output.(*api.ReservationResult)
	s.doc, s.balance = &out.Reservation, &out.Balance
	text := i18n.Texts[api.ReservationStatus]{api.ReservationCommitted: "Reservation %s committed: %s %s", api.ReservationReleased: "Reservation %s released: %s %s available again",
		api.ReservationCancelled: "Reservation %s canceled: %s %s available again"}[s.doc.Status]

	return tea.Batch(tui.Toast(t.Get(text, names.Reservation(s.doc), t.Count(remaining(s.doc)), sku(s.doc))),
		tui.Accepted())
}

// Speech describes the reservation.
func (s *detail) Speech() tui.Speech {
	t := s.T

	if s.doc == nil {
		if s.errText != "" {
			return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
		}
		return tui.Speech{Facts: []string{t.Get("loading")}}
	}

	now := s.Now()
	state := s.T.Get(statuses[string(statusAt(s.doc, now))])
	if left := TimeLeft(t, s.doc.ExpiresAt.Sub(now)); statusAt(s.doc, now) == api.ReservationPending {
		state += "  " + t.Get("%s left", left)
	}

	facts := []string{
		t.Get("%s  %s  %s at %s", sku(s.doc), name(s.doc), t.Count(remaining(s.doc)),
			session.LocationOf(s.doc.Location).Code),
		state,
		t.Get("%s  by %s", s.expiryText(), actor(s.doc)),
	}

	return tui.Speech{Facts: append(facts, s.questionText(true)), Question: t.Get("commit, release, cancel or back")}
}
