package outbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// The answer to the cancellation of an inbound has the inbound too, but no
// movements.
func TestProves_NeedsMovementsOfWhatMovesStock(t *testing.T) {
	t.Parallel()
	id := api.ID{1}
	canceled := api.InboundResult{}
	canceled.Inbound.ID = id
	res := &api.Response{Output: &canceled}
	receive := &api.Request{Spec: api.ReceiveInbound.Spec, IdempotencyKey: "k", Input: &api.ReceiveInboundInput{InboundID: id, Quantity: 2}}
	cancel := &api.Request{Spec: api.CancelInbound.Spec, IdempotencyKey: "k", Input: &api.InboundInput{InboundID: id}}
	require.False(t, outbox.Proves(receive, res, true))
	require.True(t, outbox.Proves(cancel, res, true))
}
