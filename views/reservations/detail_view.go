package reservations

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/stocktext"
)

func (s *detail) Actions() []tui.Action {
	t := s.T

	reload := tui.Action{
		ID:       "reservation.reload",
		Key:      "ctrl+r",
		Label:    t.Get("refresh"),
		NoFooter: true,
		Run:      s.load,
	}

	switch {
	case s.submission.Unfinished():
		return []tui.Action{
			{ID: "reservation.again", Key: "enter", Label: t.Get("retry"), Short: t.Get("retry"),
				Run: func() tea.Cmd { return s.submission.Send(s.Env, s.site) }},
		}
	case s.doc == nil:
		return []tui.Action{{ID: "reservation.retry", Key: "enter", Label: t.Get("retry"), Run: s.load}}
	}

	do := func(id, key, label, ask, yes, help string, op api.Operation[api.ReservationInput, api.ReservationResult], from ...api.ReservationStatus) []tui.Action {
		if !s.site.Supports(op.Spec) {
			return nil
		}

		denied := s.deniedReason(op.Spec, from...)

		return []tui.Action{
			{
				ID:        "reservation." + id,
				Key:       key,
				Label:     label,
				Help:      help,
				Dangerous: true,
				Ask:       t.Get(ask, names.Reservation(s.doc), t.Count(remaining(s.doc)), sku(s.doc)),
				Yes:       yes,
				No:        t.Get("keep it"),
				Disabled:  func() string { return denied },
				Run:       func() tea.Cmd { return s.send(op, label) },
			},
		}
	}

	actions := do(
		"commit",
		"enter",
		t.Get("commit"),
		i18n.Text("Commit reservation %s? It holds %s %s until shipped."),
		t.Get("commit the reservation"),
		t.Get("Commit the reserved stock; it no longer expires"),
		api.CommitReservation,
		api.ReservationPending,
	)

	actions = append(
		actions,
		do(
			"release",
			"f5",
			t.Get("release"),
			i18n.Text("Release reservation %s? This makes %s %s available again."),
			t.Get("release the stock"),
			t.Get("Make the held stock available again"),
			api.ReleaseReservation,
			api.ReservationPending,
			api.ReservationCommitted,
		)...)

	for _, cancel := range do("cancel", panel.CancelKey, t.Get("cancel"), i18n.Text("Cancel reservation %s? This makes %s %s available again."), t.Get("cancel the reservation"), t.Get("Cancel a mistaken reservation and free its stock"), api.CancelReservation, api.ReservationPending) {
		actions = append(actions, panel.CancelActions(s.Env, cancel)...)
	}

	return append(
		actions,
		tui.Action{
			ID:    "reservation.explain",
			Key:   "f4",
			Label: t.Get("explain"),
			Help:  t.Get("Explain this balance"),
			Disabled: func() string {
				if s.balance == nil {
					return t.Get("Balance unknown")
				}
				return ""
			},
			Run: func() tea.Cmd { return tui.Open(s.site.BalanceRoute("explain", s.balance)) },
		},
		reload,
	)
}

// deniedReason returns why the operation is not possible, or "".
func (s *detail) deniedReason(spec *api.Spec, from ...api.ReservationStatus) string {
	if why := s.site.Denied(spec); why != "" {
		return why
	}

	now := statusAt(s.doc, s.Now())
	for _, status := range from {
		if now == status {
			return ""
		}
	}

	text := s.T.Get(statuses[string(now)])
	if now != s.doc.Status || now == api.ReservationExpired { // no person did it
		return s.T.Get("It is already %s", text)
	}

	return s.T.Get("It is already %s (%s). Press F4 to see by whom.", text, s.T.When(s.doc.UpdatedAt, s.Now()))
}

// questionText returns the prompt for the current status.
func (s *detail) questionText(small bool) string {
	t := s.T

	switch {
	case small && !s.submission.Unfinished() && statusAt(s.doc, s.Now()) == api.ReservationCommitted:
		return t.Get("F5 releases it")
	case s.submission.Unfinished():
		return t.Get("No answer yet: enter retries")
	case s.deniedReason(api.CommitReservation.Spec, api.ReservationPending) == "":
		return t.Get("Enter to commit")
	case statusAt(s.doc, s.Now()) == api.ReservationCommitted:
		return t.Get("Committed: held until shipped. Press F5 to release it.")
	}

	return t.Get("Nothing left to do")
}

func (s *detail) View(size tui.Size) string {
	t := s.Theme
	if s.doc == nil {
		return panel.LoadingView(s.T, t, size, s.ShortTitle(), s.errText)
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
		lines = append(lines, strings.Split(widget.Fields(t, width, s.pairs(size)...), "\n")...)
	case tui.Short:
		f := s.pairs(size)
		first := 3
		for first > 1 && widget.Width(widget.Row(t, 400, f[:first]...)) > width-1 {
			first--
		}
		lines = append(lines, " "+widget.Row(t, width-1, f[:first]...), " "+widget.Row(t, width-1, f[first:]...))

	default:
		lines = append(
			lines,
			widget.Between(
				widget.Clean(s.T.Get("%s at %s", sku(s.doc), session.LocationOf(s.doc.Location).String())),
				t.Muted.Render(s.expiryText()), width),
			"",
		)

		if s.balance != nil {
			lines = append(lines, stocktext.Equation(s.T, t, s.balance.Quantities, width),
				stocktext.Bar(t, s.balance.Quantities, width), "")
		}
		for _, line := range strings.Split(widget.Fields(t, width-2, s.pairs(size)...), "\n") {
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

// expiryText says when the reservation expires, or when it ended.
func (s *detail) expiryText() string {
	t, now := s.T, s.Now()
	switch statusAt(s.doc, now) {
	case api.ReservationCommitted:
		return t.Get("held until shipped")
	case api.ReservationReleased:
		return t.GetC("released %s", "reservations", t.When(s.doc.UpdatedAt, now))
	case api.ReservationCancelled:
		return t.GetC("canceled %s", "reservations", t.When(s.doc.UpdatedAt, now))
	case api.ReservationExpired:
		return t.GetC("expired %s", "reservations", expiryText(t, s.doc, now))
	}

	return t.GetC("expires %s", "reservations", expiryText(t, s.doc, now))
}

// endPair returns when the reservation expires, or when it ended, with the time of day if
// the pair fits the width.
func (s *detail) endPair(width int) widget.Pair {
	t, now := s.T, s.Now()
	pair := func(label string, at time.Time) widget.Pair {
		if when := t.When(at, now); widget.Width(label)+1+widget.Width(when) <= width {
			return widget.Pair{Label: label, Value: when}
		}
		return widget.Pair{Label: label, Value: t.Day(at, now)}
	}

	switch status := statusAt(s.doc, now); status {
	case api.ReservationCommitted:
		return widget.Pair{Label: t.GetC("until", "reservations"), Value: t.Get("shipped")}
	case api.ReservationReleased, api.ReservationCancelled:
		return pair(t.Get(statuses[string(status)]), s.doc.UpdatedAt)
	case api.ReservationExpired:
		return pair(t.Get("expired"), s.doc.ExpiresAt)
	case api.ReservationPending:
	}

	return pair(t.GetC("expires", "reservations"), s.doc.ExpiresAt)
}

// remainingTime returns the remaining time, or the status if it is not pending.
func (s *detail) remainingTime(t widget.Theme) string {
	now := s.Now()
	status := statusAt(s.doc, now)
	if status != api.ReservationPending {
		text := s.T.Get(statuses[string(status)])
		if status == api.ReservationCommitted {
			return t.OK(text)
		}
		return t.Warn(text)
	}

	text := s.T.Get("%s left", TimeLeft(s.T, s.doc.ExpiresAt.Sub(now)))
	if endsSoon(s.doc, now) {
		return t.Warn(text)
	}

	return t.Accent.Render(text)
}

// pairs returns the attributes of the reservation.
func (s *detail) pairs(size tui.Size) []widget.Pair {
	r, now := s.doc, s.Now()
	held := s.T.Get("held")
	switch statusAt(r, now) {
	case api.ReservationPending, api.ReservationCommitted:
	case api.ReservationReleased, api.ReservationCancelled, api.ReservationExpired:
		held = s.T.Get("was held")
	}

	pairs := []widget.Pair{
		{
			Label: held,
			Value: s.T.Count(remaining(r)),
			Style: func(t widget.Theme, text string) string { return t.Strong.Render(text) },
		},
		{Label: s.T.Get("SKU"), Value: sku(r)},
	}

	if r.ReferenceID != "" {
		pairs = append(pairs, widget.Pair{Label: s.T.Get("for"), Value: r.ReferenceID})
	}

	pairs = append(pairs, s.endPair(size.Width))
	if size.Small() {
		return append(pairs, widget.Pair{Label: s.T.Get("at"), Value: session.LocationOf(r.Location).Code},
			widget.Pair{Label: s.T.Get("by"), Value: actor(r)})
	}
	if r.FulfilledQuantity > 0 {
		pairs = append(pairs, widget.Pair{Label: s.T.Get("reserved"), Value: s.T.Count(r.Quantity)},
			widget.Pair{Label: s.T.Get("shipped"), Value: s.T.Count(r.FulfilledQuantity)})
	}

	pairs = append(
		pairs,
		widget.Pair{
			Label: s.T.Get("created"),
			Value: s.T.Get("%s by %s", s.T.When(r.CreatedAt, now), actor(r)),
		},
		widget.Pair{Label: s.T.Get("changed"), Value: s.T.When(r.UpdatedAt, now)},
	)

	if s.balance != nil && s.balance.Owner != nil && s.balance.Channel != nil {
		pairs = append(pairs,
			widget.Pair{Label: s.T.Get("owner"), Value: s.balance.Owner.Name + ", " + s.balance.Channel.Name})
	}

	return pairs
}
