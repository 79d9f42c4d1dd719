package outbox_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

const (
	lostReservation  = "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e"
	otherReservation = "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0f"
)

func (d *harness) captureOn(key, reservation string, row uint64) {
	target, _, body, err := api.CommitReservation.Encode(&api.ReservationInput{ReservationID: uuid.MustParse(reservation)})
	require.NoError(d.t, err)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.CommitReservation.ID, Target: target, Body: body, At: d.now}})
	d.queue.SetFootprint(key, outbox.Footprint{Writes: []uint64{row, 9}}, nil)
}

func (d *harness) reject(key string, code api.Code) {
	d.apply(d.queue.Complete(d.now, key, outbox.Rejected, &outbox.Refusal{Code: code, Message: "no"}, 0))
}

func (d *harness) goBack() {
	d.apply(&outbox.Entry{Epoch: &outbox.Epoch{ID: "e", At: d.now, WentBack: true}})
}

// A service that went back lacks the work of all nodes until each has sent its own again.
func TestRecovery_WaitsForOtherNodes(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.goBack()
	d.captureOn("commit", lostReservation, 1)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.NotFound)
	op := d.queue.Operation("commit")
	require.Equal(t, outbox.Pending, op.State)
	require.Equal(t, api.NotFound, op.Missing.Code)
	require.False(t, op.MaybeDone(), "a person may discard it")

	d.captureOn("release", lostReservation, 1)
	d.captureOn("unrelated", otherReservation, 2) // of the same balance, row 9
	require.Equal(t, []string{"unrelated"}, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"commit": outbox.BlockedByOtherNode, "release": outbox.BlockedByOtherNode}, d.queue.Blocked())
	d.answer("unrelated", outbox.Accepted)

	for range 15 { // it does not count as stuck
		d.now = d.now.Add(30 * time.Second)
		require.Equal(t, []string{"commit"}, d.plan())
		d.reject("commit", api.NotFound)
	}
	require.Zero(t, d.queue.Counts().Stuck)
	d.now = d.now.Add(30 * time.Second)
	require.Equal(t, []string{"commit"}, d.plan())
	d.answer("commit", outbox.Accepted)
	require.Nil(t, op.Missing)
	require.Equal(t, []string{"release"}, d.plan())
}

func TestRecovery_Ends(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.goBack()
	d.captureOn("commit", lostReservation, 1)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.NotFound)
	again := outbox.New(outbox.Options{})
	for _, e := range d.queue.Compact(d.now, 0) {
		require.NoError(t, again.Apply(e))
	}
	require.True(t, again.Recovering(d.now.Add(9*time.Minute)), "the journal keeps when the service went back")
	d.now = d.now.Add(11 * time.Minute)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.NotFound)
	op := d.queue.Operation("commit")
	require.Equal(t, outbox.Refused, op.State)
	require.Equal(t, api.NotFound, op.Refusal.Code)
	require.Nil(t, op.Missing)
}

func TestRecovery_IsNarrow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wentBack, atRisk bool
		code             api.Code
		want             outbox.State
	}{
		"nothing lost":      {false, false, api.NotFound, outbox.Refused},
		"never known":       {true, true, api.NotFound, outbox.Refused},
		"another rejection": {true, false, api.InsufficientStock, outbox.Refused},
		"nothing pending":   {true, false, api.NothingPending, outbox.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newHarness(t, outbox.Options{})
			if test.wentBack {
				d.goBack()
			}
			d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now, RiskAccepted: test.atRisk}})
			d.plan()
			d.reject("k", test.code)
			require.Equal(t, test.want, d.queue.Operation("k").State)
		})
	}
}

// What was rejected since the service went back is sent again, and what had been quarantined
// because of that too.
func TestRecovery_SendsWhatWasQuarantinedForIt(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.captureOn("commit", lostReservation, 1)
	d.captureOn("release", lostReservation, 1)
	d.captureOn("disputed", otherReservation, 2)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.InsufficientStock)
	d.apply(d.queue.Hold(d.now, "release", &outbox.Refusal{Code: api.NothingPending}))
	d.apply(d.queue.Hold(d.now, "disputed", &outbox.Refusal{Code: api.QuantityExceedsPending}))
	d.apply(&outbox.Entry{Epoch: &outbox.Epoch{ID: "e", At: d.now, WentBack: true, AgreedAt: d.now.Add(-time.Minute)}})
	require.Equal(t, outbox.Pending, d.queue.Operation("release").State)
	require.Equal(t, outbox.Held, d.queue.Operation("disputed").State)
	require.Equal(t, []string{"commit"}, d.plan())
	d.answer("commit", outbox.Accepted)
	require.Equal(t, []string{"release"}, d.plan())
}

// Operations on one document keep their order although the local ledger rejects them, because
// its creation is sent again.
func TestPlan_OrderOnADocumentThatIsMissingHere(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.captureOn("commit", lostReservation, 1)
	d.captureOn("release", lostReservation, 1)
	for _, key := range []string{"commit", "release"} {
		d.queue.SetFootprint(key, outbox.Footprint{Reads: []uint64{1}}, &outbox.Refusal{Code: api.NotFound})
	}
	require.Equal(t, []string{"commit"}, d.plan())
}

// What failed here is sent again by no other node.
func TestRecovery_EarlierWorkFailed(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.goBack()
	d.captureOn("commit", lostReservation, 1)
	d.captureOn("release", lostReservation, 1)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.InsufficientStock)
	require.Equal(t, []string{"release"}, d.plan())
	d.reject("release", api.NothingPending)
	require.Equal(t, outbox.Refused, d.queue.Operation("release").State)
}

// The creation of a document that is sent again may be rejected; then what the document
// was used for waits for a person, although both had been confirmed.
func TestRecovery_NeedsTheCreationOfTheDocument(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{CreatedID: func(c *outbox.Capture) string {
		if c.Key == "create" {
			return lostReservation
		}
		return ""
	}})
	d.capture("create", 1, nil, nil)
	require.Equal(t, []string{"create"}, d.plan())
	d.answer("create", outbox.Accepted)
	d.captureOn("commit", lostReservation, 2)
	require.Equal(t, []string{"commit"}, d.plan())
	d.answer("commit", outbox.Accepted)
	d.apply(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{"create", "commit"}}})
	d.goBack()
	d.captureOn("release", lostReservation, 3)
	require.Equal(t, []string{"create"}, d.plan())
	d.reject("create", api.InsufficientStock)
	require.Empty(t, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"commit": outbox.BlockedByDependency, "release": outbox.BlockedByDependency}, d.queue.Blocked())
	require.Len(t, d.queue.Dependents("create"), 2)

	_, err := d.queue.Discard(d.now, "commit", "Ada", "gone", false)
	require.ErrorContains(t, err, "may have been applied")
	e, err := d.queue.Discard(d.now, "create", "Ada", "gone", false)
	require.NoError(t, err)
	for _, e := range append([]*outbox.Entry{e}, d.queue.HoldDependents(d.now, "create", "gone")...) {
		d.apply(e)
	}
	for _, key := range []string{"commit", "release"} {
		require.Equal(t, outbox.Held, d.queue.Operation(key).State)
		e, err = d.queue.Discard(d.now, key, "Ada", "gone", false)
		require.NoError(t, err)
		d.apply(e)
	}
}

// What the service recorded without a receipt of its lot does not wait for that receipt when
// it is sent again.
func TestRecovery_NeedsNoReceiptThatFailed(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(d *harness, key string){
		"refused": func(d *harness, key string) { d.reject(key, api.InboundNotOpen) },
		"held":    func(d *harness, key string) { d.answer(key, outbox.Conflict) },
	} {
		for _, first := range []string{"receive", "pick"} {
			t.Run(name+" "+first+" first", func(t *testing.T) {
				t.Parallel()
				d := newHarness(t, outbox.Options{})
				d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "receive", SpecID: api.ReceiveInbound.ID, Target: "/inbounds/1/receive", At: d.now}})
				d.queue.SetFootprint("receive", outbox.Footprint{Writes: []uint64{1}, Shares: []uint64{7}}, nil)
				d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "pick", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now, LotsOf: []string{"receive"}}})
				d.queue.SetFootprint("pick", outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil)
				require.Equal(t, []string{"receive", "pick"}, d.plan())
				if first == "receive" {
					fail(d, "receive")
				}
				d.answer("pick", outbox.Accepted)
				if first != "receive" {
					fail(d, "receive")
				}
				d.queue.SetFootprint("pick", outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil) // not in the replica yet
				d.goBack()
				d.queue.SetFootprint("pick", outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil)
				require.Equal(t, []string{"pick"}, d.plan())
			})
		}
	}
}

// The service may have what was recorded with a lot of a discarded receipt: the lot may have
// come from elsewhere. A person who discards it then would discard what the service has.
func TestHoldDependents_SendsAgainWhatUsesALot(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "receive", SpecID: api.ReceiveInbound.ID, Target: "/inbounds/1/receive", At: d.now}})
	d.queue.SetFootprint("receive", outbox.Footprint{Writes: []uint64{1}, Shares: []uint64{7}}, nil)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "pick", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now, LotsOf: []string{"receive"}}})
	d.queue.SetFootprint("pick", outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil)
	require.Equal(t, []string{"receive", "pick"}, d.plan())
	d.answer("receive", outbox.Accepted)
	d.answer("pick", outbox.Accepted)
	d.goBack()
	require.Equal(t, []string{"receive"}, d.plan())
	d.reject("receive", api.InboundNotOpen)
	require.Empty(t, d.plan(), "it waits for the person's decision")

	e, err := d.queue.Discard(d.now, "receive", "Ada", "gone", false)
	require.NoError(t, err)
	d.apply(e)
	require.Empty(t, d.queue.HoldDependents(d.now, "receive", "gone"))
	require.Equal(t, []string{"pick"}, d.plan())
}
