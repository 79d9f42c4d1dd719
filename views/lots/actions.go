package lots

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *screen) Actions() []tui.Action {
	none := func() string {
		if _, _, ok := s.chosenRoute(); !ok {
			return noRow
		}
		return ""
	}
	open := tui.Action{ID: "trace.open", Keys: []string{"enter"}, Label: labelDocument, Short: shortDoc, Help: helpDocument, Disabled: none, Run: func() tea.Cmd {
		route, words, _ := s.chosenRoute()
		if route == "" {
			return tui.Warn(fmt.Sprintf(noDocument, words))
		}
		return tui.Open(route)
	}}
	if s.tab == tabHere {
		open.Label, open.Short, open.Help = "explain", "", helpExplain
	}
	actions := []tui.Action{open}
	if desk := s.desk.Actions(none, s.what); s.desk.Under() {
		actions = append(desk, actions...)
	} else {
		actions = append(actions, desk...)
	}
	if !s.source.piece {
		// The arrows are Update's: here they stand for the help.
		actions = append(actions, tui.Action{ID: "trace.turn", Keys: []string{"right"}, Label: tabs()[(int(s.tab)+1)%len(tabs())], Help: helpTurn,
			Run: func() tea.Cmd { s.turn(1); return nil }})
	} else {
		actions = append(actions, tui.Action{ID: "trace.lot", Keys: []string{"f7"}, Label: labelLot, Help: helpLot, Disabled: func() string {
			switch {
			case s.head == nil:
				return notRead
			case s.head.lot == nil:
				return noLotOfIt
			}
			return ""
		}, Run: func() tea.Cmd { return tui.Open(tui.Path("trace", s.head.lot.ID.String())) }})
	}
	order := saidNewestFirst
	if s.newest {
		order = saidOldestFirst
	}
	return append(actions,
		tui.Action{ID: "trace.order", Keys: []string{"f9"}, Label: order, Short: shortTurn, Help: helpOrder, Disabled: func() string {
			if s.tab != tabSteps {
				return noRow
			}
			return none()
		}, Run: func() tea.Cmd { s.newest = !s.newest; s.fill(); s.steps.MoveTo(0); return nil }},
		tui.Action{ID: "trace.refresh", Keys: []string{"f5"}, Label: labelRefresh, NoFooter: s.lost == nil && s.pages.Err() == nil, Run: s.refresh},
		tui.Action{ID: "trace.copy", Keys: []string{"ctrl+y"}, Label: labelCopyRow, NoFooter: true, Disabled: none, Run: s.copyRow})
}

func (s *screen) refresh() tea.Cmd {
	if s.source.id == (api.ID{}) {
		return s.look()
	}
	return s.pages.Retry()
}

// what is given away as a file: what is shown.
func (s *screen) what() export.What {
	name := fmt.Sprintf(saidTrace, s.name())
	if s.source.piece {
		name = fmt.Sprintf(saidPiece, s.name())
	}
	switch s.tab {
	case tabFrom:
		return export.What{Name: fmt.Sprintf(saidCameFrom, name), Source: export.Rows(partySheet, s.from.Rows())}
	case tabHere:
		return export.What{Name: fmt.Sprintf(saidIsHere, name), Source: export.Rows(holdingSheet, s.here.Rows())}
	case tabGone:
		return export.What{Name: fmt.Sprintf(saidRecall, name), Source: export.Rows(partySheet, s.gone.Rows())}
	}
	return export.What{Name: name, Source: export.Rows(export.Entries, s.pages.List.Rows())}
}

func (s *screen) copyRow() tea.Cmd {
	var cells []string
	switch s.tab {
	case tabSteps:
		x, _ := s.steps.Selected()
		cells = []string{x.at.Format(time.RFC3339), string(x.op), x.way, x.place, fmt.Sprint(x.q), x.why, x.who}
	case tabHere:
		h, _ := s.here.Selected()
		cells = line(holdingSheet, h)
	case tabFrom:
		p, _ := s.from.Selected()
		cells = line(partySheet, p)
	default:
		p, _ := s.gone.Selected()
		cells = line(partySheet, p)
	}
	return tui.Copy(strings.Join(cells, "\t"))
}

func line[T any](sheet []export.Column[T], row T) []string {
	cells := make([]string, len(sheet))
	for i, c := range sheet {
		cells[i] = c.Of(&row)
	}
	return cells
}

var partySheet = []export.Column[Party]{
	{Name: "party", Of: func(p *Party) string { return p.Party }}, {Name: "document", Of: func(p *Party) string { return p.Document }},
	{Name: "operation", Plain: true, Of: func(p *Party) string { return p.Op }}, {Name: "locationCode", Of: func(p *Party) string { return p.Place }},
	{Name: "quantity", Plain: true, Of: func(p *Party) string { return fmt.Sprint(p.Quantity) }},
	{Name: "at", Plain: true, Of: func(p *Party) string { return p.At.Format(time.RFC3339) }}, {Name: "by", Of: func(p *Party) string { return p.Who }},
}

var holdingSheet = func() []export.Column[api.LotHolding] {
	code := func(ref *api.PlaceRef) string { return dock.PlaceOf(ref).Code }
	list := []export.Column[api.LotHolding]{
		{Name: "locationCode", Of: func(h *api.LotHolding) string { return code(h.Location) }},
		{Name: "ownerCode", Of: func(h *api.LotHolding) string { return code(h.Owner) }},
		{Name: "channelCode", Of: func(h *api.LotHolding) string { return code(h.Channel) }},
	}
	for _, state := range api.States {
		list = append(list, export.Column[api.LotHolding]{Name: string(state), Plain: true, Of: func(h *api.LotHolding) string { return fmt.Sprint(h.Of(state)) }})
	}
	return list
}()
