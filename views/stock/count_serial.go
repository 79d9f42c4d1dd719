package stock

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
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

// foundSerials are the accepted serials, by product and number.
type foundSerials map[string]foundSerial

func foundKey(product api.ID, serial string) string { return product.String() + "/" + serial }

// approvedBy returns who approved the first of the serials of a line that needed it.
func (f foundSerials) approvedBy(l *count.Line, serials []string) string {
	for _, number := range serials {
		if by := f[foundKey(l.Item.ID, number)].By; by != "" {
			return by
		}
	}

	return ""
}

// mayCountSerial reports whether a serial is recorded here, or was accepted.
func (s *countScreen) mayCountSerial(l *count.Line, serial string) bool {
	_, accepted := s.Found[foundKey(l.Item.ID, serial)]
	return accepted || l.Item.Tracking == "" || slices.Contains(l.Count.Serials, serial) ||
		slices.Contains(s.rows.forLine(l).Serials, serial)
}

// findSerial looks up where a serial is recorded that is not recorded here.
func (s *countScreen) findSerial(e *count.SerialElsewhereError) tea.Cmd {
	s.lookingUp = true

	return s.Do(func(ctx context.Context) tea.Msg {
		m := serialMsg{scanned: e}
		page, err := session.Call(ctx, s.site, api.ListSerials, api.ListSerialsInput{
			ProductID:    e.Line.Item.ID,
			SerialNumber: e.Serial,
		})
		m.err = err
		if err != nil || len(page.Items) == 0 {
			return m
		}

		m.serial = &page.Items[0]
		m.inTransit, m.err = isInTransit(ctx, s.site, *m.serial)
		if m.err != nil {
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
	t, item, number := s.T, m.scanned.Line.Item, m.scanned.Serial
	s.lookingUp = false
	if m.err != nil {
		return tui.Fail(t.NewError("%s was not counted. %s", number, submit.UserMessage(t, m.err)))
	}

	found, acceptable := foundSerial{}, true
	if m.serial != nil {
		found.Status, found.Location = m.serial.Status, m.serial.LocationID
		ours := s.site.IsDefaultStock(m.serial.OwnerID, m.serial.ChannelID)
		if ours && m.isOnHand() && m.serial.LocationID == s.location.ID { // stocked after the count began
			return s.countFound(m.scanned, foundSerial{})
		}
		gone := found.Status == api.Consumed || found.Status == api.WrittenOff
		acceptable = s.site.Supports(api.ReturnStock.Spec) && (gone || ours && found.Status == api.InStock)
	}

	rejected := errors.New(m.text(t))
	if !acceptable {
		return tui.Fail(rejected)
	}

	return tui.Fail(rejected, tui.Action{
		ID:         "count.found",
		Key:        "f8",
		Supervisor: true,
		Label:      t.Get("count it as found"),
		Approve:    func() string { return t.Get("count it as found: serial %s of %s", number, item.SKU) },
		Short:      t.GetC("found", "count"),
		Help:       t.Get("Count this serial; posting the count moves it here"),
		Run: func() tea.Cmd {
			found.By = s.ApprovedBy()
			return s.countFound(m.scanned, found)
		},
	})
}

// isOnHand reports whether a serial is recorded on hand, and not in transit.
func (m serialMsg) isOnHand() bool {
	return !m.inTransit && slices.Contains([]api.SerialStatus{api.InStock, api.Picked, api.Packed}, m.serial.Status)
}

// text says where a serial is recorded that was not counted.
func (m serialMsg) text(t *i18n.Translator) string {
	number, sku, at := m.scanned.Serial, m.scanned.Line.Item.SKU, m.location.Code
	switch {
	case m.serial == nil:
		return t.Get("Serial %s of %s was never received. Nothing was counted: check the label.", number, sku)
	case m.inTransit:
		return t.Get("Serial %s of %s is in transit from %s. Nothing was counted: receive the transfer.", number, sku,
			at)
	case m.isOnHand():
		return t.Get("Serial %s of %s is recorded at %s. Nothing was counted: check the label.", number, sku, at)
	case m.serial.Status == api.Consumed:
		return t.Get("Serial %s of %s was shipped from %s. Nothing was counted: check the label.", number, sku, at)
	}

	return t.Get("Serial %s of %s was written off at %s. Nothing was counted: check the label.", number, sku, at)
}

// countFound accepts a serial and counts it.
func (s *countScreen) countFound(e *count.SerialElsewhereError, found foundSerial) tea.Cmd {
	if s.Found == nil {
		s.Found = foundSerials{}
	}
	s.Found[foundKey(e.Line.Item.ID, e.Serial)] = found
	s.panel.Current = max(0, slices.IndexFunc(s.panel.Lines, func(l *count.Line) bool { return l.Key == e.Line.Key }))
	return s.panel.CountLabel(e.Label)
}
