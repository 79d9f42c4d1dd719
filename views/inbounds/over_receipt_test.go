package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestReceive_WithinTolerance(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, err := h.Ledger.SetRules(t.Context(), h.Org.ID, api.Live, api.Rules{OverReceiptPercent: 5})
	require.NoError(t, err)
	in := h.Inbound("PO-1", h.Coffee, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("253").Key("enter")
	viewtest.RequireErrors(t, d, "253 is too many: COF-500 has only 240", "at most 252, with 5% over")
	d.Type("252").Key("enter").Sees("12 over (limit 5%): press enter to receive")
	d.Key("enter").Sees("Received 252: 252 of 240, 0 to go")
	require.Equal(t, []any{int64(252), api.InboundReceived}, []any{reload(h, in).ReceivedQuantity, reload(h, in).Status})
}
