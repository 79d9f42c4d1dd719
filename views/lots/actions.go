package lots

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/views/export"
	"bincard/views/labels"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *screen) Actions() []tui.Action {
	t := s.T

	noSelection := func() string {
		if _, _, ok := s.selectedRoute(); !ok {
			return t.Get("No row is selected")
		}
		return ""
	}

	open := tui.Action{
		ID:       "trace.open",
		Key:      "enter",
		Label:    t.Get("document"),
		Short:    t.GetC("open", "verb"),
		Help:     t.Get("Open the document of this line"),
		Disabled: noSelection,
		Run: func() tea.Cmd {
			route, words, _ := s.selectedRoute()
			if route == "" {
				return tui.Warn(t.Get("This step has no document: %s", words))
			}
			return tui.Open(route)
		},
	}

	if s.tab == tabHere {
		open.Label, open.Short, open.Help = t.Get("explain"), "", t.Get("Explain the stock at this location")
	}

	actions := []tui.Action{open}
	if !s.source.serial {
		// Update handles the arrow keys; this entry is for help.
		actions = append(actions, tui.Action{
			ID:    "trace.turn",
			Key:   "right",
			Label: tabs(t)[(int(s.tab)+1)%len(tabs(t))],
			Help:  t.Get("← → switch between the steps, its sources, its stock and its recipients"),
			Run:   func() tea.Cmd { s.switchTab(1); return nil },
		})
	} else {
		actions = append(actions, tui.Action{
			ID:    "trace.lot",
			Key:   "f7",
			Label: t.Get("lot"),
			Help:  t.Get("Trace the lot of this serial"),
			Disabled: func() string {
				switch {
				case s.trace == nil:
					return t.Get("It is not loaded")
				case s.trace.lot == nil:
					return t.Get("This serial has no lot")
				}

				return ""
			},
			Run: func() tea.Cmd { return tui.Open(tui.Path("trace", s.trace.lot.ID.String())) },
		})
	}

	if exportActions := s.exporter.Actions(noSelection, s.exportContent); s.exporter.Active() {
		actions = append(exportActions, actions...)
	} else {
		actions = append(actions, exportActions...)
	}

	order := t.Get("newest first")
	if s.newest {
		order = t.Get("oldest first")
	}

	actions = append(actions, labels.PrintActions(s.site, s.label)...)

	return append(
		actions,
		tui.Action{
			ID:    "trace.order",
			Key:   "f9",
			Label: order,
			Short: t.GetC("sort", "lots"),
			Help:  t.Get("Newest first, or oldest first"),
			Disabled: func() string {
				if s.tab != tabSteps {
					return t.Get("No row is selected")
				}
				return noSelection()
			},
			Run: func() tea.Cmd { s.newest = !s.newest; s.fillLists(); s.steps.MoveTo(0); return nil },
		},
		tui.Action{
			ID:       "trace.refresh",
			Key:      "f5",
			Label:    t.Get("refresh"),
			Help:     t.Get("Load the latest data"),
			NoFooter: s.loadErr == nil && s.pages.Err() == nil,
			Run:      s.refresh,
		},
		tui.Action{
			ID:       "trace.copy",
			Key:      "ctrl+y",
			Label:    t.Get("copy row"),
			Help:     t.Get("Copy the selected row"),
			NoFooter: true,
			Disabled: noSelection,
			Run:      s.copyRow,
		},
	)
}

// label returns the label of the lot or serial number.
func (s *screen) label() (r labels.Request, none string) {
	switch {
	case s.trace == nil || s.trace.product == nil:
		return r, s.T.Get("It is not loaded")
	case s.trace.serial != nil:
		r = labels.Request{Kind: label.KindSerial, Subject: s.trace.serial.SerialNumber, SKU: s.trace.product.SKU}
		if s.trace.lot != nil {
			r.Lot = s.trace.lot.LotCode
		}
		return r, ""
	}

	return labels.Request{Kind: label.KindLot, Subject: s.trace.product.SKU, Lot: s.trace.lot.LotCode}, ""
}

func (s *screen) refresh() tea.Cmd {
	if s.source.id == api.NoID {
		return s.lookUp()
	}
	return s.pages.Retry()
}

// exportContent returns the rows of the current tab.
func (s *screen) exportContent() export.Content {
	t := s.T

	name := t.Get("trace %s", s.name())
	if s.source.serial {
		name = t.Get("serial %s", s.name())
	}

	switch s.tab {
	case tabSources:
		return export.Content{Name: t.Get("%s came from", name), Source: export.FromRows(partyExport, s.from.Rows())}
	case tabHere:
		return export.Content{Name: t.Get("%s in stock", name), Source: export.FromRows(holdingExport, s.here.Rows())}
	case tabOut:
		return export.Content{Name: t.Get("%s recall", name), Source: export.FromRows(partyExport, s.out.Rows())}
	}

	return export.Content{Name: name, Source: export.FromRows(export.EntryColumns, s.movements())}
}

func (s *screen) copyRow() tea.Cmd {
	var cells []string
	switch s.tab {
	case tabSteps:
		x, _ := s.steps.Selected()
		cells = []string{
			x.at.Format(time.RFC3339),
			string(x.op),
			x.direction,
			x.location,
			fmt.Sprint(x.quantity),
			x.reason,
			x.actor,
		}

	case tabHere:
		h, _ := s.here.Selected()
		cells = rowCells(holdingExport, h)
	case tabSources:
		p, _ := s.from.Selected()
		cells = rowCells(partyExport, p)
	default:
		p, _ := s.out.Selected()
		cells = rowCells(partyExport, p)
	}

	return tui.Copy(strings.Join(cells, "\t"))
}

func rowCells[T any](columns []export.Column[T], row T) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.Cell(&row)
	}
	return cells
}

var partyExport = []export.Column[Party]{
	export.Text("party", func(p *Party) string { return p.Party }),
	export.Text("document", func(p *Party) string { return p.Document }),
	export.Literal("operation", func(p *Party) string { return p.Op }),
	export.Text("locationCode", func(p *Party) string { return p.Place }),
	export.Quantity("quantity", func(p *Party) int64 { return p.Quantity - p.ofOther() }),
	export.Time("at", func(p *Party) time.Time { return p.At }),
	export.Text("by", func(p *Party) string { return p.Who }),
	export.Text("otherItem", func(p *Party) string { return p.item }),
	export.Number("otherQuantity", (*Party).ofOther),
}

var holdingExport = func() []export.Column[api.LotHolding] {
	code := func(ref *api.PlaceRef) string { return session.LocationOf(ref).Code }
	list := []export.Column[api.LotHolding]{
		export.Text("locationCode", func(h *api.LotHolding) string { return code(h.Location) }),
		export.Text("ownerCode", func(h *api.LotHolding) string { return code(h.Owner) }),
		export.Text("channelCode", func(h *api.LotHolding) string { return code(h.Channel) }),
	}
	for _, state := range api.States {
		list = append(list, export.Quantity(string(state), func(h *api.LotHolding) int64 { return h.Of(state) }))
	}

	return list
}()
