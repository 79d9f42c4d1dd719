package stock

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/panel"
)

func (s *countScreen) Actions() []tui.Action {
	t := s.T
	switch {
	case s.errText != "":
		return []tui.Action{{
			ID:    "count.retry",
			Key:   "enter",
			Label: t.Get("retry"),
			Run: func() tea.Cmd {
				s.errText = ""
				return s.load(false)
			},
		}}

	case s.ref() == "":
		return []tui.Action{panel.ChooseLocation(s.site, s.Env)}
	case s.stock == nil:
		return nil
	case len(s.Queue) > 0:
		return []tui.Action{{
			ID:    "count.again",
			Key:   "enter",
			Label: t.Get("retry"),
			Disabled: func() string {
				if s.submission.Sending() {
					return t.Get("Recording: wait for the answer")
				}
				return ""
			},
			Run: func() tea.Cmd { return s.send(s.Env, s.site) },
		}}

	case s.Review:
		return s.reviewActions()
	case s.panel.Modal():
		return s.panel.Actions()
	}

	return s.countActions()
}

// countActions returns the actions during the count.
func (s *countScreen) countActions() []tui.Action {
	t, v := s.T, s.view()
	done, all := progress(v.lines)
	rest := t.Get("location empty")
	switch {
	case done > 0:
		rest = t.Get("set rest to 0")
	case s.isList():
		rest = t.Get("set all to 0")
	case s.listed:
		rest = t.Get("none of it here")
	}

	// unless returns why an action is disabled, or "" if it can run.
	unless := func(canRun bool, reason string) func() string {
		if canRun {
			reason = ""
		}
		return func() string { return reason }
	}

	actions := s.skipActions()
	if s.site.Supports(api.ListNextCounts.Spec) {
		actions = append(actions, s.nextAction(done))
	}

	return s.panel.WithExceptions(append([]tui.Action{
		{
			ID:      "count.review",
			Key:     "enter",
			Command: tui.DoConfirm,
			Label:   t.Get("review"),
			Help: t.Get(
				"Compare the count with recorded stock. The first scan of a product selects it. Each scan after that and each serial number adds 1.",
			),
			Disabled: unless(done > 0, t.Get("Nothing is counted yet")),
			Run:      s.finishCounting,
		},
		s.blindAction(),
		{
			ID:        "count.rest",
			Key:       "f5",
			Label:     rest,
			Short:     t.GetC("rest 0", "count"),
			Help:      t.Get("Set everything not counted to zero"),
			Dangerous: true,
			Ask:       v.zeroText(all - done),
			Disabled:  unless(done < all, t.Get("Everything is counted")),
			Run:       s.countZero,
		},
		{
			ID:       "count.lot",
			Key:      "f7",
			Label:    t.Get("lot"),
			Help:     t.Get("Choose the lot being counted"),
			Disabled: unless(s.panel.Line().ByLot(), t.Get("No item tracked by lot is selected")),
			Run:      func() tea.Cmd { return s.typeLot(s.panel.Current, nil) },
		},
		{
			ID:        "count.restart",
			Key:       panel.CancelKey,
			Label:     t.Get("restart count"),
			Help:      t.Get("Discard the count and start over"),
			NoFooter:  true,
			Dangerous: true,
			Ask:       t.Get("Discard the count and start over? Counted lines: %s", v.number(done)),
			Yes:       t.Get("discard the count"),
			No:        t.Get("keep it"),
			Run:       s.restart,
		},
		{
			ID:       "count.several",
			Key:      "f11",
			Label:    t.Get("count several"),
			Short:    t.GetC("several", "count"),
			Help:     t.Get("Count several products: scan or search them one after the other, then start"),
			NoFooter: done > 0 || s.listed,
			Run:      tui.Opens(tui.Path("count", s.location.Code, "several")),
		},
	}, actions...))
}

// finishCounting reviews the count, unless a product was scanned and not counted.
func (s *countScreen) finishCounting() tea.Cmd {
	l := s.uncounted()
	if l == nil {
		return s.review()
	}
	if s.panel.Line().Item.ID != l.Item.ID {
		s.panel.Choose(slices.Index(s.panel.Lines, l))
	}

	return tui.Fail(s.T.NewError(
		"%s is selected, but nothing of it is counted. Scan it again, or type how many (0 for none).",
		l.Item.SKU), s.skipActions()...)
}

// uncounted returns the first line whose product was scanned and not counted, or nil.
func (s *countScreen) uncounted() *count.Line {
	for _, l := range s.panel.Lines {
		if slices.Contains(s.panel.Selected, l.Item.ID) && !s.panel.IsCounted(l.Item.ID) {
			return l
		}
	}

	return nil
}

// skipActions returns the action that leaves a product uncounted which was scanned, if there is one.
func (s *countScreen) skipActions() []tui.Action {
	t, l := s.T, s.uncounted()
	if l == nil {
		return nil
	}

	return []tui.Action{{
		ID:    "count.skip",
		Key:   "f8",
		Label: t.Get("leave it uncounted"),
		Short: t.GetC("skip", "count"),
		Help:  t.Get("Leave the stock of this product as recorded"),
		Run: func() tea.Cmd {
			s.panel.Selected = slices.DeleteFunc(s.panel.Selected, func(id api.ID) bool { return id == l.Item.ID })
			return s.finishCounting()
		},
	}}
}

// countZero sets everything not counted to zero.
func (s *countScreen) countZero() tea.Cmd {
	for i, l := range s.panel.Lines {
		if !hasCount(l) {
			s.setLineLot(i)
			l.Count.None = true
		}
	}

	return s.review()
}

// restart discards the count and reloads stock.
func (s *countScreen) restart() tea.Cmd {
	s.clearReview()
	return s.load(false)
}

// reviewActions returns the actions during the review.
func (s *countScreen) reviewActions() []tui.Action {
	t, v := s.T, s.view()
	n, l, label := v.counts(), v.selected, v.bookLabel()
	record := tui.Action{
		ID:    "count.record",
		Key:   "enter",
		Needs: s.plan("", "").needs(),
		Approve: func() string {
			return t.Get("%s of %s (%s)", label, s.location.Code, s.plan("", "").approvalText())
		},
		Command: tui.DoConfirm,
		Label:   label,
		Short:   t.Get("post"),
		Help: t.Get(
			"Adjust stock to match the count. Large differences need the same count by another person, or a supervisor.",
		),
		Supervisor: n[unconfirmed] > 0,
		Disabled: func() string {
			if why := s.site.Denied(reconcileSpec(s.site)); why != "" || n[moved] == 0 {
				return why
			}
			return t.Get("%s changed during the count: recount (F3) or keep the count (F10)", v.number(n[moved]))
		},
		Run: s.book,
	}

	if n[differing]+n[unconfirmed] == 0 && !v.hidesExpected {
		record.Short = t.Get("finish")
	}

	actions := []tui.Action{record}
	if verdict := v.verdict(l); verdict == refused || verdict == moved {
		keep := tui.Action{
			ID:    "count.stands",
			Key:   "f10",
			Label: t.Get("keep count"),
			Short: t.GetC("keep", "stock"),
			Help:  t.Get("Keep the count, to post it again"),
			Run:   func() tea.Cmd { s.acceptMoved(l); return nil },
		}

		if verdict == moved {
			keep.Help = t.Get("Keep the count (stock has changed since)")
		}

		actions = append(actions, keep)
	}

	if v.hidesExpected {
		actions = append(actions, s.blindAction())
	}

	return append(actions,
		tui.Action{
			ID:    "count.recount",
			Key:   "f3",
			Label: t.Get("recount"),
			Short: t.GetC("recount", "stock"),
			Help:  t.Get("Count the selected item again"),
			Run:   func() tea.Cmd { return s.recount(l) },
		},
		tui.Action{
			ID:    "count.back",
			Key:   "esc",
			Label: t.Get("back to count"),
			Short: t.Get("count"),
			Help:  t.Get("Go back to counting; the count is kept"),
			Run: func() tea.Cmd {
				s.Review = false
				return nil
			},
		},
		tui.Action{
			ID:       "count.fresh",
			Key:      "ctrl+r",
			Label:    t.Get("refresh"),
			NoFooter: true,
			Run:      func() tea.Cmd { return s.load(true) },
		})
}

func (v countView) bookLabel() string {
	n := v.counts()
	switch differences := n[differing] + n[unconfirmed]; {
	case v.hidesExpected:
		return v.t.Get("post count")
	case differences == 0:
		return v.t.Get("finish")
	default:
		return v.t.GetN(differences, "post %s difference", "post %s differences")
	}
}

// confirmText returns the question before the differences are booked.
func (v countView) confirmText() string {
	t, n := v.t, v.counts()
	differences := n[differing] + n[unconfirmed]
	name := v.location.Code
	if v.isList {
		name = v.title
	}

	text := t.Get("Adjust %s to match the count? Differences: %s.", name, v.number(differences))
	switch {
	case v.hidesExpected:
		text = t.Get("Adjust %s to match the count?", v.title)
	case differences == 0:
		return t.Get("Finish with %s rejected? Their stock stays as recorded.", v.number(n[refused]))
	case v.sku != "":
		text = t.Get("Adjust %s at %s to match the count? Differences: %s.", v.sku, name, v.number(differences))
	}

	if n[uncounted] > 0 {
		text += " " + t.Get("Not counted and left unchanged: %s.", v.number(n[uncounted]))
	}

	return text
}

// zeroText returns the question before n lines that are not counted are set to zero.
func (v countView) zeroText(n int) string {
	t, at := v.t, v.location.Code
	switch byLot := v.panel.Line().ByLot(); {
	case v.sku == "":
		return t.Get("Set %s uncounted at %s to zero?", v.number(n), at)
	case byLot && n == 1:
		return t.Get("Set the uncounted lot of %s at %s to zero?", v.sku, at)
	case byLot:
		return t.Get("Set %s uncounted lots of %s at %s to zero?", v.number(n), v.sku, at)
	}

	return t.Get("Set %s at %s to zero?", v.sku, at)
}

// blindAction hides or shows the expected quantities. Only a supervisor shows them.
func (s *countScreen) blindAction() tui.Action {
	t, hides := s.T, s.comparison().hidesExpected
	a := tui.Action{
		ID:    "count.blind",
		Key:   "f4",
		Label: t.Get("blind"),
		Help:  t.Get("Hide the expected quantities"),
		Run: func() tea.Cmd {
			s.Blind, s.Revealed = !hides, hides
			return nil
		},
	}

	if hides {
		a.Supervisor = true
		a.Approve = func() string { return t.Get("show expected quantities of %s", s.location.Code) }
		a.Label, a.Short = t.Get("show expected"), t.GetC("show", "count")
		a.Help = t.Get("Show the expected quantities")
	}

	return a
}
