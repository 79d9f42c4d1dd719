package outbox_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/testenv"
	"bincard/server/upgrade"
)

var start = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// A harness is a Queue with its journal.
type harness struct {
	t       require.TestingT
	queue   *outbox.Queue
	entries []*outbox.Entry
	now     time.Time
}

func newHarness(t require.TestingT, opts outbox.Options) *harness {
	opts.Random = func() float64 { return 1 }
	d := &harness{t: t, queue: outbox.New(opts), now: start}
	d.apply(&outbox.Entry{Header: &outbox.Header{Format: outbox.Format, Service: "s", Organization: "o", Environment: "test"}})
	return d
}

func (d *harness) apply(entries ...*outbox.Entry) {
	for _, e := range entries {
		if e == nil {
			continue
		}
		data, err := e.Encode()
		require.NoError(d.t, err)
		read, err := outbox.Decode(data)
		require.NoError(d.t, err)
		require.NoError(d.t, d.queue.Apply(read))
		d.entries = append(d.entries, read)
	}
}

// capture adds an operation that writes a row, and reads and creates others.
func (d *harness) capture(key string, write uint64, reads, makes []uint64) {
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now}})
	d.queue.SetFootprint(d.queue.Operation(key), outbox.Footprint{Reads: reads, Writes: append([]uint64{write}, makes...), Makes: makes}, nil)
}

// plan returns the keys of the operations to send.
func (d *harness) plan() []string {
	p := d.queue.Plan(d.now)
	d.apply(p.Sending)
	var keys []string
	for _, it := range p.Send {
		require.True(d.t, it.Attempted())
		keys = append(keys, it.Key)
	}
	return keys
}

func (d *harness) answer(key string, v outbox.Verdict) {
	d.apply(d.queue.Complete(d.now, d.queue.Operation(key), v, &outbox.Refusal{Code: "X", Message: "no"}, 0))
}

func (d *harness) retry(key string) {
	e, err := d.queue.Retry(d.now, key, "Ada")
	require.NoError(d.t, err)
	d.apply(e)
}

func (d *harness) discard(key, reason string) {
	entries, err := d.queue.Discard(d.now, key, "Ada", reason, false)
	require.NoError(d.t, err)
	d.apply(entries...)
}

func TestPlan_KeepsOrderOfConflictingOperations(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a1", 1, nil, nil)
	d.capture("a2", 1, nil, nil)
	d.capture("b1", 2, nil, nil)
	d.capture("b2", 3, []uint64{2}, nil)
	d.capture("c1", 4, nil, nil)
	require.Equal(t, []string{"a1", "b1", "c1"}, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"a2": outbox.BlockedByOrder, "b2": outbox.BlockedByOrder}, d.queue.Blocked())
	require.Empty(t, d.plan())
	d.answer("a1", outbox.Accepted)
	require.Equal(t, []string{"a2"}, d.plan())
	d.answer("b1", outbox.Rejected)
	require.Equal(t, []string{"b2"}, d.plan(), "a rejected operation unblocks the next")
}

func TestPlan_LimitsParallel(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Parallel: 2})
	for i := range 5 {
		d.capture(fmt.Sprint("k", i), uint64(i+1), nil, nil)
	}
	require.Equal(t, []string{"k0", "k1"}, d.plan())
	d.answer("k1", outbox.Accepted)
	require.Equal(t, []string{"k2"}, d.plan())
}

// doAfter adds an operation that depends on another one.
func (d *harness) doAfter(key, to string) {
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: key, After: to, SpecID: "moveStock", Target: "/stock/move-state", At: d.now}})
	d.queue.SetFootprint(d.queue.Operation(key), outbox.Footprint{}, nil)
}

func TestPlan_DependentFollowsItsParent(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("receipt", 1, nil, nil)
	d.doAfter("damaged", "receipt")
	d.doAfter("label", "damaged")
	require.Equal(t, []string{"receipt"}, d.plan(), "without a row in common")
	d.answer("receipt", outbox.Rejected)
	require.Empty(t, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"damaged": outbox.BlockedByDependency, "label": outbox.BlockedByDependency}, d.queue.Blocked())
	require.Len(t, d.queue.Dependents(d.queue.Operation("receipt")), 2)

	// The dependents of a replaced operation depend on its replacement.
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "less", Replaces: "receipt", SpecID: "receiveInbound", Target: "/x", At: d.now}})
	d.queue.SetFootprint(d.queue.Operation("less"), outbox.Footprint{}, nil)
	short := rebuild(t, d.queue.Compact(d.now.Add(time.Hour), 0)) // without the receipt
	require.Nil(t, short.Operation("receipt"))
	require.Equal(t, outbox.BlockedByOrder, short.Blocked()["damaged"])
	require.Len(t, short.Dependents(short.Operation("less")), 2)
	require.Equal(t, []string{"less"}, d.plan())
	d.answer("less", outbox.Accepted)
	require.Equal(t, []string{"damaged"}, d.plan())
	d.answer("damaged", outbox.Rejected)
	require.Empty(t, d.plan())

	// The dependents of a discarded operation are quarantined.
	d.discard("damaged", "not so")
	require.Equal(t, outbox.Held, d.queue.Operation("label").State)
	require.Contains(t, d.queue.Operation("label").Refusal.Message, "was discarded (not so)")
	d.retry("label")
	require.Equal(t, []string{"label"}, d.plan())
}

// What was done on a document that was never created is not sent, even if it was not
// quarantined before a crash, and also when the journal was compacted.
func TestPlan_DocumentNeverCreated(t *testing.T) {
	t.Parallel()
	opts := outbox.Options{CreatedID: func(c *outbox.Capture) string {
		if c.Key == "create" {
			return lostReservation
		}
		return ""
	}}
	for _, quarantined := range []bool{false, true} {
		d := newHarness(t, opts)
		d.capture("create", 1, nil, []uint64{10})
		d.captureOn("commit", lostReservation, 10)
		require.Equal(t, []string{"create"}, d.plan())
		d.answer("create", outbox.Conflict)
		entries := []*outbox.Entry{{Capture: &outbox.Capture{Key: "create-2", Replaces: "create", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now}}}
		if quarantined {
			entries = append(entries, d.queue.HoldForReplaced(d.now, d.queue.Operation("create"))...)
			require.Len(t, entries, 2)
		}
		for _, e := range entries {
			d.apply(e)
		}
		d.queue.SetFootprint(d.queue.Operation("create-2"), outbox.Footprint{}, nil)
		compacted := outbox.New(opts)
		for _, e := range d.queue.Compact(d.now.Add(time.Hour), 0) {
			require.NoError(t, compacted.Apply(e))
		}
		for _, queue := range []*outbox.Queue{d.queue, compacted} {
			require.NotNil(t, queue.Operation("commit"))
			p := queue.Plan(d.now)
			require.Len(t, p.Send, 1)
			require.Equal(t, "create-2", p.Send[0].Key)
			if quarantined {
				_, err := queue.Retry(d.now, "commit", "Ada")
				require.ErrorContains(t, err, "was never created")
			} else {
				require.Equal(t, outbox.BlockedByDependency, queue.Blocked()["commit"])
			}
		}
	}
}

func TestPlan_RejectionBlocksOnlyDependents(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("make", 1, nil, []uint64{10})
	require.Equal(t, []string{"make"}, d.plan())
	d.capture("use", 2, []uint64{10}, []uint64{11})
	d.capture("after", 3, []uint64{11}, nil)
	d.capture("other", 1, nil, nil)
	d.answer("make", outbox.Rejected)
	require.Equal(t, []string{"other"}, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"use": outbox.BlockedByDependency, "after": outbox.BlockedByDependency}, d.queue.Blocked())
	var dependents []string
	for _, it := range d.queue.Dependents(d.queue.Operation("make")) {
		dependents = append(dependents, it.Key)
	}
	require.Equal(t, []string{"use", "after"}, dependents)

	d.retry("make")
	require.Empty(t, d.plan(), "it waits for the one in flight")
	d.answer("other", outbox.Accepted)
	require.Equal(t, []string{"make"}, d.plan())
	d.answer("make", outbox.Accepted)
	require.Equal(t, []string{"use"}, d.plan())
}

func TestComplete_QuotaPausesSending(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.QuotaExceeded)
	require.True(t, d.queue.Link(d.now).QuotaExceeded)
	p := d.queue.Plan(d.now)
	require.Empty(t, p.Send)
	require.Equal(t, outbox.Pending, d.queue.Operation("a").State)
	d.now = p.WakeAt
	require.Equal(t, []string{"a"}, d.plan())
	d.answer("a", outbox.Accepted)
	require.False(t, d.queue.Link(d.now).QuotaExceeded)
}

func TestComplete_DeniedKeyPausesSendingUntilResume(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.capture("b", 2, nil, nil)
	require.Len(t, d.plan(), 2)
	d.answer("a", outbox.Denied)
	d.answer("b", outbox.Denied)
	require.Empty(t, d.plan())
	require.NotNil(t, d.queue.Link(d.now).Denied)
	d.queue.Resume()
	require.Len(t, d.plan(), 2)
}

func TestDiscard_RejectsMaybeDone(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Unanswered)
	_, err := d.queue.Discard(d.now, "a", "Ada", "not wanted", false)
	require.ErrorContains(t, err, "may have been applied")
	require.ErrorContains(t, d.queue.Replace(&outbox.Capture{Key: "b", Replaces: "a"}), "may have been applied")
	require.Nil(t, d.queue.Operation("a").Hold(d.now, nil))
	d.now = d.now.Add(time.Minute)
	d.probe(nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	_, err = d.queue.Discard(d.now, "a", "Ada", " ", false)
	require.ErrorContains(t, err, "Enter a reason")
	d.discard("a", "counted twice")
	_, err = d.queue.Retry(d.now, "a", "Ada")
	require.ErrorContains(t, err, "already discarded")
}

func TestDiscard_AcceptsNeverArrived(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	require.Equal(t, 1, d.queue.Counts().Sent, "it is in flight")
	d.answer("a", outbox.NotSent)
	require.Zero(t, d.queue.Counts().Sent)
	_, err := d.queue.Discard(d.now, "a", "Ada", "not wanted", false)
	require.NoError(t, err)
	d.now = d.now.Add(time.Minute)
	d.probe(nil)
	d.plan()
	d.answer("a", outbox.Unanswered)
	d.now = d.now.Add(time.Hour)
	d.probe(nil)
	d.plan()
	d.answer("a", outbox.NotSent)
	_, err = d.queue.Discard(d.now, "a", "Ada", "not wanted", false)
	require.ErrorContains(t, err, "may have been applied", "the earlier attempt may have arrived")
}

func TestDiscard_AcceptsNeverArrivedAfterRestart(t *testing.T) {
	t.Parallel()
	for _, v := range []outbox.Verdict{outbox.NotSent, outbox.QuotaExceeded, outbox.Denied} {
		d := newHarness(t, outbox.Options{})
		d.capture("a", 1, nil, nil)
		for range 2 { // its first attempt and one more
			d.now = d.now.Add(2 * time.Hour)
			d.probe(nil)
			require.Equal(t, []string{"a"}, d.plan(), v)
			require.Equal(t, 1, rebuild(t, d.entries).Counts().Sent, "it may have arrived before the crash")
			d.answer("a", v)
		}
		for _, again := range []*outbox.Queue{rebuild(t, d.entries), rebuild(t, d.queue.Compact(start, 0))} {
			require.Zero(t, again.Counts().Sent, v)
			require.False(t, again.Operation("a").Attempted(), v)
			_, err := again.Discard(d.now, "a", "Ada", "not wanted", false)
			require.NoError(t, err, v)
			p := again.Plan(d.now.Add(2 * time.Hour))
			require.NotNil(t, p.Sending, "the next attempt may arrive")
		}
	}
}

func TestDiscard_AcceptsRetriedBeforeSending(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	d.retry("a")
	_, err := d.queue.Discard(d.now, "a", "Ada", "not wanted after all", false)
	require.NoError(t, err)
	d.plan()
	again := rebuild(t, d.entries) // after a crash it may have been sent
	_, err = again.Discard(d.now, "a", "Ada", "not wanted after all", false)
	require.ErrorContains(t, err, "may have been applied")
}

func TestReplace_SendsReplacement(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	require.NoError(t, d.queue.Replace(&outbox.Capture{Key: "b", Replaces: "a"}))
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "b", SpecID: "adjustStock", At: d.now, Replaces: "a"}})
	require.Equal(t, outbox.Replaced, d.queue.Operation("a").State)
	require.Equal(t, "b", d.queue.Operation("a").Successor)
	require.Equal(t, []string{"b"}, d.plan())
}

func TestApply_IgnoresKnownCapture(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Accepted)
	d.capture("a", 1, nil, nil)
	require.Len(t, d.queue.Operations(), 1)
	require.Equal(t, outbox.Done, d.queue.Operation("a").State)
}

func TestClassify(t *testing.T) {
	t.Parallel()
	for code, want := range map[api.Code]outbox.Verdict{
		api.InsufficientStock: outbox.Rejected, api.ValidationError: outbox.Rejected, api.NotFound: outbox.Rejected,
		api.NotImplemented: outbox.Rejected, api.PlanLimitExceeded: outbox.QuotaExceeded, api.Unauthorized: outbox.Denied,
		api.InsufficientScope: outbox.Denied, api.RateLimited: outbox.Throttled, api.VersionConflict: outbox.Conflict,
		api.IdempotencyKeyReused: outbox.Conflict, api.Unavailable: outbox.Unanswered, api.InternalError: outbox.Unanswered,
	} {
		require.Equal(t, want, outbox.Classify(api.Fail(code, nil, "x"), false), code)
	}
	require.Equal(t, outbox.Accepted, outbox.Classify(nil, false))
	wrongTime := api.Fail(api.ValidationError, api.Details{"fields": []api.FieldProblem{{Path: api.OccurredAtHeader}}}, "x")
	require.Equal(t, outbox.TimeRejected, outbox.Classify(wrongTime, false))
	require.Equal(t, outbox.NotSent, outbox.Classify(api.Fail(api.Unavailable, nil, "x"), true))
	require.Equal(t, outbox.Unanswered, outbox.Classify(fmt.Errorf("anything else"), false))
	require.Equal(t, outbox.Unanswered, outbox.Classify(api.Fail(api.NotFound, api.Details{"outcome": "unknown"}, "x"), false))
	for status := range 600 {
		page := &api.Error{Code: api.NotFound, Err: &api.ForeignAnswer{Status: status}}
		require.Equal(t, outbox.Foreign, outbox.Classify(page, false), status)
	}
}

func TestDecode_RejectsNewerFormat(t *testing.T) {
	t.Parallel()
	_, err := outbox.Decode([]byte(`{"begin":{"format":2,"service":"","organization":"","environment":""}}`))
	require.ErrorContains(t, err, "newer Bincard")
	require.ErrorContains(t, err, "format 2; this version reads up to 1")
	_, err = outbox.Decode([]byte(`{"merge":{"keys":["a"]}}`))
	require.ErrorContains(t, err, "written by a newer Bincard")
	require.ErrorContains(t, err, "merge")
	_, err = outbox.Decode([]byte(`{}`))
	require.Error(t, err)
}

// TestApply_JournalRestoresQueue requires that applying all entries, or the
// compacted ones, restores the Queue, and that no operation is in flight
// twice.
func TestApply_JournalRestoresQueue(t *testing.T) {
	t.Parallel()
	testenv.QueueJournals.Check(t, func(rt *rapid.T) {
		d := newHarness(rt, outbox.Options{})
		inFlight := map[string]bool{}
		n := 0
		pick := func() string {
			if n == 0 {
				return "none"
			}
			return fmt.Sprint("k", rapid.IntRange(1, n).Draw(rt, "which"))
		}
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			d.now = d.now.Add(time.Duration(rapid.IntRange(0, 900).Draw(rt, "seconds")) * time.Second)
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0, 1:
				n++
				d.capture(fmt.Sprint("k", n), rapid.Uint64Range(1, 4).Draw(rt, "row"), []uint64{rapid.Uint64Range(5, 8).Draw(rt, "reads")}, nil)
			case 2:
				p := d.queue.Plan(d.now)
				d.apply(p.Sending)
				for _, it := range p.Send {
					require.False(rt, inFlight[it.Key])
					inFlight[it.Key] = true
				}
				require.LessOrEqual(rt, len(inFlight), 4)
			case 3, 4:
				if key := pick(); inFlight[key] {
					delete(inFlight, key)
					v := rapid.SampledFrom([]outbox.Verdict{outbox.Accepted, outbox.Accepted, outbox.Rejected, outbox.Conflict,
						outbox.NotSent, outbox.Unanswered, outbox.Throttled, outbox.QuotaExceeded, outbox.Denied}).Draw(rt, "verdict")
					d.answer(key, v)
				}
			case 5:
				if entries, err := d.queue.Discard(d.now, pick(), "Ada", "why", false); err == nil {
					d.apply(entries...)
				}
			case 6:
				if it := d.queue.Operation(pick()); it != nil && it.State == outbox.Done {
					d.apply(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{it.Key}}})
				}
			case 7:
				d.apply(&outbox.Entry{Epoch: &outbox.Epoch{ID: fmt.Sprint("e", rapid.IntRange(1, 3).Draw(rt, "epoch")), At: d.now,
					AgreedAt: d.now.Add(-time.Duration(rapid.IntRange(0, 900).Draw(rt, "agreed")) * time.Second)}})
			case 8:
				key := pick()
				if op := d.queue.Operation(key); op != nil {
					d.apply(d.queue.MarkDone(d.now, op))
				}
			case 9:
				if e, err := d.queue.Retry(d.now, pick(), "Ada"); err == nil {
					d.apply(e)
				}
			}
		}
		requireSame(rt, d.queue, rebuild(rt, d.entries), time.Time{})
		before := d.now.Add(-time.Duration(rapid.IntRange(0, 3600).Draw(rt, "kept")) * time.Second)
		last := rapid.IntRange(0, 5).Draw(rt, "last")
		requireSame(rt, d.queue, rebuild(rt, d.queue.Compact(before, last)), before)
	})
}

func TestComplete_WrongOrganizationPausesSending(t *testing.T) {
	t.Parallel()
	err := api.WrongOrganization("o")
	require.Equal(t, outbox.Denied, outbox.Classify(err, false))
	require.Equal(t, outbox.Rejected, outbox.Classify(api.Fail(api.NotFound, nil, "There is no such inbound."), false))
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	require.Len(t, d.plan(), 1)
	d.apply(d.queue.Complete(d.now, d.queue.Operation("a"), outbox.Denied, outbox.RefusalOf(err), 0))
	require.Empty(t, d.plan())
	d.queue.ReadDone(d.now, d.now, err, false)
	require.Empty(t, d.plan())
	d.queue.ReadDone(d.now, d.now, nil, false)
	require.Equal(t, []string{"a"}, d.plan(), "the key was replaced")
}

func TestEntry_BodyRoundTrips(t *testing.T) {
	t.Parallel()
	for _, body := range []jsontext.Value{[]byte("{}"), []byte(`{"a":1}`), nil} {
		data, err := outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: "o", Body: body}}.Encode()
		require.NoError(t, err)
		e, err := outbox.Decode(data)
		require.NoError(t, err)
		require.Equal(t, body, e.Capture.Body)
	}
}

func TestPlan_ClockSetBackEndsPauses(t *testing.T) {
	t.Parallel()
	for _, v := range []outbox.Verdict{outbox.NotSent, outbox.Unanswered, outbox.Throttled, outbox.QuotaExceeded, outbox.Denied} {
		d := newHarness(t, outbox.Options{})
		d.capture("a", 1, nil, nil)
		require.Len(t, d.plan(), 1)
		d.answer("a", v)
		require.Empty(t, d.plan(), v)
		d.now = d.now.Add(-48 * time.Hour)
		if v == outbox.NotSent || v == outbox.Unanswered {
			require.NotZero(t, d.probe(nil), v)
		}
		require.Len(t, d.plan(), 1, v)
	}
}

func (d *harness) epoch(id string) {
	d.apply(&outbox.Entry{Epoch: &outbox.Epoch{ID: id, At: d.now}})
}

func TestEpoch_ResendsWhatMayBeLost(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.epoch("one")
	for i, key := range []string{"settled", "done", "flying", "waiting"} {
		d.capture(key, uint64(i), nil, nil)
	}
	require.Equal(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	d.apply(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{"settled"}}})
	d.answer("done", outbox.Accepted)
	d.answer("waiting", outbox.NotSent)
	d.epoch("one")
	require.Equal(t, outbox.Done, d.queue.Operation("settled").State, "same epoch")

	d.epoch("two")
	applied := func() (keys []string) {
		for _, it := range d.queue.Applied() {
			keys = append(keys, it.Key)
		}
		return keys
	}
	require.Equal(t, []string{"flying", "waiting"}, applied(), "the replica contains the others, or will")
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Pending, d.queue.Operation("flying").State, "the answer may precede the restore")
	require.True(t, d.queue.Operation("flying").MaybeDone())
	require.Nil(t, d.queue.Operation("flying").Hold(d.now, nil), "or follow it")
	d.now = d.now.Add(time.Minute)
	d.probe(nil)
	require.ElementsMatch(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	require.NotContains(t, applied(), "settled", "it is applied once the replica contains it")
	d.apply(d.queue.MarkDone(d.now, d.queue.Operation("waiting")))
	d.epoch("three")
	d.answer("waiting", outbox.Accepted)
	require.Equal(t, outbox.Pending, d.queue.Operation("waiting").State, "the answer is of an earlier epoch")
	require.ElementsMatch(t, []string{"settled", "waiting"}, d.plan())
	d.answer("waiting", outbox.Accepted)
	d.answer("settled", outbox.Accepted)
	requireSame(t, d.queue, rebuild(t, d.entries), time.Time{})
	requireSame(t, d.queue, rebuild(t, d.queue.Compact(start, 0)), start)
	d.apply(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{"settled"}}})
	require.False(t, d.queue.Operation("settled").MaybeLost)
	d.answer("done", outbox.Rejected)
	d.answer("flying", outbox.Accepted)
	require.ElementsMatch(t, []string{"done", "flying"}, d.plan(), "these answers too are of an earlier epoch")
	d.answer("done", outbox.Rejected)
	require.Equal(t, outbox.Refused, d.queue.Operation("done").State, "a person must resolve it")
	require.Equal(t, "The service had accepted this before it was restored from a backup, and now rejects it. no", d.queue.Operation("done").Refusal.Message)
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Done, d.queue.Operation("flying").State)
}

func rebuild(t require.TestingT, entries []*outbox.Entry) *outbox.Queue {
	queue := outbox.New(outbox.Options{})
	for _, e := range entries {
		data, err := e.Encode()
		require.NoError(t, err)
		e, err := outbox.Decode(data)
		require.NoError(t, err)
		require.NoError(t, queue.Apply(e))
	}
	return queue
}

// requireSame requires that both queues have the same operations, except those
// resolved before a time.
func requireSame(t require.TestingT, a, b *outbox.Queue, before time.Time) {
	require.Equal(t, a.Header, b.Header)
	require.Equal(t, a.Epoch, b.Epoch)
	left, right := a.Counts(), b.Counts()
	require.LessOrEqual(t, left.Sent, right.Sent, "that an operation was throttled is not stored, so it counts as sent")
	left.Sent, right.Sent = 0, 0
	require.Equal(t, left, right)
	for _, x := range a.Operations() {
		y := b.Operation(x.Key)
		if y == nil {
			require.False(t, x.State.Open() || x.Applies(), x.Key)
			require.True(t, x.Since.Before(before))
			continue
		}
		require.False(t, x.MaybeDone() && !y.MaybeDone(), x.Key)
		require.Equal(t, x.Capture, y.Capture)
		require.Equal(t, x.State, y.State)
		require.Equal(t, x.SentAt, y.SentAt)
		require.Equal(t, x.Refusal, y.Refusal)
		require.Equal(t, x.Confirmed, y.Confirmed)
		require.Equal(t, x.MaybeLost, y.MaybeLost)
		require.Equal(t, x.Reason, y.Reason)
	}
	const day = 24 * time.Hour
	a.KeyLifetime = day
	b.KeyLifetime = day
	for _, after := range []time.Duration{0, day - time.Hour, 2 * day} {
		expired := b.WithExpiredKeys(start.Add(after))
		for _, x := range a.WithExpiredKeys(start.Add(after)) {
			require.True(t, slices.ContainsFunc(expired, func(y *outbox.Operation) bool { return y.Key == x.Key }),
				"%s is sent again without a lookup", x.Key)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"capture":{"key":"k","operation":"adjustStock","target":"/stock/adjust","body":{"delta":1},"at":"2026-03-02T10:00:00Z"}}`))
	f.Add([]byte(`{"mark":{"key":"k","state":"done","at":"2026-03-02T10:00:00Z"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := outbox.Decode(data)
		if err != nil {
			return
		}
		again, err := e.Encode()
		require.NoError(t, err)
		_, err = outbox.Decode(again)
		require.NoError(t, err)
	})
}

// A delayed copy of a rejected request may have been done since. If the
// service forgets keys, a retry is looked up like an unanswered request.
func TestWithExpiredKeys_IncludesRetriedRejections(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.queue.KeyLifetime = 24 * time.Hour
	d.capture("a", 1, nil, nil)
	require.Equal(t, []string{"a"}, d.plan())
	d.apply(d.queue.Complete(d.now, d.queue.Operation("a"), outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again := func(after time.Duration) {
		d.now = start.Add(after)
		d.retry("a")
	}
	again(11 * time.Hour)
	require.Empty(t, d.queue.WithExpiredKeys(d.now), "the key has not expired")
	require.Equal(t, []string{"a"}, d.plan())
	d.apply(d.queue.Complete(d.now, d.queue.Operation("a"), outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again(25 * time.Hour)
	requireExpired := func() {
		t.Helper()
		for _, entries := range [][]*outbox.Entry{d.entries, d.queue.Compact(d.now, 0)} {
			queue := rebuild(t, entries)
			queue.KeyLifetime = 24 * time.Hour
			require.Len(t, queue.WithExpiredKeys(d.now), 1)
			require.Equal(t, d.queue.Operation("a").MaybeDone(), queue.Operation("a").MaybeDone())
			require.Empty(t, queue.Plan(d.now).Send)
		}
	}
	require.Len(t, d.queue.WithExpiredKeys(d.now), 1)
	require.Empty(t, d.plan())
	requireExpired()
	d.queue.MarkNotDone(d.now, d.queue.Operation("a"))
	require.Equal(t, []string{"a"}, d.plan())
	requireExpired()
}

// An operation at risk creates nothing in the local ledger, and is needed all
// the same.
func TestPlan_KeepsDependencyAtRisk(t *testing.T) {
	t.Parallel()
	for _, restarted := range []bool{false, true} {
		d := newHarness(t, outbox.Options{})
		d.capture("reserve", 1, nil, []uint64{7})
		c := outbox.Capture{Key: "commit", SpecID: api.CommitReservation.Spec.ID, Target: "/x", At: d.now, Needs: d.queue.Needs(outbox.Footprint{Reads: []uint64{7}})}
		require.Equal(t, []string{"reserve"}, c.Needs)
		d.apply(&outbox.Entry{Capture: &c})
		if restarted {
			d.queue = rebuild(t, d.entries)
		}
		risk := &outbox.Refusal{Code: api.InsufficientStock, Message: "Only 3."}
		d.queue.SetFootprint(d.queue.Operation("reserve"), outbox.Footprint{Reads: []uint64{1}, Writes: []uint64{1}}, risk)
		d.queue.SetFootprint(d.queue.Operation("commit"), outbox.Footprint{Reads: []uint64{8}, Writes: []uint64{8}}, risk)
		require.Equal(t, []string{"reserve"}, d.plan())
		require.Equal(t, outbox.BlockedByOrder, d.queue.Blocked()["commit"])
		d.answer("reserve", outbox.Rejected)
		require.Empty(t, d.plan())
		require.Equal(t, outbox.BlockedByDependency, d.queue.Blocked()["commit"])
		require.Len(t, d.queue.Dependents(d.queue.Operation("reserve")), 1)
		d.retry("reserve")
		require.Equal(t, []string{"reserve"}, d.plan())
		d.answer("reserve", outbox.Accepted)
		require.Equal(t, []string{"commit"}, d.plan())
	}
}

// newerJournal is a journal with every kind of entry, as a newer version would
// write it: each member has an unknown field.
var newerJournal = []string{
	`{"begin":{"format":1,"service":"s","organization":"o","environment":"test","later":"begin"}}`,
	`{"capture":{"key":"done","operation":"adjustStock","target":"/stock/adjust","at":"2026-03-02T10:00:00Z","later":"captured done"}}`,
	`{"capture":{"key":"held","operation":"adjustStock","target":"/stock/adjust","at":"2026-03-02T10:00:01Z","later":"captured held"}}`,
	`{"freeze":{"keys":["done","held"],"at":"2026-03-02T10:00:02Z","later":"freeze"}}`,
	`{"mark":{"key":"done","state":"done","at":"2026-03-02T10:00:03Z","later":"marked done"}}`,
	`{"mark":{"key":"held","state":"held","at":"2026-03-02T10:00:03Z","refusal":{"code":"X","message":"m"},"later":"marked held"}}`,
	`{"settle":{"keys":["done"],"later":"settle"}}`,
	`{"epoch":{"id":"e","at":"2026-03-02T10:00:04Z","later":"epoch"}}`,
}

func TestEntry_NewerFieldsSurvive(t *testing.T) {
	t.Parallel()
	queue := outbox.New(outbox.Options{})
	for _, text := range newerJournal {
		e, err := outbox.Decode([]byte(text))
		require.NoError(t, err)
		require.NoError(t, queue.Apply(e))
	}
	var rewritten strings.Builder
	for _, e := range queue.Compact(start.AddDate(0, 0, -1), 0) {
		data, err := e.Encode()
		require.NoError(t, err)
		rewritten.Write(data)
	}
	for _, later := range []string{"begin", "captured done", "captured held", "freeze", "marked done", "marked held", "settle", "epoch"} {
		require.Contains(t, rewritten.String(), `"later":"`+later+`"`)
	}

	data, err := queue.Export(queue.Operation("held"))
	require.NoError(t, err)
	exported, err := outbox.ReadExported(data)
	require.NoError(t, err)
	captured, err := exported.Entries()[0].Encode()
	require.NoError(t, err)
	require.Contains(t, string(captured), `"later":"captured held"`)
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	upgrade.CheckStoredTypes(t, "outbox", outbox.Entry{}, outbox.Exported{})
}

// What a node did under a former id keeps it, also in a compacted journal.
func TestOriginOf_FormerClients(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("anonymous", 1, nil, nil)
	for i := byte(1); i <= 3; i++ {
		h := *d.queue.Header
		h.Client, h.ClientSince = api.ID{i}, uint64(i)+1
		d.apply(&outbox.Entry{Header: &h})
		h.Service = "moved"
		d.apply(&outbox.Entry{Header: &h})
		d.capture(fmt.Sprint("of ", i), 1, nil, nil)
	}
	compacted := rebuild(t, d.queue.Compact(d.now, 10))
	for _, q := range []*outbox.Queue{d.queue, compacted} {
		var origins []outbox.Origin
		for _, op := range q.Operations() {
			origins = append(origins, q.OriginOf(op))
		}
		require.Equal(t, []outbox.Origin{{}, {Client: api.ID{1}, Number: 2}, {Client: api.ID{2}, Number: 3}, {Client: api.ID{3}, Number: 4}}, origins)
		require.Equal(t, "moved", q.Header.Service)
	}
}

// An operation that uses the lot of a receipt waits while what the receipt needs is rejected,
// until the local ledger was asked whether the lot exists without it.
func TestDepend_WaitsForAReceiptThatIsBlocked(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("create", 1, nil, []uint64{5})
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "receive", SpecID: api.ReceiveInbound.Spec.ID, Target: "/inbounds/1/receive", At: d.now, Needs: []string{"create"}}})
	d.queue.SetFootprint(d.queue.Operation("receive"), outbox.Footprint{Writes: []uint64{5, 7}, Shares: []uint64{7}}, nil)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "ship", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: d.now, LotsOf: []string{"receive"}}})
	d.queue.SetFootprint(d.queue.Operation("ship"), outbox.Footprint{Reads: []uint64{7}}, &outbox.Refusal{Code: api.ValidationError, Message: "no"})
	require.Equal(t, []string{"create"}, d.plan())
	d.reject("create", api.ValidationError)
	require.Empty(t, d.plan())
	require.True(t, d.queue.LotsUnknown())

	d.queue.SetFootprint(d.queue.Operation("ship"), outbox.Footprint{Reads: []uint64{7}}, nil) // another receipt created the lot
	require.Equal(t, []string{"ship"}, d.plan())
}

// The local ledger may reject such an operation for another reason, which does not tell
// whether the lot exists: it waits for the decision on the receipt.
func TestDepend_RejectedHereForAnotherReason(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("receive", 1, nil, nil)
	d.queue.SetFootprint(d.queue.Operation("receive"), outbox.Footprint{Writes: []uint64{1}, Shares: []uint64{7}}, nil)
	d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "ship", SpecID: api.FulfillOutbound.Spec.ID, Target: "/outbounds/1/fulfill", At: d.now, LotsOf: []string{"receive"}}})
	rejected := func() {
		d.queue.SetFootprint(d.queue.Operation("ship"), outbox.Footprint{}, &outbox.Refusal{Code: api.OutboundNotOpen, Message: "Nothing left to fulfill."})
	}
	rejected()
	require.Equal(t, []string{"receive"}, d.plan())
	d.reject("receive", api.InboundNotOpen)
	rejected()
	require.Empty(t, d.plan())
	require.Equal(t, outbox.BlockedByDependency, d.queue.Blocked()["ship"])

	entries, err := d.queue.Discard(d.now, "receive", "Ada", "counted twice", false)
	require.NoError(t, err)
	d.apply(entries...)
	require.Equal(t, outbox.Held, d.queue.Operation("ship").State)
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
		return &outbox.Capture{Key: "again", SpecID: api.CommitReservation.Spec.ID, Target: "/reservations/" + reservation + "/commit", At: d.now, Replaces: "commit"}
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

// TestPlan_WindowGrowsWithRoundTrip requires that the window grows with the
// round-trip time, and is small again after throttling.
func TestPlan_WindowGrowsWithRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trip   time.Duration
		window int
	}{{time.Millisecond, 8}, {40 * time.Millisecond, 13}, {300 * time.Millisecond, 100}} {
		d := newHarness(t, outbox.Options{})
		for i := range 4000 {
			d.capture(fmt.Sprint("k", i), uint64(i+1), nil, nil)
		}
		inFlight := d.plan()
		require.Len(t, inFlight, 8)
		for range 30 {
			d.now = d.now.Add(c.trip)
			for _, key := range inFlight {
				d.answer(key, outbox.Accepted)
			}
			inFlight = d.plan()
		}
		require.Len(t, inFlight, c.window, c.trip)
		d.answer(inFlight[0], outbox.Throttled)
		for _, key := range inFlight[1:] {
			d.answer(key, outbox.Unanswered)
		}
		d.now = d.now.Add(10 * time.Minute)
		d.probe(nil)
		require.Len(t, d.plan(), 8, c.trip)
	}
}

// A replacement comes after the operations that depended on what it replaces.
// They wait for it, so it must not wait for them.
func TestPlan_SendsReplacementBeforeEarlierDependents(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	q := outbox.New(outbox.Options{})
	apply := func(e *outbox.Entry) { require.NoError(t, q.Apply(e)) }
	apply(&outbox.Entry{Capture: &outbox.Capture{Key: "create", SpecID: "createTransfer", At: now}})
	apply(&outbox.Entry{Capture: &outbox.Capture{Key: "ship", SpecID: "shipTransfer", At: now, Needs: []string{"create"}}})
	apply(&outbox.Entry{StateChange: &outbox.StateChange{Key: "create", State: outbox.Held, At: now, Refusal: &outbox.Refusal{Code: api.IdempotencyKeyReused}}})
	apply(&outbox.Entry{Capture: &outbox.Capture{Key: "again", SpecID: "createTransfer", At: now, Replaces: "create"}})
	plan := q.Plan(now)
	require.Len(t, plan.Send, 1)
	require.Equal(t, "again", plan.Send[0].Key)
}

// The lot of a rejected receipt is created by the next receipt, and the replacement of the first
// one uses it: the two must not wait for each other, also after a restart.
func TestPlan_ReplacementUsesTheLotOfADependent(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	receipt := func(key, replaces string, lotsOf ...string) {
		d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.ReceiveInbound.Spec.ID, Target: "/inbounds/1/receive", At: d.now, Replaces: replaces, LotsOf: lotsOf}})
	}
	receipt("first", "")
	d.plan()
	d.reject("first", api.InboundNotOpen)
	receipt("second", "", "first")
	receipt("again", "first", "second")

	d.queue = rebuild(t, d.entries)
	require.Equal(t, []string{"second"}, d.plan())
	require.Equal(t, outbox.BlockedByOrder, d.queue.Blocked()["again"])
	d.answer("second", outbox.Accepted)
	require.Equal(t, []string{"again"}, d.plan())
}

// openSaved opens a journal that is compacted whenever that is possible.
func openSaved(t *testing.T, folder journal.Folder, last int) *outbox.SavedQueue {
	t.Helper()
	q, found, err := outbox.OpenSaved(folder, nil, "work", 1, outbox.Options{KeepLast: last}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Empty(t, found.Damage)
	return q
}

// resolve adds operations to a journal that are done at a time.
func resolve(t *testing.T, q *outbox.SavedQueue, at time.Time, keys ...string) {
	t.Helper()
	for _, key := range keys {
		require.NoError(t, q.Commit(
			&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: at}},
			&outbox.Entry{StateChange: &outbox.StateChange{Key: key, State: outbox.Done, At: at}},
			&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{key}}}))
	}
}

func keysOf(q *outbox.SavedQueue) (keys []string) {
	for _, op := range q.Operations() {
		keys = append(keys, op.Key)
	}
	return keys
}

func TestCompactJournal_KeepsLastOperationsIfClockJumps(t *testing.T) {
	t.Parallel()
	folder := &journal.Memory{}
	q := openSaved(t, folder, 3)
	resolve(t, q, start, "a", "b", "c")
	require.NoError(t, q.Commit(&outbox.Entry{Capture: &outbox.Capture{Key: "pending", SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: start}}))
	resolve(t, q, start, "d", "e")
	require.NoError(t, q.CompactJournal(start.AddDate(0, 0, 6)))
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 3)
	require.Equal(t, []string{"a", "b", "c", "pending", "d", "e"}, keysOf(q), "a week is not over")

	ahead := start.AddDate(1, 0, 0)
	require.NoError(t, q.CompactJournal(ahead))
	resolve(t, q, start.Add(time.Hour), "f") // the clock is right again
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 3)
	require.Equal(t, []string{"c", "pending", "d", "e", "f"}, keysOf(q))
	require.Equal(t, []outbox.State{outbox.Done, outbox.Pending}, []outbox.State{q.Operation("c").State, q.Operation("pending").State})
	require.NoError(t, q.Close())
}

func TestCompactJournal_IsBounded(t *testing.T) {
	t.Parallel()
	folder := &journal.Memory{}
	q := openSaved(t, folder, 0)
	var entries []*outbox.Entry
	for i := range 2_500 {
		key := fmt.Sprint(i)
		entries = append(entries, &outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.Spec.ID, Target: "/stock/adjust", At: start}},
			&outbox.Entry{StateChange: &outbox.StateChange{Key: key, State: outbox.Discarded, At: start}})
	}
	require.NoError(t, q.Commit(entries...))
	require.NoError(t, q.CompactJournal(start.AddDate(0, 0, 8)))
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 0)
	require.Len(t, q.Operations(), 2_000)
	require.NotNil(t, q.Operation("500"))
	require.NoError(t, q.Close())
}

// The journal of an earlier version has who approved an operation with its operator.
func TestRequest_ApprovalOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{"Ada": {"Ada", ""}, "Ada, approved by Eve": {"Ada", "Eve"},
		"Eve, approved by Eve": {"Eve, approval not confirmed: Eve", ""}} {
		e, err := outbox.Decode([]byte(`{"capture":{"key":"k","operation":"cancelInbound","target":"/inbounds/01000000-0000-0000-0000-000000000000/cancel","operator":"` + text + `","at":"2026-11-01T10:00:00Z"}}`))
		require.NoError(t, err)
		req, err := e.Capture.Request()
		require.NoError(t, err)
		require.Equal(t, want, [2]string{req.Operator, req.ApprovedBy})
		require.NoError(t, req.CheckPeople())
	}
}

// Who approved that saved work is sent does not replace who approved the work, and cannot be who
// did it.
func TestApprove(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ operator, approvedBy, supervisor, want string }{
		"first":    {"Ada", "", "Eve", "Eve"},
		"second":   {"Ada", "Sue", "Eve", "Sue"},
		"none":     {"Ada", "Sue", "", "Sue"},
		"own":      {"Eve", "", "eve", ""},
		"nobody's": {"", "", "Eve", ""},
	} {
		req := &api.Request{Operator: x.operator, ApprovedBy: x.approvedBy}
		outbox.Approve(req, x.supervisor)
		require.Equal(t, x.want, req.ApprovedBy, name)
		require.NoError(t, req.CheckPeople(), name)
	}
}
