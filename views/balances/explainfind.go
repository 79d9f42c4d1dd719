package balances

import (
	"context"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// findBalance looks up the balance that the route names.
func (x *explain) findBalance() tea.Cmd {
	x.loadErr = nil
	text := x.Route.Param("balance")
	return x.Latest("balance", func(ctx context.Context) tea.Msg {
		rows, err := catalog.Balances(ctx, x.site, text)
		return balancesMsg{rows, err}
	})
}

// chosen loads the balance that was found, or asks which of several to load.
func (x *explain) chosen(msg balancesMsg) tea.Cmd {
	t := x.T

	switch {
	case msg.err != nil:
		x.loadErr = msg.err
		return tui.Bell(2)
	case len(msg.rows) == 1:
		x.source.id = msg.rows[0].ID
		return x.load()
	}

	options := make([]string, len(msg.rows))
	for i, r := range msg.rows {
		options[i] = t.Get("%s, %s: %s on hand", r.OwnerName, r.ChannelName, t.Count(r.OnHand))
	}

	return tui.Choose(tui.Choice{Text: t.Get("Whose stock? It has several owners here"), Options: options,
		OnChoice: func(i int) tea.Cmd { x.source.id = msg.rows[i].ID; return x.load() }})
}

// OnScan explains the scanned product at this location, or this product at the
// scanned location.
func (x *explain) OnScan(got scan.Scan) tea.Cmd {
	codes := count.ParseLabel(x.T, got).Codes
	return x.LookUp(x.Env, func(ctx context.Context) (func() tea.Cmd, error) {
		match, err := catalog.Find(ctx, x.site, codes...)
		return func() tea.Cmd { return x.showOther(match, err) }, nil
	})
}

func (x *explain) showOther(match catalog.Match, err error) tea.Cmd {
	switch {
	case err != nil:
		return panel.FailScan(x.site, err)
	case match.Document != "":
		return tui.Accept(tui.Open(match.Document))
	case x.explanation == nil:
		return tui.Open("stock")
	case match.Lot != "" && match.Product != nil && match.Product.ID == x.explanation.Balance.ProductID:
		x.lot = match.Lot // of this product: filter its movements
		x.applyFilter()
		return tui.Accept(x.pages.LoadNear())
	case match.TraceRoute() != "":
		return tui.Accept(tui.Open(match.TraceRoute()))
	}

	code, where := sku(&x.explanation.Balance), locationCode(&x.explanation.Balance)
	if match.Product != nil {
		code = match.Product.SKU
	}
	if match.Location != nil {
		where = match.Location.Code
	}

	return tui.Accept(tui.Replace(tui.Path("explain", code+"@"+where)))
}
