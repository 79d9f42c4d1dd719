package outbox_test

import (
	"testing"

	"bincard/server/api"
	"bincard/views/outbox"

	"github.com/stretchr/testify/require"
)

// A node can queue every write that is not ServiceOnly, so each needs a title.
func TestWorkTitle_EveryOperationHasOne(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec.Writes() && !spec.ServiceOnly {
			require.NotEqual(t, spec.ID, outbox.WorkTitle(nil, &api.Work{Operation: spec.ID}), "add %s to operationTitles", spec.ID)
		}
	}
}

// The receipt or write-off of tracked items that replaced work is an adjustment, not a
// receipt on the document.
func TestWorkTitle_ReplacementIsAnAdjustment(t *testing.T) {
	t.Parallel()
	five := int64(5)
	w := api.Work{Operation: api.ReceiveStock.ID, Stock: api.WorkStock{SKU: "OAT-1L", Reference: "PO-427", Location: "WH-1", Quantity: &five}}
	require.Equal(t, "receive 5 × OAT-1L on PO-427", outbox.WorkTitle(nil, &w))
	w.Replaces = "other"
	require.Equal(t, "adjust +5 × OAT-1L at WH-1", outbox.WorkTitle(nil, &w))
	w.Operation = api.WriteOffStock.ID
	require.Equal(t, "adjust -5 × OAT-1L at WH-1", outbox.WorkTitle(nil, &w))
}
