package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// people returns who made the movements of an operation and who approved them, oldest first.
func people(h *viewtest.Warehouse, operation api.MovementOperation) (out [][2]string) {
	for _, row := range ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{Operation: operation}).Items {
		out = append([][2]string{{row.Operator, row.ApprovedBy}}, out...)
	}
	return out
}

func TestApproval_IsOfTheApprovedWriteAlone(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	threeLines(h)
	h.Inbound("PO-8", h.Soy, 5, time.Hour)
	d := openAt(t, h, "PO-7", h.SignIn)
	d.Scan("COF-500").Scan("CAM-1").Scan("S-0001").Scan("]C101" + h.OatBox + "17270331" + "10L1")
	h.Proxy.Before(api.ReceiveInbound.Spec, func() { // Ada works on while the lines are sent
		d.Do(tui.Open("receive/PO-8")).Sees("Receive › PO-8").Key("f5").Scan("EVE-43").Sees("Approved by Eve", "Reason")
	})
	d.Key("enter")
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 3)
	d.Advance(time.Second).Type("lost").Key("enter").Sees("PO-8 closed, 5 missing")
	require.Equal(t, [][2]string{{"Ada", "Eve"}}, people(h, api.OpInboundClose))
	for _, line := range people(h, api.OpInboundReceive) {
		require.Equal(t, [2]string{"Ada", ""}, line, "nobody approved the receipts")
	}
}

// What is counted is received before the line is closed, but only the close was approved.
func TestApproval_OfACloseIsNotOfItsReceipt(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 5, time.Hour)
	d := openAt(t, h, "PO-1", h.SignIn).Scan("COF-500").Key("f5").Scan("EVE-43").Sees("Receive 1, then close PO-1")
	d.Advance(time.Second).Type("lost").Key("enter").Sees("Received 1, PO-1 closed, 4 missing")
	require.Equal(t, [][2]string{{"Ada", "Eve"}}, people(h, api.OpInboundClose))
	for _, m := range people(h, api.OpInboundReceive) {
		require.Equal(t, [2]string{"Ada", ""}, m)
	}
}

// What Ada sent with an approval stays hers, also if Ben takes it over and sends it again.
func TestApproval_StaysWithTheOperator(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 5, time.Hour)
	d := openAt(t, h, "PO-1", h.SignIn, func(o *shell.Options) {
		o.Login.Operators = append(o.Login.Operators, tui.Operator{Name: "Ben", Badge: "BEN-44"})
	})
	h.Proxy.Fail(api.CloseInbound.Spec, viewtest.ErrLost, nil) // it did not arrive
	d.Scan("COF-500").Key("f5").Scan("EVE-43").Advance(time.Second).Type("lost").Key("enter").Sees("may already be recorded")
	d.Key("enter").Sees("No answer yet for: close").Key("esc").Scan("BEN-44")
	h.Proxy.Fail(api.CloseInbound.Spec, nil, nil)
	d.Scan("PO-1").Sees("Take it over?").Advance(time.Second).Key("enter").Sees("No answer yet for: close").Key("enter").Sees("PO-1 closed")
	require.Equal(t, [][2]string{{"Ada", "Eve"}}, people(h, api.OpInboundClose))
}
