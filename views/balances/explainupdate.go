package balances

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

func (x *explain) Init(env tui.Env) tea.Cmd {
	x.Env, x.lot = env, env.Route.Query.Get("lot")
	x.exporter.Init(env, x.site)
	return x.findBalance()
}

func (x *explain) Refresh() tea.Cmd {
	if x.explanation == nil {
		return nil
	}
	return x.pages.Refresh()
}

func (x *explain) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case x.chartOpen && msg.Type == tea.KeyLeft:
			return x, x.changeSpan(1)
		case x.chartOpen && msg.Type == tea.KeyRight:
			return x, x.changeSpan(-1)
		}

		cmd, _ := x.pages.Key(msg)
		return x, cmd

	case tea.MouseMsg:
		return x, x.pages.Mouse(msg, x.top)
	case balancesMsg:
		return x, x.chosen(msg)
	case expiredMsg:
		x.expired.show(msg)
	case chartMsg:
		x.chart = msg.chartData
	default:
		if cmd, handled := x.exporter.Update(msg); handled {
			return x, cmd
		}
		if cmd, handled := x.Found(x.site, msg); handled {
			return x, cmd
		}
		return x, x.handle(msg)
	}

	return x, nil
}

// handle stores a page of movements and the explanation that came with it.
func (x *explain) handle(msg tea.Msg) tea.Cmd {
	if !x.pages.Owns(msg) {
		return nil
	}

	x.pages.List.SetRows(widget.Boxed(x.entries))
	x.pages.Handle(msg)
	x.entries = widget.Unboxed[*entry](x.pages.List.Rows())
	x.measureDigits()
	x.applyFilter()
	if x.pages.Err() != nil {
		x.verifying = false
		return tui.Bell(2)
	}

	head := x.source.last()
	old := x.explanation
	x.balanceMoved = x.source.balanceChanged()
	if x.explanation = head; old == nil || old.Balance.Version != head.Balance.Version {
		return tea.Batch(x.loadNear(), x.loadChart(), x.expired.read(x.Env, x.site, head.Balance.SnapshotRow()))
	}

	return x.loadNear()
}

// loadNear requests the next page if the selection is near the end, or if all
// movements are being verified.
func (x *explain) loadNear() tea.Cmd {
	switch {
	case x.verifying && !x.pages.Complete():
		return x.pages.More()
	case x.verifying:
		x.verifying = false
		return x.showProof()
	}

	return x.pages.LoadNear()
}

// reverseOrder switches between newest first and oldest first.
func (x *explain) reverseOrder() tea.Cmd {
	x.order = map[api.Order]api.Order{api.NewestFirst: api.OldestFirst, api.OldestFirst: api.NewestFirst}[x.order]
	if x.pages.Complete() {
		slices.Reverse(x.entries)
		x.applyFilter()
		x.pages.List.MoveTo(0)
		return nil
	}

	x.entries = nil
	x.pages.Clear()

	return x.load()
}
