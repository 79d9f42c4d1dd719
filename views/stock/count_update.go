package stock

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

func (s *countScreen) Init(tui.Env) tea.Cmd {
	s.panel.OpenDocument = panel.OpenAbove(s.site)
	s.panel.Job = panel.CountJob{
		Verb:            s.T.Get("count"),
		Question:        s.question,
		OtherLocation:   s.openLocation,
		SerialElsewhere: s.findSerial,
	}

	s.panel.AllowZero, s.panel.ChooseLine, s.panel.AddLine = true, s.chooseLine, s.addProduct
	s.panel.SelectFirst, s.panel.HasSerial = s.sku() == "", s.mayCountSerial
	if s.listed {
		s.panel.AddLine, s.panel.Job.OtherProduct = nil, s.askToAdd
	}

	s.locationInput.Ask = s.T.Get("Which location? Scan it, or type its code")
	s.list = widget.NewList(func(l *count.Line) string { return l.Key })
	s.countDraft = savedDraft[countDraft](s.Env)
	s.resume()
	if s.ref() == "" {
		if here := s.site.Location(); here.IsSet() {
			return tui.Replace(tui.Path("count", here.Code))
		}
		return nil
	}

	return s.load(false)
}

func (s *countScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd := s.update(msg)
	if s.stock != nil {
		s.attribute(s.panel.Lines, s.site.Operator())
	}
	return s, cmd
}

func (s *countScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case locationMsg:
		s.lookingUp = false
		if msg.err != nil {
			return tui.Fail(errors.New(submit.UserMessage(s.T, msg.err)))
		}
		return tui.Accept(tui.Replace(tui.Path("count", msg.location.Code)))

	case panel.LocationChangedMsg:
		if s.ref() == "" {
			return tui.Replace(tui.Path("count", msg.Location.Code))
		}
		return nil
	case stockMsg:
		return s.stockLoaded(msg)
	case nextMsg:
		return s.nextFound(msg)
	case addedMsg:
		return s.productAdded(msg)
	case serialMsg:
		return s.serialFound(msg)
	case submit.Answer:
		return s.answered(msg)
	case tea.KeyMsg:
		return s.key(msg)
	}

	cmd, _ := s.panel.Update(msg)

	return cmd
}

// OnScan counts a scan. During the review it first goes back to counting.
func (s *countScreen) OnScan(x scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.T, x)
	switch {
	case s.ref() == "":
		return s.findLocation(r)
	case s.stock == nil:
		return tui.Fail(s.T.NewError(
			"Stock at this location is not loaded. Nothing was counted: scan again, or press esc."))
	case len(s.Queue) > 0:
		return tui.Fail(s.T.NewError(
			"The count is being recorded. Nothing was counted: press enter to continue."))
	}

	s.Review, s.panel.ConfirmAdd = false, !s.isBlind(s.IsSupervisor())
	if ask := s.requireLot(r); ask != nil {
		return ask
	}

	cmd := s.panel.OnScan(x)
	s.attribute(s.panel.Lines, s.site.Operator())

	return cmd
}

// findLocation opens the count of the location that a code names.
func (s *countScreen) findLocation(r count.Label) tea.Cmd {
	if r.HasNoCode() {
		return tui.Fail(s.T.NewError("%s is not a location label. Scan the label of the location.",
			r.Name()))
	}

	s.lookingUp = true

	return s.Do(func(ctx context.Context) tea.Msg {
		p, err := s.site.FindLocation(ctx, r.Codes[0])
		return locationMsg{p, err}
	})
}

// openLocation opens the count of another location that was scanned.
func (s *countScreen) openLocation(p session.Location) tea.Cmd {
	if p.ID == s.location.ID {
		return tui.Accept(tui.Toast(s.T.Get("You are already counting %s", p.Code)))
	}
	return tui.Accept(tui.Open(tui.Path("count", p.Code)))
}

func (s *countScreen) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.ref() == "":
		if text, done := s.locationInput.Key(k); done {
			return s.findLocation(count.ParseLabel(s.T, scan.Parse(text, s.Now())))
		}
		return nil
	case s.stock == nil:
		return nil
	case s.Review || !s.panel.AcceptsKey(k) && k.Type != tea.KeyRunes:
		// The panel must see letters, so that digits typed with them are not a quantity.
		if s.list.Key(k) && !s.Review {
			s.panel.Choose(s.list.Cursor())
		}
		return nil
	}

	if k.Type == tea.KeyEnter && !s.panel.Modal() {
		s.setLineLot(s.panel.Current)
	}

	cmd, _ := s.panel.Update(k)

	return cmd
}

// stockLoaded puts the rows on the panel, or compares them with the count.
func (s *countScreen) stockLoaded(m stockMsg) tea.Cmd {
	s.loadingReview = false
	switch {
	case m.err != nil && s.stock != nil:
		return tui.Fail(s.T.NewError("Stock could not be loaded, so the count cannot be compared: %s",
			submit.UserMessage(s.T, m.err)))
	case m.err != nil:
		s.errText = submit.UserMessage(s.T, m.err)
		return tui.Bell(2)
	}

	s.location, s.errText = m.location, ""
	fresh := rowsByKey{}
	for _, r := range m.stock.rows {
		fresh[r.key()] = r
	}
	if m.review {
		s.corrections = m.corrections
		s.compare(fresh)
		return nil
	}

	s.stock, s.rows = m.stock, fresh
	for key, then := range s.Began { // the count continues from the stock when it began
		then.item = m.stock.items[then.Product]
		s.rows[key] = then
	}

	for key, now := range fresh {
		if len(s.Began) > 0 && s.Began[key] == nil {
			if now.isEmpty() { // its lots are counted
				delete(s.rows, key)
			}
			now.Expected, now.Serials = 0, nil // stocked after the count began
		}
	}

	s.show(s.Title())
	if at := slices.IndexFunc(s.panel.Lines, func(l *count.Line) bool { return l.Key == s.LineKey }); at >= 0 {
		s.panel.Choose(at)
	}

	s.panel.Selected = s.Selected
	s.Began, s.Selected = nil, nil
	if s.Review && len(s.Queue) == 0 {
		return s.load(true)
	}

	return nil
}
