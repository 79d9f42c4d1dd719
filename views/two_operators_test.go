package views_test

import (
	"fmt"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// Ada counts a delivery and starts to adjust stock, and then Ben signs in: he takes over
// the delivery after a question, but not her form. The ledger names who did what.
func TestOwner_TwoOperatorsAtOneTerminal(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Stock(h.Coffee.ID, h.Main.ID, 30)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	open := func() *tuitest.Driver {
		h.Site = h.NewSite()
		return h.Terminal(t, registry(h), func(o *shell.Options) {
			o.Drafts, o.Login = drafts, tui.Login{OnChange: h.Site.SetOperator,
				Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42", Supervisor: true}, {Name: "Ben", Badge: "BEN-43"}}}
		}).Sees("Nobody is signed in")
	}
	d := open().Scan("ADA-42").Scan("PO-1").Scan("]C1010" + h.OatUnit + "17271231" + "10L42-A\x1d" + "3012")
	viewtest.RequireCount(t, d, 12)
	d.Key("esc").Do(tui.Open("adjust")).Sees("Scan the product")
	d.Scan("COF-500").Sees("COF-500@WH-1").Type("3").Key("enter").Sees("30 →        27", "-3")

	d.Scan("BEN-43").Sees("Signed in as Ben").Do(tui.Open("adjust")).Sees("Scan the product").Lacks("-3")
	d.Key("esc", "1").Sees("PO-1", "Ada: 12 counted").Key("esc")
	d.Scan("PO-1").Sees("Ada has counted 12 here. Take it over?", "enter take over", "esc leave it")
	d.Advance(time.Second).Key("esc")
	require.Equal(t, "home", d.Model.Route())

	d = open().Scan("BEN-43").Scan("PO-1").Sees("Ada has counted 12 here. Take it over?")
	d.Advance(time.Second).Key("enter").Sees("Taken over from Ada", "L42-A")
	viewtest.RequireCount(t, d, 12)
	d.Key("enter").Sees("Received 12")

	d.Scan("ADA-42").Sees("Signed in as Ada").Do(tui.Open("adjust")).Sees("30 →        27", "-3")
	d.Key("enter").Sees("Reason?").Key("enter").Sees("available 30 → 27, on hand 30 → 27 (lost)?").Key("enter").Sees("available 30 → 27")
	require.Empty(t, tuitest.DraftRoutes(t, drafts))

	received := ledgertest.Do(h.World, api.GetInbound, api.InboundInput{InboundID: in.ID}).ReceivedQuantity
	require.EqualValues(t, 12, received)
	for product, want := range map[api.ID]string{h.Oat.ID: "Ben 12", h.Coffee.ID: "Ada -3"} {
		stock := api.StockFilter{ProductID: product}
		balance := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: stock}).Items[0]
		last := ledgertest.Do(h.World, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: balance.ID,
			HistoryPage: api.HistoryPage{Order: api.NewestFirst}}).Movements[0]
		require.Equal(t, want, fmt.Sprint(last.CreatedBy.Label, " ", last.Quantity))
	}
}
