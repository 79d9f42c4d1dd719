package outbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// An operation that uses the lot of a receipt waits while what the receipt needs is rejected,
// until the local ledger was asked whether the lot exists without it.
func TestDepend_WaitsForAReceiptThatIsBlocked(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("create", 1, nil, []uint64{5})
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "receive", SpecID: api.ReceiveInbound.ID, Target: "/inbounds/1/receive", At: d.now, Needs: []string{"create"}}})
	d.queue.SetFootprint("receive", outbox.Footprint{Writes: []uint64{5, 7}, Shares: []uint64{7}}, nil)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "ship", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now, LotsOf: []string{"receive"}}})
	d.queue.SetFootprint("ship", outbox.Footprint{Reads: []uint64{7}}, &outbox.Refusal{Code: api.ValidationError, Message: "no"})
	require.Equal(t, []string{"create"}, d.plan())
	d.reject("create", api.ValidationError)
	require.Empty(t, d.plan())
	require.True(t, d.queue.LotsUnknown())

	d.queue.SetFootprint("ship", outbox.Footprint{Reads: []uint64{7}}, nil) // another receipt created the lot
	require.Equal(t, []string{"ship"}, d.plan())
}

// An operation that replaces another one on a document created here waits for its creation,
// although the local ledger shows a document with that id which is another site's.
func TestWithMakerOf_IsTheCreationOfTheDocument(t *testing.T) {
	t.Parallel()
	created := func(c *outbox.Capture) string {
		return map[string]string{"create": lostReservation, "other": otherReservation}[c.Key]
	}
	d := newHarness(t, outbox.Options{CreatedID: created})
	d.capture("create", 1, nil, []uint64{5})
	d.capture("other", 2, nil, []uint64{6})
	commit := func(reservation string) *outbox.Capture {
		return &outbox.Capture{Key: "again", SpecID: api.CommitReservation.ID, Target: "/reservations/" + reservation + "/commit", At: d.now, Replaces: "commit"}
	}
	first := commit(lostReservation)
	first.Key, first.Replaces, first.Needs = "commit", "", []string{"create", "other"}
	d.apply(&outbox.Entry{Capture: first})

	require.Equal(t, []string{"create"}, d.queue.WithMakerOf(commit(lostReservation), nil))
	require.Equal(t, []string{"create"}, d.queue.WithMakerOf(commit(lostReservation), []string{"create"}))
	require.Empty(t, d.queue.WithMakerOf(commit(otherReservation), nil), "it is for another document")
	require.Equal(t, []string{"create", "other"}, d.plan())
	d.answer("create", outbox.Accepted)
	require.Empty(t, d.queue.WithMakerOf(commit(lostReservation), nil), "the document exists")
}
