package panel

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// serialMsg says where a scanned serial is recorded that is not known to be here.
type serialMsg struct {
	scanned *count.SerialElsewhereError
	known   bool        // the service told; else it decides when the count is booked
	serial  *api.Serial // nil if it was never received
	at      string      // code of its location
}

// mayCountSerial reports whether a serial is known to be in stock where the items are taken
// from, or to be new if they come in.
func (p *CountPanel) mayCountSerial(l *count.Line, serial string) bool {
	return !p.Site.Supports(api.ListSerials.Spec) || l.Item.Tracking == "" || p.countable[l.Item.ID.String()+"/"+serial] ||
		slices.Contains(l.Count.Serials, serial) || slices.Contains(l.Stock.Picked, serial) || slices.Contains(l.Stock.Serials, serial)
}

// serialTime is how long a scan of a serial waits for the service.
const serialTime = 2 * time.Second

// findSerial looks up where a serial is recorded.
func (p *CountPanel) findSerial(e *count.SerialElsewhereError) tea.Cmd {
	p.lookingUp = true
	product := e.Line.Item.ID
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, serialTime)
		defer cancel()
		m := serialMsg{scanned: e}
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

// serialFound counts a serial that is here, or new if the items come in, and says where
// another one is. Without an answer it counts it, and the service checks it.
func (p *CountPanel) serialFound(m serialMsg) tea.Cmd {
	e := m.scanned
	p.lookingUp = false
	if err := p.serialError(m); err != nil {
		return tui.Fail(err)
	}
	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return l.Key == e.Line.Key })
	if at < 0 {
		return nil
	}
	if p.countable == nil {
		p.countable = map[string]bool{}
	}
	p.countable[e.Line.Item.ID.String()+"/"+e.Serial] = true
	p.Current = at
	return p.CountLabel(e.Label)
}

// serialError says why a serial cannot be counted, or returns nil. One that is picked or
// packed here may be of this document, which the service checks.
func (p *CountPanel) serialError(m serialMsg) error {
	t, serial, sku := p.T(), m.scanned.Serial, m.scanned.Line.Item.SKU
	switch {
	case !m.known || m.serial == nil && p.Job.NewSerials:
		return nil
	case m.serial == nil:
		return errors.New(t.Get("Serial %s of %s was never received. Nothing was counted: check the label.", serial, sku))
	}
	switch m.serial.Status {
	case api.InStock, api.Picked, api.Packed:
		switch {
		case p.Job.NewSerials:
			return errors.New(t.Get("Serial %s of %s is already in stock at %s. Nothing was counted: check the label.", serial, sku, m.at))
		case m.serial.LocationID != p.LocationID:
			return errors.New(t.Get("Serial %s of %s is recorded at %s. Nothing was counted: check the label.", serial, sku, m.at))
		}
		return nil
	case api.Consumed:
		return errors.New(t.Get("Serial %s of %s was shipped from %s. Nothing was counted: check the label.", serial, sku, m.at))
	default:
		return errors.New(t.Get("Serial %s of %s was written off at %s. Nothing was counted: check the label.", serial, sku, m.at))
	}
}
