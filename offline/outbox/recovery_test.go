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
	target, _, body, err := api.CommitReservation.Spec.Encode(&api.ReservationInput{ReservationID: uuid.MustParse(reservation)})
	require.NoError(d.t, err)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.CommitReservation.Spec.ID, Target: target, Body: body, At: d.now}})
	d.queue.SetFootprint(d.queue.Operation(key), outbox.Footprint{Writes: []uint64{row, 9}}, nil)
}

func (d *harness) reject(key string, code api.Code) {
	d.apply(d.queue.Complete(d.now, d.queue.Operation(key), outbox.Rejected, &outbox.Refusal{Code: code, Message: "no"}, 0))
}

// sendReceiptAndPick sends the receipt of a lot, row 7, and a pick from it.
func (d *harness) sendReceiptAndPick() {
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "receive", SpecID: api.ReceiveInbound.Spec.ID, Target: "/inbounds/1/receive", At: d.now}})
	d.queue.SetFootprint(d.queue.Operation("receive"), outbox.Footprint{Writes: []uint64{1}, Shares: []uint64{7}}, nil)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "pick", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now, LotsOf: []string{"receive"}}})
	d.queue.SetFootprint(d.queue.Operation("pick"), outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil)
	require.Equal(d.t, []string{"receive", "pick"}, d.plan())
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

// A person who retries an operation accepts no risk that was not there when it was done:
// after a restart it waits for other nodes, as before, and at a node that imports it.
func TestRecovery_WaitsWhenRetriedBeforeRestart(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.goBack()
	d.captureOn("commit", lostReservation, 1)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.InsufficientStock)
	d.retry("commit")

	exported, err := d.queue.Export(d.queue.Operation("commit"))
	require.NoError(t, err)
	imported, err := outbox.ReadExported(exported)
	require.NoError(t, err)
	require.False(t, imported.RiskAccepted)

	again := newHarness(t, outbox.Options{})
	again.now = d.now
	again.apply(d.queue.Compact(d.now, 0)...)
	again.queue.SetFootprint(again.queue.Operation("commit"), outbox.Footprint{Writes: []uint64{1}}, nil)
	for _, queue := range []*harness{d, again} {
		require.Equal(t, []string{"commit"}, queue.plan())
		queue.reject("commit", api.NotFound)
		require.Equal(t, outbox.Pending, queue.queue.Operation("commit").State)
	}
}

func TestRecovery_Ends(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.goBack()
	d.captureOn("commit", lostReservation, 1)
	require.Equal(t, []string{"commit"}, d.plan())
	d.reject("commit", api.NotFound)
	again := rebuild(t, d.queue.Compact(d.now, 0))
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
			d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now, RiskAccepted: test.atRisk}})
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
	d.apply(d.queue.Operation("release").Hold(d.now, &outbox.Refusal{Code: api.NothingPending}))
	d.apply(d.queue.Operation("disputed").Hold(d.now, &outbox.Refusal{Code: api.QuantityExceedsPending}))
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
		d.queue.SetFootprint(d.queue.Operation(key), outbox.Footprint{Reads: []uint64{1}}, &outbox.Refusal{Code: api.NotFound})
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
	require.Len(t, d.queue.Dependents(d.queue.Operation("create")), 2)

	_, err := d.queue.Discard(d.now, "commit", "Ada", "gone", false)
	require.ErrorContains(t, err, "may have been applied")
	d.discard("create", "gone")
	for _, key := range []string{"commit", "release"} {
		require.Equal(t, outbox.Held, d.queue.Operation(key).State)
		d.discard(key, "gone")
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
				d.sendReceiptAndPick()
				if first == "receive" {
					fail(d, "receive")
				}
				d.answer("pick", outbox.Accepted)
				if first != "receive" {
					fail(d, "receive")
				}
				d.queue.SetFootprint(d.queue.Operation("pick"), outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil) // not in the replica yet
				d.goBack()
				d.queue.SetFootprint(d.queue.Operation("pick"), outbox.Footprint{Reads: []uint64{7}, Writes: []uint64{2}}, nil)
				require.Equal(t, []string{"pick"}, d.plan())
			})
		}
	}
}

// The service may have what was recorded with a lot of a discarded receipt: the lot may have
// come from elsewhere. A person who discards it then would discard what the service has.
func TestDiscard_SendsAgainWhatUsesALot(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.sendReceiptAndPick()
	d.answer("receive", outbox.Accepted)
	d.answer("pick", outbox.Accepted)
	d.goBack()
	require.Equal(t, []string{"receive"}, d.plan())
	d.reject("receive", api.InboundNotOpen)
	require.Empty(t, d.plan(), "it waits for the person's decision")

	entries, err := d.queue.Discard(d.now, "receive", "Ada", "gone", false)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	d.apply(entries...)
	require.Equal(t, []string{"pick"}, d.plan())
}

// probe sends a probe if one is due, with this result, and returns its timeout.
func (d *harness) probe(err error) time.Duration {
	timeout, _ := d.queue.NextProbe(d.now)
	if timeout > 0 {
		d.queue.ProbeDone(d.now, err, api.AsError(err).Details["outcome"] == "not_sent", false)
	}
	return timeout
}

var (
	errRefused = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
	errSilent  = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The service did not answer.")
	errPage    = &api.Error{Code: api.Unavailable, Details: api.Details{"outcome": "unknown"}, Err: &api.ForeignAnswer{Status: 404, Text: "default backend"}}
)

func TestProbe_FindsReturnWithinSeconds(t *testing.T) {
	t.Parallel()
	for _, outage := range []time.Duration{20 * time.Second, 10 * time.Minute, 12 * time.Hour} {
		d := newHarness(t, outbox.Options{})
		d.capture("a", 1, nil, nil)
		d.plan()
		d.answer("a", outbox.NotSent)
		require.False(t, d.queue.Link(d.now).Up)
		for end := d.now.Add(outage); d.now.Before(end); {
			require.Empty(t, d.plan(), "nothing is sent before a probe succeeds")
			timeout, at := d.queue.NextProbe(d.now)
			if timeout > 0 {
				require.False(t, d.queue.ProbeDone(d.now.Add(timeout), errRefused, true, false))
				d.now = d.now.Add(timeout)
				continue
			}
			require.LessOrEqual(t, at.Sub(d.now), 4*time.Second)
			d.now = at
		}
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		require.True(t, d.queue.ProbeDone(d.now, nil, false, false))
		require.Equal(t, []string{"a"}, d.plan(), "an outage leaves no pause behind")
	}
}

func TestProbe_SparesQuota(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.NotSent)
	var last time.Duration
	for range 8 {
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		d.queue.ProbeDone(d.now, errSilent, false, true)
		last = d.queue.Link(d.now).Next.Sub(d.now)
	}
	require.Equal(t, 30*time.Second, last)
	for range 8 { // what never arrives costs nothing
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		d.queue.ProbeDone(d.now, errRefused, true, true)
		require.LessOrEqual(t, d.queue.Link(d.now).Next.Sub(d.now), 4*time.Second)
	}
}

func TestProbe_HeartbeatNoticesSilence(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Heartbeat: 5 * time.Second})
	d.queue.MarkUp(d.now)
	timeout, at := d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.Equal(t, 5*time.Second, at.Sub(d.now))
	timeout, _ = d.queue.NextProbe(at)
	require.LessOrEqual(t, at.Add(timeout).Sub(d.now), 10*time.Second)
	d.queue.ProbeDone(at.Add(timeout), errSilent, false, false)
	require.False(t, d.queue.Link(at).Up)
}

func TestPlan_PoisonedOperationDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Parallel: 1})
	d.queue.MarkUp(d.now)
	d.capture("bad", 1, nil, nil)
	d.capture("good", 2, nil, nil)
	for range 20 {
		require.Equal(t, []string{"bad"}, d.plan())
		d.now = d.now.Add(time.Millisecond)
		d.answer("bad", outbox.Unanswered)
		require.True(t, d.queue.Link(d.now).Up, "one failure does not make the connection down")
		require.Empty(t, d.plan(), "a probe comes first")
		require.NotZero(t, d.probe(nil))
		require.True(t, d.queue.Link(d.now).Up)
		require.Equal(t, []string{"good"}, d.plan())
		d.answer("good", outbox.Unanswered)
		require.NotZero(t, d.probe(nil))
		d.now = d.now.Add(4 * time.Minute)
	}
}

// An answer to another request, since the failed one was sent, proves the
// connection.
func TestComplete_FailureAmongAnswersIsTheOperationsOwn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("bad", 1, nil, nil)
	d.capture("good", 2, nil, nil)
	d.capture("next", 3, nil, nil)
	require.Len(t, d.plan(), 3)
	d.now = d.now.Add(time.Second)
	d.answer("good", outbox.Accepted)
	d.answer("bad", outbox.Foreign)
	d.answer("next", outbox.NotSent)
	require.False(t, d.queue.NeedsProbe())
	require.True(t, d.queue.Link(d.now).Up)
}

func TestProbe_ReportsForeignAnswer(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	v := outbox.Classify(errPage, false)
	require.Equal(t, outbox.Foreign, v)
	d.answer("a", v)
	require.Equal(t, outbox.Pending, d.queue.Operation("a").State)
	require.True(t, d.queue.Operation("a").MaybeDone())
	require.NotZero(t, d.probe(errPage))
	l := d.queue.Link(d.now)
	require.Equal(t, 404, l.Foreign.Status)
	require.Equal(t, d.now, l.ForeignSince)
	d.now = l.Next
	require.NotZero(t, d.probe(errSilent), "a plain outage followed")
	require.Nil(t, d.queue.Link(d.now).Foreign)
	d.now = d.queue.Link(d.now).Next
	require.NotZero(t, d.probe(nil))
	require.Equal(t, []string{"a"}, d.plan(), "the queue drains by itself")
}

// An answer to another request ends the doubt about the connection before the probe fails,
// and shows no history. The next probe follows soon: reading may wait for changes meanwhile.
func TestProbe_FollowsUnknownHistory(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.epoch("one")
	d.capture("a", 1, nil, nil)
	d.capture("b", 2, nil, nil)
	d.plan()
	d.now = d.now.Add(time.Second)
	d.answer("a", outbox.Unanswered)
	require.NotZero(t, d.probe(errSilent))
	d.answer("b", outbox.Accepted)
	require.True(t, d.queue.Link(d.now).Up)
	require.True(t, d.queue.HistoryUnknown())
	timeout, at := d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.WithinRange(t, at, d.now, d.now.Add(4*time.Second))
	d.now = at
	doubts := d.queue.HistoryDoubts()
	require.NotZero(t, d.probe(nil))
	d.queue.HistoryKnown(doubts)
	timeout, at = d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.Zero(t, at)
}

// newStuck returns a queue with an operation that never gets through although the
// service answers, after an attempt.
func newStuck(t *testing.T) *harness {
	d := newHarness(t, outbox.Options{})
	d.queue.MarkUp(d.now)
	d.capture("bad", 1, nil, nil)
	for d.queue.Counts().Stuck == 0 {
		d.attempt()
	}
	d.attempt()
	return d
}

// attempt sends the stuck operation once more. Nothing comes back.
func (d *harness) attempt() {
	d.now = d.now.Add(4 * time.Minute)
	require.Equal(d.t, []string{"bad"}, d.plan())
	d.answer("bad", outbox.Unanswered)
	d.probe(nil)
}

func TestLookup_ProvesAbsence(t *testing.T) {
	t.Parallel()
	d := newStuck(t)
	require.Empty(t, d.queue.NextLookup(d.now), "the service may still perform it")
	d.queue.LookedUp(d.now, d.queue.Operation("bad"), false)
	require.True(t, d.queue.Operation("bad").MaybeDone())

	d.now = d.now.Add(31 * time.Second)
	require.Empty(t, d.plan(), "a stuck operation leaves time to ask")
	require.Empty(t, d.queue.NextLookup(d.now), "once for each attempt")
	d.attempt()
	d.now = d.now.Add(31 * time.Second)
	require.Equal(t, d.queue.Operation("bad"), d.queue.NextLookup(d.now))
	require.Equal(t, 1, d.queue.Counts().Sent)
	d.queue.LookedUp(d.now, d.queue.Operation("bad"), false)
	require.Zero(t, d.queue.Counts().Sent)
	require.Equal(t, d.now, d.queue.Operation("bad").NotRecordedAt)
	require.NoError(t, d.queue.Replace(&outbox.Capture{Key: "good", Replaces: "bad"}))
	_, err := d.queue.Discard(d.now, "bad", "Ada", "the filter rejects it", false)
	require.NoError(t, err)

	d.now = d.now.Add(4 * time.Minute)
	require.Equal(t, []string{"bad"}, d.plan())
	_, err = d.queue.Discard(d.now, "bad", "Ada", "the filter rejects it", false)
	require.ErrorContains(t, err, "may have been applied", "it is under way again")
}

func TestLookup_AnswerFromBeforeTheAttemptProvesNothing(t *testing.T) {
	t.Parallel()
	d := newStuck(t)
	asked := d.now.Add(31 * time.Second)
	require.Equal(t, d.queue.Operation("bad"), d.queue.NextLookup(asked))
	d.attempt()
	d.queue.LookedUp(asked, d.queue.Operation("bad"), false)
	require.True(t, d.queue.Operation("bad").MaybeDone())
}

func TestLookup_AsksOnceForOtherWorkWithTheKey(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.queue.MarkUp(d.now)
	d.capture("night-0", 1, nil, nil)
	d.plan()
	d.apply(d.queue.Complete(d.now, d.queue.Operation("night-0"), outbox.Conflict, &outbox.Refusal{Code: api.IdempotencyKeyReused}, 0))
	require.Equal(t, d.queue.Operation("night-0"), d.queue.NextLookup(d.now))
	d.queue.LookedUp(d.now, d.queue.Operation("night-0"), true)
	require.Empty(t, d.queue.NextLookup(d.now))
	d.apply(d.queue.RecordedElse(d.now, d.queue.Operation("night-0"), &api.Change{Seq: 7, Operation: api.MoveStock.Spec.ID, Device: "Scanner 3",
		CreatedBy: &api.Actor{Label: "Ben"}, Movements: []api.Movement{{Quantity: 5, Product: &api.ProductRef{SKU: "OAT-1L"}}}}))
	r := d.queue.Operation("night-0").Refusal.Recorded
	require.Equal(t, "Ben Scanner 3 OAT-1L", r.Operator+" "+r.Device+" "+r.Stock[0].SKU)
	require.EqualValues(t, 5, r.Stock[0].Quantity)
	require.Empty(t, d.queue.NextLookup(d.now))
}

// The service may record a request long after its sender gave up, when the operation has
// been replaced.
func TestRecordedReplaced(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]bool{"before its replacement is sent": false, "after its replacement is done": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newHarness(t, outbox.Options{})
			d.capture("old", 1, nil, nil)
			d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "new", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now, Replaces: "old"}})
			d.queue.SetFootprint(d.queue.Operation("new"), outbox.Footprint{Writes: []uint64{1}}, nil)
			if sent {
				require.Equal(t, []string{"new"}, d.plan())
				d.answer("new", outbox.Accepted)
			}
			for _, e := range d.queue.RecordedReplaced(d.now, d.queue.Operation("old")) {
				d.apply(e)
			}
			require.Equal(t, !sent, d.queue.Operation("old").State == outbox.Done)
			held := map[bool]string{false: "new", true: "old"}[sent]
			require.Equal(t, outbox.Held, d.queue.Operation(held).State)
			require.Equal(t, 1, d.queue.Counts().Held)
		})
	}
}

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

// One answer with an earlier result may be that to other work on the same
// document. The second attempt gets its own.
func TestSendUnrecorded_NeedsTwoReplays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	q := outbox.New(outbox.Options{})
	apply := func(e *outbox.Entry) { require.NoError(t, q.Apply(e)) }
	apply(&outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: "cancelOutbound", At: now}})
	answered := func() {
		apply(q.Plan(now).Sending)
		q.MarkReplayed(q.Operation("k"))
		apply(q.Complete(now, q.Operation("k"), outbox.Accepted, nil, 0))
	}
	answered()
	again := q.SendUnrecorded(now, q.Operation("k"))
	require.Len(t, again, 1)
	apply(again[0])
	answered()
	require.Nil(t, q.SendUnrecorded(now, q.Operation("k")))
}
