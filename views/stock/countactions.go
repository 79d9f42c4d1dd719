package stock

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/panel"
)

func (s *countScreen) Actions() []tui.Action {
	t := s.site.T()

	switch {
	case s.errText != "":
		return []tui.Action{{ID: "count.retry", Keys: []string{"enter"}, Label: t.Get("retry"), Run: func() tea.Cmd {
			s.errText = ""
			return s.load(false)
		}}}
	case s.ref() == "":
		return []tui.Action{panel.ChooseLocation(s.site, s.env)}
	case s.stock == nil:
		return nil
	case len(s.draft.Queue) > 0:
		return []tui.Action{{ID: "count.again", Keys: []string{"enter"}, Label: t.Get("retry"), Short: t.Get("retry"),
			Disabled: func() string {
				if s.submission.Sending() {
					return t.Get("Recording: wait for the answer")
				}
				return ""
			}, Run: s.send}}
	case s.draft.Review:
		return s.reviewActions()
	case s.panel.Modal():
		return s.panel.Actions()
	}
	return s.countActions()
}

// countActions returns the actions during the count.
func (s *countScreen) countActions() []tui.Action {
	t := s.site.T()

	done, all := s.progress()
	rest := t.Get("location empty")
	if s.sku() != "" {
		rest = t.Get("none of it here")
	}
	if s.isList() {
		rest = t.Get("set all to 0")
	}
	if done > 0 {
		rest = t.Get("set rest to 0")
	}
	return s.panel.WithExceptions([]tui.Action{
		{ID: "count.review", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: t.Get("review"), Help: t.Get("Compare the count with recorded stock. The first scan of a product selects it and counts 0; each further scan and each serial number counts"), Disabled: func() string {
			if done == 0 {
				return t.Get("Nothing is counted yet")
			}
			return ""
		}, Run: s.finishCounting},
		s.blindAction(),
		{ID: "count.rest", Keys: []string{"f5"}, Label: rest, Short: t.GetC("rest 0", "count"), Help: t.Get("Set everything not counted to zero"), Dangerous: true,
			Ask: s.zeroText(all - done),
			Disabled: func() string {
				if done == all {
					return t.Get("Everything is counted")
				}
				return ""
			}, Run: s.countZero},
		{ID: "count.lot", Keys: []string{"f7"}, Label: t.Get("lot"), Help: t.Get("Choose the lot being counted"), Disabled: func() string {
			if !s.panel.Line().ByLot() {
				return t.Get("This item is not tracked by lot")
			}
			return ""
		}, Run: func() tea.Cmd { return s.typeLot(s.panel.Current, nil) }},
		{ID: "count.restart", Keys: []string{"f8"}, Label: t.Get("restart count"), Help: t.Get("Discard the count and start over"), NoFooter: true, Dangerous: true, Ask: t.Get("Discard the count and start over?"),
			Yes: t.Get("discard the count"), No: t.Get("keep it"),
			Run: s.restart},
		{ID: "count.several", Keys: []string{"f11"}, Label: t.Get("count several"), Short: t.GetC("several", "count"), Help: t.Get("Count several products: scan or search them one after the other, then start"), NoFooter: done > 0 || len(s.skus) > 0,
			Run: func() tea.Cmd { return tui.Open(tui.Path("count", s.location.Code, "several")) }},
	})
}

// finishCounting reviews the count, unless a product was scanned and not counted.
func (s *countScreen) finishCounting() tea.Cmd {
	t := s.site.T()

	for i, l := range s.panel.Lines {
		if !slices.Contains(s.panel.Selected, l.Item.ID) || s.panel.IsCounted(l.Item.ID) {
			continue
		}
		if s.panel.Line().Item.ID != l.Item.ID {
			s.panel.Current = i
		}
		return tui.Fail(errors.New(t.Get("%s is selected, but nothing of it is counted. Scan it again, or type how many (0 for none).", l.Item.SKU)),
			tui.Action{ID: "count.skip", Keys: []string{"f8"}, Label: t.Get("leave it uncounted"), Short: t.GetC("skip", "count"), Help: t.Get("Leave the stock of this product as recorded"), Run: func() tea.Cmd {
				s.panel.Selected = slices.DeleteFunc(s.panel.Selected, func(id api.ID) bool { return id == l.Item.ID })
				return s.finishCounting()
			}})
	}
	return s.review()
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
	t := s.site.T()

	n := s.verdictCounts()
	l := s.selected()
	short := t.Get("post")
	if n[differing]+n[unconfirmed] == 0 && !s.hidesExpected() {
		short = t.Get("finish")
	}
	actions := []tui.Action{{ID: "count.record", Keys: []string{"enter"}, Needs: s.needs(), Approve: func() string { return t.Get("%s of %s", s.bookLabel(n), s.location.Code) }, Command: tui.DoConfirm, Label: s.bookLabel(n), Short: short, Help: t.Get("Adjust stock to match the count. Large differences need the same count by another person, or a supervisor"),
		Supervisor: n[unconfirmed] > 0, Dangerous: n[unconfirmed] == 0 && (n[differing]+n[refused] > 0 || s.hidesExpected()), Ask: s.confirmText(n), Disabled: func() string {
			if why := s.site.Denied(s.reconcileSpec()); why != "" {
				return why
			}
			if n[moved] > 0 {
				return t.Get("%s changed during the count: recount (F3) or keep the count (F10)", t.Count(int64(n[moved])))
			}
			return ""
		}, Run: s.book}}
	switch s.verdict(l) {
	case refused:
		actions = append(actions, tui.Action{ID: "count.stands", Keys: []string{"f10"}, Label: t.Get("keep count"), Short: t.GetC("keep", "stock"), Help: t.Get("Keep the count, to post it again"),
			Run: func() tea.Cmd { s.acceptMoved(l); return nil }})
	case moved:
		actions = append(actions, tui.Action{ID: "count.stands", Keys: []string{"f10"}, Label: t.Get("keep count"), Short: t.GetC("keep", "stock"), Help: t.Get("Keep the count (stock has changed since)"),
			Run: func() tea.Cmd { s.acceptMoved(l); return nil }})
	case agrees, differing, uncounted, unconfirmed, hidden:
	}
	if s.hidesExpected() {
		actions = append(actions, s.blindAction())
	}
	return append(actions,
		tui.Action{ID: "count.recount", Keys: []string{"f3"}, Label: t.Get("recount"), Short: t.GetC("recount", "stock"), Help: t.Get("Count the selected item again"), Run: func() tea.Cmd { return s.recount(l) }},
		tui.Action{ID: "count.back", Keys: []string{"esc"}, Label: t.Get("back to count"), Short: t.Get("count"), Help: t.Get("Go back to counting; the count is kept"), Run: func() tea.Cmd {
			s.draft.Review = false
			return nil
		}},
		tui.Action{ID: "count.fresh", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: true, Run: func() tea.Cmd { return s.load(true) }})
}

// needs returns what posting the differences needs of the operator's role.
func (s *countScreen) needs() (out []tui.Need) {
	for _, l := range s.panel.Lines {
		if v := s.verdict(l); v == differing || v == unconfirmed {
			out = append(out, s.need(l))
		}
	}
	return out
}

// need returns what posting the difference of a line needs of the operator's role.
func (s *countScreen) need(l *count.Line) tui.Need {
	recorded := s.rowOf(l).Expected
	return tui.Need{Permission: tui.MayCount, Change: l.Count.Quantity - recorded, Recorded: recorded,
		Earlier: s.corrections.Of(s.site.Operator(), l.Item.ID)}
}

func (s *countScreen) bookLabel(n [verdicts]int) string {
	t := s.site.T()

	switch differences := n[differing] + n[unconfirmed]; {
	case s.hidesExpected():
		return t.Get("post count")
	case differences == 0:
		return t.Get("finish")
	case differences == 1:
		return t.Get("post 1 difference")
	default:
		return t.Get("post %s differences", t.Count(int64(differences)))
	}
}

// confirmText returns the question before the differences are booked.
func (s *countScreen) confirmText(n [verdicts]int) string {
	t, differences := s.site.T(), n[differing]+n[unconfirmed]

	name := s.location.Code
	if s.isList() {
		name = s.ShortTitle()
	}
	text := t.Get("Adjust %s to match the count? Differences: %s.", name, t.Count(int64(differences)))
	switch {
	case s.hidesExpected():
		text = t.Get("Adjust %s to match the count?", s.ShortTitle())
	case differences == 0:
		return t.Get("Finish with %s rejected? Their stock stays as recorded.", t.Count(int64(n[refused])))
	case s.sku() != "":
		text = t.Get("Adjust %s at %s to match the count? Differences: %s.", s.sku(), s.location.Code, t.Count(int64(differences)))
	}
	if n[uncounted] > 0 {
		text += " " + t.Get("Not counted and left unchanged: %s.", t.Count(int64(n[uncounted])))
	}
	return text
}

// recount clears a line and goes back to counting it. Nothing shows the first count, so that
// the second does not follow it.
func (s *countScreen) recount(l *count.Line) tea.Cmd {
	if s.stockMoved(l) || s.rowErrors[l.Key] != "" {
		s.acceptMoved(l)
	}
	s.keepFirst(l)
	l.Count = count.Count{}
	s.panel.Select(l.Item.ID)
	s.panel.ClearFeed()
	s.draft.Review = false
	s.panel.Choose(max(0, slices.Index(s.panel.Lines, l)))
	s.list.MoveTo(s.panel.Current)
	return tui.Toast(s.site.T().Get("Recount %s", s.rowName(l)))
}
