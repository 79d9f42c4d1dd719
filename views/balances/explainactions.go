package balances

import (
	"bincard/tui/i18n"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/names"
	"bincard/views/stocktext"

	tea "github.com/charmbracelet/bubbletea"
)

func (x *explain) Actions() []tui.Action {
	t := x.T

	notLoaded := func() string {
		switch {
		case x.explanation == nil && x.loadErr != nil:
			return t.Get("No balance is shown")
		case x.explanation == nil:
			return t.Get("The balance is still loading")
		}

		return ""
	}

	noSelection := func() string {
		if x.pages.List.Len() == 0 {
			return t.Get("No movement is selected")
		}
		return ""
	}

	chart := tui.Action{
		ID:       "explain.chart",
		Key:      "tab",
		Label:    t.Get("chart"),
		Help:     t.Get("Show the quantity day by day instead of the movements"),
		Disabled: notLoaded,
		Run:      func() tea.Cmd { x.chartOpen = !x.chartOpen; return nil },
	}

	if x.chartOpen {
		chart.Label, chart.Help = t.Get("movements"), t.Get("Show the movements instead of the chart")
	}

	orderLabel := t.Get("oldest first")
	if x.order == api.OldestFirst {
		orderLabel = t.Get("newest first")
	}

	open := tui.Action{
		ID:       "explain.document",
		Key:      "enter",
		Label:    t.Get("document"),
		Short:    t.GetC("open", "verb"),
		Help:     t.Get("Open the document of this movement"),
		Disabled: noSelection,
		Run:      x.open,
	}

	verify := tui.Action{
		ID:       "explain.verify",
		Key:      "f8",
		Label:    t.Get("verify"),
		Help:     t.Get("Load every movement and add them up here"),
		Disabled: notLoaded,
		Run:      x.verify,
	}

	filter := []tui.Action{
		{
			ID:       "explain.state",
			Key:      "f3",
			Label:    t.Get("state"),
			Help:     t.Get("Show the movements of one state"),
			Disabled: notLoaded,
			Run:      x.chooseState,
		},
		{
			ID:       "explain.lot",
			Key:      "f4",
			Label:    t.Get("lot"),
			Help:     t.Get("Show the movements of one lot"),
			Disabled: notLoaded,
			Run:      x.chooseLot,
		},
		chart,
	}

	viewActions := []tui.Action{
		{
			ID:       "explain.order",
			Key:      "f9",
			Label:    orderLabel,
			Short:    t.GetC("sort", "balances"),
			Help:     t.Get("Newest first, or oldest first"),
			Disabled: notLoaded,
			Run:      x.reverseOrder,
		},
		{
			ID:       "explain.trace",
			Key:      "ctrl+t",
			Label:    t.Get("trace"),
			Help:     t.Get("Trace the lot or serial of this movement"),
			Disabled: noSelection,
			Run:      x.openTrace,
		},
		{
			ID:       "explain.refresh",
			Key:      "f5",
			Label:    t.Get("refresh"),
			Help:     t.Get("Load the latest data"),
			NoFooter: x.loadErr == nil && x.pages.Err() == nil,
			Run:      x.refresh,
		},
		{
			ID:       "explain.copy",
			Key:      "ctrl+y",
			Label:    t.Get("copy row"),
			Help:     t.Get("Copy the selected row"),
			NoFooter: true,
			Disabled: noSelection,
			Run:      x.copyRow,
		},
	}

	exportActions := x.exporter.Actions(notLoaded, x.exportContent)
	first := append([]tui.Action{open}, x.adjustActions()...)
	switch {
	case x.explanation != nil && len(mismatches(t, x.explanation)) > 0: // the proof line asks for it
		return slices.Concat([]tui.Action{verify}, first, filter, viewActions, exportActions)
	case x.chartOpen:
		return slices.Concat([]tui.Action{chart}, first, filter[:2], []tui.Action{verify}, viewActions, exportActions)
	case x.exporter.Active():
		return slices.Concat(exportActions, first, filter, []tui.Action{verify}, viewActions)
	}

	return slices.Concat(first, filter, []tui.Action{verify}, viewActions, exportActions)
}

// openTrace opens the trace of the lot or serial of the selected movement.
func (x *explain) openTrace() tea.Cmd {
	t := x.T

	e := x.pages.List.Selected().(*entry)
	var names, routes []string
	if e.movement.LotID != api.NoID {
		names = append(names, t.Get("lot %s", lotOf(&e.movement)))
		routes = append(routes, tui.Path("trace", e.movement.LotID.String()))
	}
	for _, s := range e.movement.Serials {
		names = append(names, t.Get("serial %s", s.SerialNumber))
		routes = append(routes, tui.Path("serial", s.ID.String()))
	}

	switch len(routes) {
	case 0:
		return tui.Warn(t.Get("This movement has no lot or serial"))
	case 1:
		return tui.Open(routes[0])
	}

	return tui.Choose(
		tui.Choice{
			Text:     t.Get("Trace which?"),
			Options:  names,
			OnChoice: func(i int) tea.Cmd { return tui.Open(routes[i]) },
		},
	)
}

// exportContent returns all movements that match the filter, loaded or not, in the
// current order.
func (x *explain) exportContent() export.Content {
	read := (&source{site: x.site, id: x.source.id}).fetch(x.order)
	state, lot := x.state, x.lot

	return export.Content{
		Name:  x.T.Get("explain %s", x.ShortTitle()),
		Title: x.ShortTitle(),
		Source: export.FromPages(export.EntryColumns,
			func(ctx context.Context, cursor string) ([]api.Movement, *string, error) {
				list, next, err := read(ctx, cursor)
				var out []api.Movement
				for i := range list {
					if m := &list[i].movement; (state == "" || m.InventoryState == state) &&
						(lot == "" || lotOf(m) == lot) {
						out = append(out, *m)
					}
				}

				return out, next, err
			}),
	}
}

// adjustActions returns the actions that change this balance. They also work for a
// SKU@LOCATION that was never stocked.
func (x *explain) adjustActions() []tui.Action {
	openAction := func(id, key, label, route string, spec *api.Spec) tui.Action {
		return tui.Action{
			ID:       "explain." + id,
			Key:      key,
			Label:    label,
			Help:     x.T.Get(correctingHelp[id]),
			NoFooter: id == "reserve",
			Disabled: func() string {
				if x.explanation == nil && !strings.Contains(x.Route.Param("balance"), "@") {
					return x.T.Get("The balance is still loading")
				}
				return x.site.Denied(spec)
			},
			Run: tui.Opens(route),
		}
	}

	job := func(name string) string { return tui.Path(name, x.Route.Param("balance")) }
	reserve := "reservations/new"
	if x.explanation != nil {
		job = func(name string) string { return x.site.BalanceRoute(name, &x.explanation.Balance) }
		reserve += "?sku=" + url.QueryEscape(
			sku(&x.explanation.Balance)) + "&at=" + url.QueryEscape(locationCode(&x.explanation.Balance))
	}

	return []tui.Action{
		openAction("adjust", "f6", x.T.Get("adjust"), job("adjust"), api.AdjustStock.Spec),
		openAction("move", "f7", x.T.Get("move"), job("move"), api.MoveStock.Spec),
		openAction("reserve", "f11", x.T.Get("reserve"), reserve, api.CreateReservation.Spec),
	}
}

func (x *explain) refresh() tea.Cmd {
	if x.explanation == nil && x.source.id == api.NoID {
		return x.findBalance()
	}
	if x.pages.Err() != nil {
		return x.pages.Retry()
	}
	return x.load()
}

func (x *explain) chooseState() tea.Cmd {
	options := []string{x.T.Get("all states")}
	for _, s := range api.States {
		options = append(options, names.State(x.T, s))
	}

	return tui.Choose(
		tui.Choice{Text: x.T.Get("Movements of which state?"), Options: options, OnChoice: func(i int) tea.Cmd {
			x.state = ""
			if i > 0 {
				x.state = api.States[i-1]
			}
			x.applyFilter()
			return tea.Batch(x.pages.LoadNear(), x.loadChart())
		}},
	)
}

func (x *explain) chooseLot() tea.Cmd {
	t := x.T

	seen, lots := map[string]bool{}, []string{t.Get("all lots")}
	for i := range x.entries {
		if lot := lotOf(&x.entries[i].movement); lot != "" && !seen[lot] {
			seen[lot] = true
			lots = append(lots, widget.Clean(lot))
		}
	}

	if len(lots) == 1 {
		return tui.Warn(t.Get("None of these movements has a lot"))
	}

	return tui.Choose(tui.Choice{Text: t.Get("Movements of which lot?"), Options: lots, OnChoice: func(i int) tea.Cmd {
		x.lot = ""
		if i > 0 {
			x.lot = lots[i]
		}
		x.applyFilter()
		return x.pages.LoadNear()
	}})
}

func (x *explain) open() tea.Cmd {
	e, ok := x.pages.List.Selected().(*entry)
	if !ok {
		return nil
	}

	route := stocktext.DocumentRoute(e.movement.Operation, e.movement.ReferenceType, e.movement.ReferenceID)
	if route == "" {
		return tui.Warn(x.T.Get("No document: %s", names.Operation(x.T, e.movement.Operation)))
	}

	return tui.Open(route)
}

func (x *explain) copyRow() tea.Cmd {
	e, ok := x.pages.List.Selected().(*entry)
	if !ok {
		return tui.Fail(x.T.NewError("No movement to copy"))
	}

	m := &e.movement

	return tui.Copy(strings.Join([]string{
		m.CreatedAt.Format(time.RFC3339),
		string(m.Operation),
		string(m.InventoryState),
		fmt.Sprint(m.Quantity),
		fmt.Sprint(m.BalanceBefore),
		fmt.Sprint(m.BalanceAfter),
		stocktext.MovementReason(x.T, m),
		stocktext.MovementActor(x.T, m),
		lotOf(m),
	}, "\t"))
}

// correctingHelp holds the help texts of the actions that change a balance.
var correctingHelp = i18n.Texts[string]{
	"adjust":  "Adjust one state of this balance",
	"move":    "Move stock of this balance between states",
	"reserve": "Reserve available stock for a customer or order",
}
