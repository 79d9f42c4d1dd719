package stock

import (
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// countQueue are the writes of a count that are sent one after the other.
type countQueue struct {
	Queue  []queuedStep `json:"queue,omitempty"`  // writes still to be booked
	Sent   bool         `json:"sent,omitempty"`   // the first write of Queue has no answer
	Booked int          `json:"booked,omitempty"` // differences booked
	Failed int          `json:"left,omitempty"`   // differences rejected
	Before int          `json:"before,omitempty"` // differences booked before the review was repeated
	Saved  bool         `json:"saved,omitempty"`  // some are saved here and not synced

	submission *submit.Submission // of the first write
}

// queuedStep is a write and the key of the row that it corrects.
type queuedStep struct {
	Key  string      `json:"key"`
	Step submit.Step `json:"step"`
	// Left is set if the write takes a found serial off the location where it is recorded:
	// its key in countDraft.Found.
	Left string `json:"left,omitempty"`
}

// queueSteps returns the steps of a line as queued ones.
func queueSteps(l *count.Line, steps ...submit.Step) (out []queuedStep) {
	for _, step := range steps {
		out = append(out, queuedStep{Key: l.Key, Step: step})
	}
	return out
}

// resume continues a queue that was saved.
func (q *countQueue) resume() {
	if len(q.Queue) > 0 && q.Sent {
		q.submission = submit.Resume(&q.Queue[0].Step)
	}
}

// send sends the next write of the queue, or retries the one without an answer.
func (q *countQueue) send(env tui.Env, site *session.Site) tea.Cmd {
	q.Sent = true
	if !q.submission.Unfinished() {
		q.submission = submit.New(q.Queue[0].Step)
	}
	env.Approver = nil // the plan chose what is approved
	return q.submission.Send(env, site)
}

// book asks whether to post the differences. If some are large and not confirmed, the supervisor
// who runs or approved it gives a reason first.
func (s *countScreen) book() tea.Cmd {
	t, v, p := s.T, s.view(), s.plan("", s.ApprovedBy())
	n, approved := v.counts(), ""
	if p.approvedBy != "" {
		approved = p.approvalText() + ". "
	}

	post := func(reason, differences string) tea.Cmd {
		if n[unconfirmed]+n[differing]+n[refused] == 0 && !v.hidesExpected {
			return s.bookAll(reason, p.approvedBy)
		}

		return tui.Confirm(tui.Question{
			Text:  differences + v.confirmText(),
			Yes:   v.bookLabel(),
			OnYes: func() tea.Cmd { return s.bookAll(reason, p.approvedBy) },
		})
	}

	if n[unconfirmed] == 0 {
		return post("", approved)
	}

	return tui.Prompt(tui.Request{
		Text:   approved + t.Get("Large differences without a second count: %s. Reason?", v.number(n[unconfirmed])),
		Check:  panel.CheckReason(t),
		OnText: func(reason string) tea.Cmd { return post(reason, "") },
	})
}

// bookAll books all differences, one write after the other.
func (s *countScreen) bookAll(reason, approvedBy string) tea.Cmd {
	queue, err := s.plan(reason, approvedBy).writes()
	switch {
	case err != nil:
		return tui.Fail(err)
	case len(queue) == 0:
		return s.finish()
	}

	s.Queue, s.Booked = queue, 0

	return s.send(s.Env, s.site)
}

// answered handles an answer and continues the queue. If a write was rejected, the row
// shows why, and the other writes of its product are dropped.
func (s *countScreen) answered(a submit.Answer) tea.Cmd {
	if len(s.Queue) == 0 {
		return nil
	}

	t, done := s.T, s.Queue[0]
	err := s.submission.Answered(a)
	if err != nil && s.submission.State() != submit.Refused {
		unknown := t.Get("No answer came. Press enter to retry: it is recorded only once.")
		return tui.Fail(errors.New(s.submission.FailureText(t, err, unknown)))
	}

	s.Queue, s.Sent = s.Queue[1:], false
	if out, ok := stockResult(a); ok {
		s.Saved = s.Saved || a.Response.CommittedBy != ""
		s.rowBooked(done, out)
	} else {
		product := s.rows[done.Key].Product
		s.Queue = slices.DeleteFunc(s.Queue, func(q queuedStep) bool { return s.rows[q.Key].Product == product })
		if !api.HasCode(err, api.VersionConflict) { // the review asks about changed stock
			s.rejected[done.Key] = s.submission.FailureText(t, a.Err, "")
		}
		s.Failed++
	}

	if len(s.Queue) > 0 {
		return s.send(s.Env, s.site)
	}

	return s.finish()
}

func stockResult(a submit.Answer) (*api.StockResult, bool) {
	if a.Err != nil {
		return nil, false
	}
	out, ok := a.Response.Output.(*api.StockResult)
	return out, ok
}

// rowBooked updates the rows of a product from the balance in the response, for the
// writes that follow.
func (s *countScreen) rowBooked(done queuedStep, out *api.StockResult) {
	r := s.rows[done.Key]
	for _, x := range s.rows {
		if x.Product == r.Product && done.Left == "" {
			x.Version, x.Changed = out.Balance.Version, out.Balance.UpdatedAt
		}
	}

	if found, ok := s.Found[done.Left]; ok {
		found.Status = api.WrittenOff
		s.Found[done.Left] = found
	}

	if len(s.Queue) > 0 && s.rows[s.Queue[0].Key].Product == r.Product {
		s.rows.requireVersion(s.Queue)
		if s.Queue[0].Key == done.Key {
			return
		}
	}

	for _, l := range s.panel.Lines {
		if l.Key != done.Key {
			continue
		}
		if s.comparison().differs(l) {
			s.Booked++
		}
		r.Expected, r.Serials = l.Count.Quantity, sorted(l.Count.Serials)
		if r.Lot != "" && len(out.Movements) > 0 {
			r.LotID = out.Movements[0].LotID
		}
	}
}

// finish ends the count if all differences are booked; otherwise it returns to the
// review.
func (s *countScreen) finish() tea.Cmd {
	t, n := s.T, s.comparison().counts()
	number := func(n int) string { return t.Count(int64(n)) }

	booked, failed := s.Booked, s.Failed
	s.Booked, s.Failed = 0, 0
	s.Before += booked
	if failed > 0 {
		text := t.Get("%s adjusted, %s rejected. Review them.", number(booked), number(failed))
		return tea.Batch(tui.Bell(2), tui.Warn(text), s.load(true))
	}

	text := t.Get("%s counted: %s adjusted", s.ShortTitle(), number(s.Before))
	if n[refused] > 0 {
		text = t.Get("%s counted: %s adjusted, %s rejected", s.ShortTitle(), number(s.Before), number(n[refused]))
	}

	left := n[uncounted]
	if all := len(s.panel.Lines); s.isList() {
		text = t.Get("%s: %s of %s lines counted, %s adjusted", s.ShortTitle(), number(all-left), number(all),
			number(s.Before))
		if n[refused] > 0 {
			text += ", " + t.Get("%s rejected", number(n[refused]))
		}
	} else if left > 0 {
		text += ". " + t.Get("Lines not counted: %s", number(left))
	}

	if s.Saved {
		text = t.Get("Saved, not synced. %s", text)
	}

	s.clearReview()
	s.Saved, s.lastResult = false, text

	cmds := []tea.Cmd{tui.Toast(text), tui.Accepted(), s.load(false)}
	if s.Route.Query.Has(nextQuery) {
		cmds = append(cmds, s.countNext(true))
	}

	return tea.Batch(cmds...)
}
