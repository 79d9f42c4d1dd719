package panel

import (
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// outgoingSerialMsg says where a scanned serial is recorded that is not known to be here.
type outgoingSerialMsg struct {
	scanned *count.SerialElsewhereError
	known   bool        // the service told; else it decides when the count is booked
	serial  *api.Serial // nil if it was never received
	at      string      // code of its location
}

// mayTakeSerial reports whether a serial is known to be in stock where the items are taken
// from.
func (p *CountPanel) mayTakeSerial(l *count.Line, serial string) bool {
	return !p.Site.Supports(api.ListSerials.Spec) || l.Item.Tracking == "" || p.takable[l.Item.ID.String()+"/"+serial] ||
		slices.Contains(l.Count.Serials, serial) || slices.Contains(l.Stock.Picked, serial) || slices.Contains(l.Stock.Serials, serial)
}

// findSerial looks up where a serial is recorded.
func (p *CountPanel) findSerial(e *count.SerialElsewhereError) tea.Cmd {
	p.lookingUp = true
	product := e.Line.Item.ID
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		m := outgoingSerialMsg{scanned: e}
		page, err := session.Call(ctx, p.Site, api.ListSerials, api.ListSerialsInput{ProductID: product, SerialNumber: e.Serial})
		if err != nil || len(page.Items) == 0 {
			m.known = err == nil
			return m
		}
		m.known, m.serial = true, &page.Items[0]
		list, err := p.Site.Locations(ctx)
		if err != nil {
			return m // its number is enough to refuse it
		}
		for _, l := range list {
			if l.ID == m.serial.LocationID {
				m.at = l.Code
			}
		}
		return m
	})
}

// outgoingSerialFound counts a serial that is here, and says where another one is. One that
// is picked or packed here may be of this document, which the service checks.
func (p *CountPanel) outgoingSerialFound(m outgoingSerialMsg) tea.Cmd {
	t, e := p.T(), m.scanned
	p.lookingUp = false
	sku := e.Line.Item.SKU
	if m.known && m.serial == nil {
		return tui.Fail(errors.New(t.Get("Serial %s of %s was never received. Nothing was counted: check the label.", e.Serial, sku)))
	}
	if m.known {
		switch m.serial.Status {
		case api.InStock, api.Picked, api.Packed:
			if m.serial.LocationID != p.LocationID {
				return tui.Fail(errors.New(t.Get("Serial %s of %s is recorded at %s. Nothing was counted: check the label.", e.Serial, sku, m.at)))
			}
		case api.Consumed:
			return tui.Fail(errors.New(t.Get("Serial %s of %s was shipped from %s. Nothing was counted: check the label.", e.Serial, sku, m.at)))
		default:
			return tui.Fail(errors.New(t.Get("Serial %s of %s was written off at %s. Nothing was counted: check the label.", e.Serial, sku, m.at)))
		}
	}
	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return l.Key == e.Line.Key })
	if at < 0 {
		return nil
	}
	if p.takable == nil {
		p.takable = map[string]bool{}
	}
	p.takable[e.Line.Item.ID.String()+"/"+e.Serial] = true
	p.Current = at
	return p.CountLabel(e.Label)
}
