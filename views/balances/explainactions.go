package balances

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

func (x *explain) Actions() []tui.Action {
	unknown := func() string {
		if x.explanation == nil {
			return saidTheBalanceIsNot
		}
		return ""
	}
	none := func() string {
		if _, ok := x.pages.List.Selected(); !ok {
			return noMovement
		}
		return ""
	}
	turned := saidOldestFirst
	if x.order == api.OldestFirst {
		turned = saidNewestFirst
	}
	open := tui.Action{ID: "explain.document", Keys: []string{"enter"}, Label: labelDocument, Short: shortDoc, Help: helpOpenWhatTheMovement, Disabled: none, Run: x.open}
	verify := tui.Action{ID: "explain.verify", Keys: []string{"f8"}, Label: labelVerify, Help: helpReadEveryMovementAnd, Disabled: unknown, Run: x.verify}
	filter := []tui.Action{
		{ID: "explain.state", Keys: []string{"f3"}, Label: labelState, Help: helpOneState, Disabled: unknown, Run: x.chooseState},
		{ID: "explain.lot", Keys: []string{"f4"}, Label: labelLot, Help: helpOneLot, Disabled: unknown, Run: x.chooseLot},
		{ID: "explain.chart", Keys: []string{"tab"}, Label: labelChart, Help: helpChart, Disabled: unknown,
			Run: func() tea.Cmd { x.chartOpen = !x.chartOpen; return nil }},
	}
	look := []tui.Action{
		{ID: "explain.order", Keys: []string{"f9"}, Label: turned, Short: shortTurn, Disabled: unknown, Run: x.reverseOrder},
		{ID: "explain.trace", Keys: []string{"ctrl+t"}, Label: labelTrace, Help: helpTrace, Disabled: none, Run: x.openTrace},
		{ID: "explain.refresh", Keys: []string{"f5"}, Label: labelRefresh, NoFooter: x.loadErr == nil && x.pages.Err() == nil, Run: x.refresh},
		{ID: "explain.copy", Keys: []string{"ctrl+y"}, Label: labelCopyRow, NoFooter: true, Disabled: none, Run: x.copyRow},
	}
	desk := x.exporter.Actions(unknown, x.exportContent)
	first := append([]tui.Action{open}, x.adjustActions()...)
	switch {
	case x.explanation != nil && len(mismatches(x.explanation)) > 0: // the line above asks for it
		return slices.Concat([]tui.Action{verify}, first, filter, look, desk)
	case x.exporter.Active():
		return slices.Concat(desk, first, filter, []tui.Action{verify}, look)
	}
	return slices.Concat(first, filter, []tui.Action{verify}, look, desk)
}

// openTrace traces the lot or the serial of the chosen movement.
func (x *explain) openTrace() tea.Cmd {
	e, _ := x.pages.List.Selected()
	var names, routes []string
	if e.movement.LotID != (api.ID{}) {
		names, routes = append(names, fmt.Sprintf(saidLot, lotOf(&e.movement))), append(routes, tui.Path("trace", e.movement.LotID.String()))
	}
	for _, s := range e.movement.Serials {
		names, routes = append(names, fmt.Sprintf(saidPiece, s.SerialNumber)), append(routes, tui.Path("serial", s.ID.String()))
	}
	switch len(routes) {
	case 0:
		return tui.Warn(noTrace)
	case 1:
		return tui.Open(routes[0])
	}
	return tui.Choose(tui.Choice{Text: askTrace, Options: names, OnChoice: func(i int) tea.Cmd { return tui.Open(routes[i]) }})
}

// exportContent is the content of the exported file: the movements of the chosen state and lot, in the
// order shown, all of them and not only those that were read.
func (x *explain) exportContent() export.Content {
	read := (&source{site: x.site, id: x.source.id}).fetch(x.order)
	state, lot := x.state, x.lot
	return export.Content{Name: fmt.Sprintf(fileExplain, x.ShortTitle()), Source: export.FromPages(export.EntryColumns,
		func(ctx context.Context, cursor string) ([]api.Movement, *string, error) {
			list, next, err := read(ctx, cursor)
			var out []api.Movement
			for i := range list {
				if m := &list[i].movement; (state == "" || m.InventoryState == state) && (lot == "" || lotOf(m) == lot) {
					out = append(out, *m)
				}
			}
			return out, next, err
		})}
}

// adjustActions are the ways to change the balance that is explained, where it is
// known which one that is: one that never was can be adjusted too.
func (x *explain) adjustActions() []tui.Action {
	lead := func(id, key, label, route string, spec *api.Spec) tui.Action {
		return tui.Action{ID: "explain." + id, Keys: []string{key}, Label: label, Help: correctingHelp[id], NoFooter: id == "reserve",
			Disabled: func() string {
				if x.explanation == nil && !strings.Contains(x.env.Route.Param("balance"), "@") {
					return saidTheBalanceIsNot
				}
				return x.site.Denied(spec)
			}, Run: func() tea.Cmd { return tui.Open(route) }}
	}
	job := func(name string) string { return tui.Path(name, x.env.Route.Param("balance")) }
	reserve := "reservations/new"
	if x.explanation != nil {
		job = func(name string) string { return x.site.BalanceRoute(name, &x.explanation.Balance) }
		reserve += "?sku=" + url.QueryEscape(sku(&x.explanation.Balance)) + "&at=" + url.QueryEscape(locationCode(&x.explanation.Balance))
	}
	return []tui.Action{
		lead("adjust", "f6", "adjust", job("adjust"), api.AdjustStock.Spec),
		lead("move", "f7", "move", job("move"), api.MoveStock.Spec),
		lead("reserve", "f11", "reserve", reserve, api.CreateReservation.Spec),
	}
}

func (x *explain) refresh() tea.Cmd {
	if x.explanation == nil && x.source.id == (api.ID{}) {
		return x.findBalance()
	}
	if x.pages.Err() != nil {
		return x.pages.Retry()
	}
	return x.load()
}

func (x *explain) chooseState() tea.Cmd {
	options := []string{saidAllStates}
	for _, s := range api.States {
		options = append(options, s.Title())
	}
	return tui.Choose(tui.Choice{Text: saidMovementsOfWhichState, Options: options, OnChoice: func(i int) tea.Cmd {
		x.state = ""
		if i > 0 {
			x.state = api.States[i-1]
		}
		x.applyFilter()
		return tea.Batch(x.pages.LoadNear(), x.loadChart())
	}})
}

func (x *explain) chooseLot() tea.Cmd {
	seen, lots := map[string]bool{}, []string{saidAllLots}
	for i := range x.entries {
		if lot := lotOf(&x.entries[i].movement); lot != "" && !seen[lot] {
			seen[lot] = true
			lots = append(lots, widget.Clean(lot))
		}
	}
	if len(lots) == 1 {
		return tui.Warn(saidNoneOfTheseMovements)
	}
	return tui.Choose(tui.Choice{Text: saidMovementsOfWhichLot, Options: lots, OnChoice: func(i int) tea.Cmd {
		x.lot = ""
		if i > 0 {
			x.lot = lots[i]
		}
		x.applyFilter()
		return x.pages.LoadNear()
	}})
}

func (x *explain) open() tea.Cmd {
	e, ok := x.pages.List.Selected()
	if !ok {
		return nil
	}
	route := DocumentRoute(e.movement.Operation, e.movement.ReferenceType, e.movement.ReferenceID)
	if route == "" {
		return tui.Warn(fmt.Sprintf(saidNoDocumentStandsBehind, operationText(e.movement.Operation)))
	}
	return tui.Open(route)
}

// DocumentRoute is the route of the document behind a movement, or "".
func DocumentRoute(op api.MovementOperation, referenceType, referenceID string) string {
	if referenceID == "" {
		return ""
	}
	screen := ""
	switch {
	case referenceType == "inbound" || strings.HasPrefix(string(op), "inbound_"):
		screen = "receive"
	case referenceType == "outbound" || strings.HasPrefix(string(op), "outbound_"):
		screen = "fulfill"
	case op == api.OpTransferIn || op == api.OpTransferClose:
		screen = "arrive"
	case referenceType == "transfer" || strings.HasPrefix(string(op), "transfer_"):
		screen = "ship"
	default:
		return ""
	}
	return tui.Path(screen, referenceID)
}

func (x *explain) copyRow() tea.Cmd {
	e, ok := x.pages.List.Selected()
	if !ok {
		return tui.Fail(errors.New(noMovementToCopy))
	}
	m := &e.movement
	return tui.Copy(strings.Join([]string{m.CreatedAt.Format(time.RFC3339), string(m.Operation), string(m.InventoryState),
		fmt.Sprint(m.Quantity), fmt.Sprint(m.BalanceBefore), fmt.Sprint(m.BalanceAfter), MovementReason(m), MovementActor(m), lotOf(m)}, "\t"))
}
