package edge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// unknownInbound creates an inbound at the service that the edge has not read.
func (s *fixture) unknownInbound(at api.Place) api.ReceiveInboundInput {
	created := ledgertest.Do(s.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: at.ID}, ExpectedQuantity: 6})
	return api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 4}
}

// A device that is bound to a location can touch no document of another one that the edge
// does not know, not even with Bincard-Insist.
func TestDevice_UnknownDocumentOfAnotherLocation(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.holdFeed.Store(true)
	quay, any := s.service("scanner-3", &s.quay), s.service("office", nil)
	elsewhere, here := s.unknownInbound(s.main), s.unknownInbound(s.quay)
	for _, risk := range [][]api.Option{nil, {api.AcceptRisk()}} {
		_, err := api.ReceiveInbound.Call(t.Context(), quay, elsewhere, risk...)
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
		require.ErrorContains(t, err, "done at WH-1")
	}
	gone := api.ReceiveInboundInput{InboundID: s.mug.ID, Quantity: 1}
	_, err := api.ReceiveInbound.Call(t.Context(), quay, gone, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.NotFound), "the service has no such document: %v", err)
	_, err = api.ReceiveInbound.Call(t.Context(), quay, here, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), "it is at this location: %v", err)

	s.cut.Store(true)
	unknown := s.unknownInbound(s.quay)
	_, err = api.ReceiveInbound.Call(t.Context(), quay, unknown, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	require.ErrorContains(t, err, "location is unknown")
	_, err = api.ReceiveInbound.Call(t.Context(), any, unknown, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), "this key is not bound: %v", err)
}

// Work of a bound device that an earlier version saved without knowing its document is
// checked before it is sent.
func TestCheckSend(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.holdFeed.Store(true)
	s.cut.Store(true)
	elsewhere, here := s.unknownInbound(s.main), s.unknownInbound(s.quay)
	_, d, err := s.devices.Create(edge.DeviceInput{Label: "scanner-3", Scopes: api.Scopes}, &s.quay)
	require.NoError(t, err)
	caller := s.own
	caller.KeyID, caller.KeyLabel = d.ID, d.Label
	sent := map[string]*api.Request{}
	for key, in := range map[string]api.ReceiveInboundInput{"elsewhere": elsewhere, "here": here} {
		req := &api.Request{Spec: api.ReceiveInbound.Spec, Input: &in, IdempotencyKey: key, AcceptRisk: true, Caller: &caller}
		_, err := s.node.Do(t.Context(), req)
		require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
		sent[key] = req
	}
	err = s.CheckSend(t.Context(), sent["elsewhere"], s.devices)
	require.True(t, api.HasCode(err, api.Unavailable), "it is not known and not sent: %v", err)
	s.cut.Store(false)
	err = s.CheckSend(t.Context(), sent["elsewhere"], s.devices)
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	require.NoError(t, s.CheckSend(t.Context(), sent["here"], s.devices))
}

// The name of a revoked device may be given to one of another location. It cannot resolve
// the work of the earlier one; one of the same location can.
func TestDevice_NameOfARevokedDevice(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.cut.Store(true)
	_, err := api.AdjustStock.Call(t.Context(), s.service("scanner-3", &s.main), s.adjust(s.main, 4), api.Key("found"))
	require.NoError(t, err)
	replaceDevice := func(at *api.Place) api.Service {
		for _, d := range s.devices.List() {
			_, err := s.devices.Revoke(d.ID)
			require.NoError(t, err)
		}
		return s.service("scanner-3", at)
	}
	quay := replaceDevice(&s.quay)
	requireRefused(t, quay, api.DiscardWork, api.DiscardWorkInput{Key: "found", Reason: "not mine"}, "This was done at WH-1")
	requireRefused(t, quay, api.RetryWork, api.WorkKeyInput{Key: "found"}, "done at WH-1")
	_, err = api.DiscardWork.Call(t.Context(), replaceDevice(&s.main), api.DiscardWorkInput{Key: "found", Reason: "counted again"})
	require.NoError(t, err)
}
