package reservations

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/balances"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *detail) Actions() []tui.Action {
	reload := tui.Action{ID: "reservation.reload", Keys: []string{"ctrl+r"}, Label: labelReadAnew, NoFooter: true, Run: s.load}
	switch {
	case s.submitter.Step != nil:
		return []tui.Action{{ID: "reservation.again", Keys: []string{"enter"}, Label: labelSendAgain, Short: shortAgain,
			Run: func() tea.Cmd { return s.submitter.Send(s.env) }}}
	case s.doc == nil:
		return []tui.Action{{ID: "reservation.retry", Keys: []string{"enter"}, Label: labelTryAgain, Run: s.load}}
	}
	do := func(id, key, label, ask, help string, op api.Operation[api.ReservationInput, api.ReservationResult], from ...api.ReservationStatus) []tui.Action {
		if !s.site.Supports(op.Spec) {
			return nil
		}
		off := s.deniedReason(op.Spec, from...)
		return []tui.Action{{ID: "reservation." + id, Keys: []string{key}, Label: label, Help: help, Dangerous: true,
			Ask:      fmt.Sprintf(ask, dock.ReservationName(s.doc), widget.Count(remaining(s.doc)), sku(s.doc)),
			Disabled: func() string { return off }, Run: func() tea.Cmd { return s.send(op, label) }}}
	}
	actions := do("commit", "enter", "commit", askCommit, helpCommit, api.CommitReservation, api.ReservationPending)
	actions = append(actions, do("release", "f5", "release", askRelease, helpRelease, api.ReleaseReservation, api.ReservationPending, api.ReservationCommitted)...)
	actions = append(actions, do("cancel", "f9", "cancel", askCancel, helpCancel, api.CancelReservation, api.ReservationPending)...)
	return append(actions, tui.Action{ID: "reservation.explain", Keys: []string{"f4"}, Label: labelExplain, Help: helpExplain,
		Disabled: func() string {
			if s.balance == nil {
				return saidTheBalanceIsNot
			}
			return ""
		}, Run: func() tea.Cmd { return tui.Open(s.site.BalanceRoute("explain", s.balance)) }}, reload)
}

// deniedReason returns why the reservation cannot be changed so, or "".
func (s *detail) deniedReason(spec *api.Spec, from ...api.ReservationStatus) string {
	if why := s.site.Denied(spec); why != "" {
		return why
	}
	now := statusAt(s.doc, s.env.Now())
	for _, status := range from {
		if now == status {
			return ""
		}
	}
	return fmt.Sprintf(notPending, statuses[string(now)])
}

// questionText is what can be done with it now.
func (s *detail) questionText(small bool) string {
	switch {
	case small && s.submitter.Step == nil && statusAt(s.doc, s.env.Now()) == api.ReservationCommitted:
		return askHeldShort
	case s.submitter.Step != nil:
		return askWait
	case s.deniedReason(api.CommitReservation.Spec, api.ReservationPending) == "":
		return askDo
	case statusAt(s.doc, s.env.Now()) == api.ReservationCommitted:
		return askHeld
	}
	return askNothing
}

func (s *detail) View(size tui.Size) string {
	t := s.env.Theme
	if s.doc == nil {
		return dock.LoadingView(t, size, s.ShortTitle(), s.errText)
	}
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 116)
	}
	title := name(s.doc)
	if title == "" {
		title = sku(s.doc)
	}
	left := s.remainingTime(t)
	lines := []string{widget.Between(t.Strong.Render(widget.Clean(title)), left, width)}
	switch size.Class {
	case tui.Narrow:
		lines = append(lines[:0], t.Strong.Render(widget.Clip(widget.Clean(title), width)), widget.Right(left, width))
		lines = append(lines, strings.Split(widget.Fields(t, width, s.pairs(true)...), "\n")...)
	case tui.Short:
		f := s.pairs(true)
		lines = append(lines, " "+widget.Row(t, width-1, f[0], f[1]), " "+widget.Row(t, width-1, f[2], f[3]))
	default:
		lines = append(lines, widget.Between(widget.Clean(fmt.Sprintf(saidAt, sku(s.doc), dock.LocationOf(s.doc.Location).String())), t.Muted.Render(s.expiryText()), width), "")
		if s.balance != nil {
			lines = append(lines, balances.Equation(t, s.balance.Quantities, width), balances.Bar(t, s.balance.Quantities, width), "")
		}
		for _, line := range strings.Split(widget.Fields(t, width-2, s.pairs(false)...), "\n") {
			lines = append(lines, "  "+line)
		}
		lines = append(lines, "")
	}
	lines = append(lines, widget.QuestionMarker+t.Ask(widget.Clip(s.questionText(size.Small()), width-2)))
	for i := range lines {
		lines[i] = margin + lines[i]
	}
	return strings.Join(lines, "\n")
}

// expiryText says when the hold ends or ended.
func (s *detail) expiryText() string {
	word := "expires "
	if statusAt(s.doc, s.env.Now()) != api.ReservationPending {
		word = saidHeldUntil + " "
	}
	return word + expiryText(s.doc, s.env.Now())
}

// remainingTime is the time that is left, or how it ended.
func (s *detail) remainingTime(t theme.Theme) string {
	now := s.env.Now()
	status := statusAt(s.doc, now)
	if status != api.ReservationPending {
		text := statuses[string(status)]
		if status == api.ReservationCommitted {
			return t.OK(text)
		}
		return t.Warn(text)
	}
	text := fmt.Sprintf(saidLeft, TimeLeft(s.doc.ExpiresAt.Sub(now)))
	if endsSoon(s.doc, now) {
		return t.Warn(text)
	}
	return t.Accent.Render(text)
}

// pairs are what a reservation tells.
func (s *detail) pairs(small bool) []widget.Pair {
	r, now := s.doc, s.env.Now()
	pairs := []widget.Pair{
		{Label: columnHeld, Value: widget.Count(remaining(r)), Style: func(t theme.Theme, text string) string { return t.Strong.Render(text) }},
		{Label: columnSku, Value: sku(r)},
		{Label: labelFor, Value: r.ReferenceID},
		{Label: columnEnds, Value: r.ExpiresAt.In(now.Location()).Format("01-02 15:04")},
		{Label: columnAt, Value: dock.LocationOf(r.Location).Code},
		{Label: columnBy, Value: actor(r)},
	}
	if small {
		return pairs
	}
	pairs = append(pairs[:3:3], widget.Pair{Label: columnEnds, Value: r.ExpiresAt.In(now.Location()).Format(time.DateTime)},
		widget.Pair{Label: labelReserved, Value: widget.Count(r.Quantity)})
	if r.FulfilledQuantity > 0 {
		pairs = append(pairs, widget.Pair{Label: labelSent, Value: widget.Count(r.FulfilledQuantity)})
	}
	pairs = append(pairs, widget.Pair{Label: labelMade, Value: fmt.Sprintf(saidBy, widget.When(r.CreatedAt, now), actor(r))},
		widget.Pair{Label: labelChanged, Value: widget.When(r.UpdatedAt, now)})
	if s.balance != nil && s.balance.Owner != nil && s.balance.Channel != nil {
		pairs = append(pairs, widget.Pair{Label: labelOwner, Value: s.balance.Owner.Name + ", " + s.balance.Channel.Name})
	}
	return pairs
}
