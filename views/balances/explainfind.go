package balances

import (
	"context"
	"errors"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// findBalance looks up the balance that the route names.
func (x *explain) findBalance() tea.Cmd {
	x.loadErr = nil
	text := x.env.Route.Param("balance")
	return x.env.Latest("balance", func(ctx context.Context) tea.Msg {
		rows, err := catalog.Balances(ctx, x.site, text)
		return balancesMsg{rows, err}
	})
}

// chosen loads the balance that was found, or asks which of several to load.
func (x *explain) chosen(msg balancesMsg) tea.Cmd {
	t := x.env.T

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
	codes := count.ParseLabel(x.env.T, got).Codes
	x.finding = true
	return x.env.Do(func(ctx context.Context) tea.Msg {
		match, err := catalog.Find(ctx, x.site, codes...)
		return foundMsg{match, err}
	})
}

func (x *explain) showOther(msg foundMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(x.env.T, msg.err)))
	case msg.match.Document != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.match.Document))
	case x.explanation == nil:
		return tui.Open("stock")
	case msg.match.Lot != "" && msg.match.Product != nil && msg.match.Product.ID == x.explanation.Balance.ProductID:
		x.lot = msg.match.Lot // of this product: filter its movements
		x.applyFilter()
		return tea.Batch(tui.Accepted(), x.pages.LoadNear())
	case msg.match.TraceRoute() != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.match.TraceRoute()))
	}
	code, where := sku(&x.explanation.Balance), locationCode(&x.explanation.Balance)
	if msg.match.Product != nil {
		code = msg.match.Product.SKU
	}
	if msg.match.Location != nil {
		where = msg.match.Location.Code
	}
	return tea.Batch(tui.Accepted(), tui.Replace(tui.Path("explain", code+"@"+where)))
}
