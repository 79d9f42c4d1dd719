package panel

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
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

// A finder finds where scanned serials are recorded, and remembers which can be counted. While
// it, or the panel, looks up a scan, others wait.
type finder struct {
	site      *session.Site
	pending   bool            // a scan is being looked up
	countable map[string]bool // by product and number
}

func countableKey(l *count.Line, serial string) string { return l.Item.ID.String() + "/" + serial }

// isCountable reports whether a serial is known to be in stock where the items are taken
// from, or to be new if they come in.
func (f *finder) isCountable(l *count.Line, serial string) bool {
	return !f.site.Supports(api.ListSerials.Spec) || l.Item.Tracking == "" || f.countable[countableKey(l, serial)] ||
		slices.Contains(l.Count.Serials, serial) || slices.Contains(l.Stock.Picked, serial) ||
		slices.Contains(l.Stock.Serials, serial)
}

// serialTime is how long a scan of a serial waits for the service.
const serialTime = 2 * time.Second

// findSerial looks up where a serial is recorded.
func (f *finder) findSerial(env tui.Env, e *count.SerialElsewhereError) tea.Cmd {
	f.pending = true
	site, product := f.site, e.Line.Item.ID

	return env.Do(func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, serialTime)
		defer cancel()
		m := serialMsg{scanned: e}
		page, err := session.Call(ctx, site, api.ListSerials,
			api.ListSerialsInput{ProductID: product, SerialNumber: e.Serial})
		if err != nil || len(page.Items) == 0 {
			m.known = err == nil
			return m
		}

		m.known, m.serial = true, &page.Items[0]
		list, err := site.Locations(ctx)
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

// accept makes a serial count from now on.
func (f *finder) accept(e *count.SerialElsewhereError) {
	if f.countable == nil {
		f.countable = map[string]bool{}
	}
	f.countable[countableKey(e.Line, e.Serial)] = true
}

// serialFound counts a serial that is here, or new if the items come in, and says where
// another one is. Without an answer it counts it, and the service checks it.
func (p *CountPanel) serialFound(m serialMsg) tea.Cmd {
	e := m.scanned
	p.finder.pending = false
	if err := m.check(p.T(), p.Job.NewSerials, p.LocationID); err != nil {
		return tui.Fail(err)
	}
	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}

	at := lineIndex(p.Lines, e.Line.Key)
	if at < 0 {
		return nil
	}

	p.finder.accept(e)
	p.Current = at

	return p.CountLabel(e.Label)
}

// check says why a serial cannot be counted at a location, or returns nil. One that is picked
// or packed here may be of this document, which the service checks.
func (m serialMsg) check(t *i18n.Translator, newSerials bool, here api.ID) error {
	serial, sku := m.scanned.Serial, m.scanned.Line.Item.SKU
	switch {
	case !m.known || m.serial == nil && newSerials:
		return nil
	case m.serial == nil:
		return t.NewError("Serial %s of %s was never received. Nothing was counted: check the label.",
			serial, sku)
	}

	switch m.serial.Status {
	case api.InStock, api.Picked, api.Packed:
		switch {
		case newSerials:
			return t.NewError("Serial %s of %s is already in stock at %s. Nothing was counted: check the label.",
				serial, sku, m.at)
		case m.serial.LocationID != here:
			return t.NewError("Serial %s of %s is recorded at %s. Nothing was counted: check the label.",
				serial, sku, m.at)
		}

		return nil

	case api.Consumed:
		return t.NewError("Serial %s of %s was shipped from %s. Nothing was counted: check the label.",
			serial, sku, m.at)
	default:
		return t.NewError("Serial %s of %s was written off at %s. Nothing was counted: check the label.",
			serial, sku, m.at)
	}
}
