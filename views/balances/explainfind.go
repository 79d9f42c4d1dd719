package balances

import (
	"context"
	"errors"
	"fmt"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// look finds the balance that the route names.
func (x *explain) look() tea.Cmd {
	x.lost = nil
	text := x.env.Route.Param("balance")
	return x.env.Latest("balance", func(ctx context.Context) tea.Msg {
		rows, err := catalogue.Balances(ctx, x.site, text)
		return balancesMsg{rows, err}
	})
}

// chosen goes on with the balance that was found, or asks which of several.
func (x *explain) chosen(msg balancesMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		x.lost = msg.err
		return tui.Bell(2)
	case len(msg.rows) == 1:
		x.source.id = msg.rows[0].ID
		return x.load()
	}
	options := make([]string, len(msg.rows))
	for i, r := range msg.rows {
		options[i] = fmt.Sprintf(optionOwned, r.OwnerName, r.ChannelName, widget.Count(r.OnHand))
	}
	return tui.Choose(tui.Choice{Text: saidWhoseStockThereAre, Options: options,
		OnChoice: func(i int) tea.Cmd { x.source.id = msg.rows[i].ID; return x.load() }})
}

// OnScan explains the scanned product at the same location, or the balance at
// a scanned location.
func (x *explain) OnScan(got scan.Scan) tea.Cmd {
	codes := dock.Read(got).Codes
	x.finding = true
	return x.env.Do(func(ctx context.Context) tea.Msg {
		thing, err := catalogue.Find(ctx, x.site, codes...)
		return foundMsg{thing, err}
	})
}

func (x *explain) other(msg foundMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tui.Fail(errors.New(dock.Words(msg.err)))
	case msg.thing.Document != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.thing.Document))
	case x.head == nil:
		return tui.Open("stock")
	case msg.thing.Lot != "" && msg.thing.Product != nil && msg.thing.Product.ID == x.head.Balance.ProductID:
		x.lot = msg.thing.Lot // of this product: its movements here
		x.narrow()
		return tea.Batch(tui.Accepted(), x.pages.Follow())
	case msg.thing.Trace() != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.thing.Trace()))
	}
	code, where := sku(&x.head.Balance), place(&x.head.Balance)
	if msg.thing.Product != nil {
		code = msg.thing.Product.SKU
	}
	if msg.thing.Location != nil {
		where = msg.thing.Location.Code
	}
	return tea.Batch(tui.Accepted(), tui.Replace(tui.Path("explain", code+"@"+where)))
}
