package stock

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"
)

// A foundSerial is a serial that is at hand although it is recorded elsewhere, and that a
// supervisor accepted.
type foundSerial struct {
	Status   api.SerialStatus `json:"status,omitempty"`  // "" if it was never received
	Location api.ID           `json:"location,omitzero"` // where it is recorded
	By       string           `json:"by,omitempty"`      // who approved it; "" if nobody did
}

// serialMsg says where a scanned serial is recorded.
type serialMsg struct {
	scanned   *count.SerialElsewhereError
	serial    *api.Serial // nil if it was never received
	location  session.Location
	inTransit bool
	err       error
}

func foundKey(product api.ID, serial string) string { return product.String() + "/" + serial }

// mayCountSerial reports whether a serial is recorded here, or was accepted.
func (s *countScreen) mayCountSerial(l *count.Line, serial string) bool {
	_, accepted := s.draft.Found[foundKey(l.Item.ID, serial)]
	return accepted || l.Item.Tracking == "" || slices.Contains(l.Count.Serials, serial) || slices.Contains(s.rowOf(l).Serials, serial)
}

// findSerial looks up where a serial is recorded that is not recorded here.
func (s *countScreen) findSerial(e *count.SerialElsewhereError) tea.Cmd {
	s.lookingUp = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := serialMsg{scanned: e}
		page, err := session.Call(ctx, s.site, api.ListSerials, api.ListSerialsInput{ProductID: e.Line.Item.ID, SerialNumber: e.Serial})
		if m.err = err; err != nil || len(page.Items) == 0 {
			return m
		}
		m.serial = &page.Items[0]
		if m.inTransit, m.err = isInTransit(ctx, s.site, *m.serial); m.err != nil {
			return m
		}
		list, err := s.site.Locations(ctx)
		for _, l := range list {
			if l.ID == m.serial.LocationID {
				m.location = l
			}
		}
		m.err = err
		return m
	})
}

// serialFound rejects a serial and says where it is recorded. A supervisor may accept it.
func (s *countScreen) serialFound(m serialMsg) tea.Cmd {
	t, item, number := s.site.T(), m.scanned.Line.Item, m.scanned.Serial
	s.lookingUp = false
	if m.err != nil {
		return tui.Fail(errors.New(t.Get("%s was not counted. %s", number, submit.UserMessage(t, m.err))))
	}
	found, text := foundSerial{}, t.Get("Serial %s of %s was never received. Nothing was counted: check the label.", number, item.SKU)
	acceptable := true
	if m.serial != nil {
		at := m.location.Code
		onHand := slices.Contains([]api.SerialStatus{api.InStock, api.Picked, api.Packed}, m.serial.Status)
		found.Status, found.Location = m.serial.Status, m.serial.LocationID
		ours := s.site.IsDefaultStock(m.serial.OwnerID, m.serial.ChannelID)
		acceptable = ours && m.serial.Status == api.InStock
		switch {
		case ours && onHand && !m.inTransit && m.serial.LocationID == s.location.ID: // stocked after the count began
			return s.countFound(m.scanned, foundSerial{})
		case m.inTransit:
			text = t.Get("Serial %s of %s is in transit from %s. Nothing was counted: receive the transfer.", number, item.SKU, at)
		case onHand:
			text = t.Get("Serial %s of %s is recorded at %s. Nothing was counted: check the label.", number, item.SKU, at)
		case m.serial.Status == api.Consumed:
			text = t.Get("Serial %s of %s was shipped from %s. Nothing was counted: check the label.", number, item.SKU, at)
			acceptable = true
		default:
			text = t.Get("Serial %s of %s was written off at %s. Nothing was counted: check the label.", number, item.SKU, at)
			acceptable = m.serial.Status == api.WrittenOff
		}
	}
	if !acceptable || m.serial != nil && !s.site.Supports(api.ReturnStock.Spec) {
		return tui.Fail(errors.New(text))
	}
	return tui.Fail(errors.New(text), tui.Action{ID: "count.found", Keys: []string{"f8"}, Supervisor: true, Label: t.Get("count it as found"), Approve: func() string { return t.Get("count it as found: serial %s of %s", number, item.SKU) },
		Short: t.GetC("found", "count"),
		Help:  t.Get("Count this serial; posting the count moves it here"), Run: func() tea.Cmd {
			found.By = s.env.ApprovedBy()
			return s.countFound(m.scanned, found)
		}})
}

// countFound accepts a serial and counts it.
func (s *countScreen) countFound(e *count.SerialElsewhereError, found foundSerial) tea.Cmd {
	if s.draft.Found == nil {
		s.draft.Found = map[string]foundSerial{}
	}
	s.draft.Found[foundKey(e.Line.Item.ID, e.Serial)] = found
	s.panel.Current = max(0, slices.IndexFunc(s.panel.Lines, func(l *count.Line) bool { return l.Key == e.Line.Key }))
	return s.panel.CountLabel(e.Label)
}

// foundSteps returns the writes that bring found serials of a line here: those that are
// recorded at another location are written off there, and all that the ledger knows are
// returned here. rest are the serials that were never received.
func (s *countScreen) foundSteps(l *count.Line, serials []string, reason string) (out []queuedStep, rest []string, err error) {
	t := s.site.T()
	var known []string
	by := s.foundBy(l, serials)
	for _, number := range serials {
		key := foundKey(l.Item.ID, number)
		found := s.draft.Found[key]
		if found.Status == "" {
			rest = append(rest, number)
			continue
		}
		known = append(known, number)
		if found.Status != api.InStock {
			continue
		}
		c := stateChange{stockItem: stockItem{item: l.Item, location: session.Location{ID: found.Location}}, state: api.OnHand, reason: t.Get("found at %s", s.location.Code), ref: s.countReference()}
		steps, err := c.writeOffSteps(lotQuantity{quantity: 1, serials: []string{number}}, stepText(t, l))
		if err != nil {
			return nil, nil, err
		}
		steps[0].Approve(by)
		out = append(out, queuedStep{Key: l.Key, Step: steps[0], Left: key})
	}
	if len(known) > 0 {
		step, err := submit.NewStep(api.ReturnStock, api.ReturnStockInput{StockKey: api.StockKey{ProductID: l.Item.ID, LocationID: s.location.ID}, Reason: reason,
			SerialChoice: api.SerialChoice{SerialNumbers: known}, Reference: s.countReference()}, stepText(t, l))
		if err != nil {
			return nil, nil, err
		}
		step.Approve(by)
		out = append(out, queuedStep{Key: l.Key, Step: step})
	}
	return out, rest, nil
}
