package outbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/offline/outbox"
	"bincard/server/api"
)

var start = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// A harness is a Box with the journal that its entries go to.
type harness struct {
	t       require.TestingT
	queue   *outbox.Queue
	entries []outbox.Entry
	now     time.Time
}

func newHarness(t require.TestingT, opts outbox.Options) *harness {
	opts.Random = func() float64 { return 1 }
	d := &harness{t: t, queue: outbox.New(opts), now: start}
	d.keep(&outbox.Entry{Header: &outbox.Header{Format: outbox.Format, Service: "s", Organization: "o", Environment: "test"}})
	return d
}

func (d *harness) keep(e *outbox.Entry) {
	if e == nil {
		return
	}
	data, err := e.Encode()
	require.NoError(d.t, err)
	read, err := outbox.Decode(data)
	require.NoError(d.t, err)
	require.NoError(d.t, d.queue.Apply(read))
	d.entries = append(d.entries, read)
}

// do captures an operation that writes row and reads and makes others.
func (d *harness) do(key string, write uint64, reads, makes []uint64) {
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now}})
	d.queue.SetFootprint(key, outbox.Footprint{Reads: reads, Writes: append([]uint64{write}, makes...), Makes: makes}, nil)
}

// plan sends what is to be sent and tells its keys.
func (d *harness) plan() []string {
	p := d.queue.Plan(d.now)
	d.keep(p.Sending)
	var keys []string
	for _, it := range p.Send {
		require.True(d.t, it.Attempted())
		keys = append(keys, it.Key)
	}
	return keys
}

func (d *harness) answer(key string, v outbox.Verdict) {
	d.keep(d.queue.Complete(d.now, key, v, &outbox.Refusal{Code: "X", Message: "no"}, 0))
}

func TestWhatTouchesTheSameKeepsItsOrder(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a1", 1, nil, nil)
	d.do("a2", 1, nil, nil)
	d.do("b1", 2, nil, nil)
	d.do("b2", 3, []uint64{2}, nil)
	d.do("c1", 4, nil, nil)
	require.Equal(t, []string{"a1", "b1", "c1"}, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"a2": outbox.BlockedByOrder, "b2": outbox.BlockedByOrder}, d.queue.Blocked())
	require.Empty(t, d.plan())
	d.answer("a1", outbox.Accepted)
	require.Equal(t, []string{"a2"}, d.plan())
	d.answer("b1", outbox.Rejected)
	require.Equal(t, []string{"b2"}, d.plan(), "a refused one lets the next one go")
}

func TestSoManyAtOnce(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Parallel: 2})
	for i := range 5 {
		d.do(fmt.Sprint("k", i), uint64(i+1), nil, nil)
	}
	require.Equal(t, []string{"k0", "k1"}, d.plan())
	d.answer("k1", outbox.Accepted)
	require.Equal(t, []string{"k2"}, d.plan())
}

// doAfter captures an operation that belongs to another one.
func (d *harness) doAfter(key, to string) {
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: key, After: to, SpecID: "moveStock", Target: "/stock/move-state", At: d.now}})
	d.queue.SetFootprint(key, outbox.Footprint{}, nil)
}

func TestWhatBelongsToAnotherGoesWithIt(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("receipt", 1, nil, nil)
	d.doAfter("damaged", "receipt")
	d.doAfter("label", "damaged")
	require.Equal(t, []string{"receipt"}, d.plan(), "though nothing in common says so")
	d.answer("receipt", outbox.Rejected)
	require.Empty(t, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"damaged": outbox.BlockedByDependency, "label": outbox.BlockedByDependency}, d.queue.Blocked())
	require.Len(t, d.queue.Dependents("receipt"), 2)

	// Another receipt in its place is what it belongs to then.
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: "less", Replaces: "receipt", SpecID: "receiveInbound", Target: "/x", At: d.now}})
	d.queue.SetFootprint("less", outbox.Footprint{}, nil)
	short := outbox.New(outbox.Options{})
	for _, e := range d.queue.Compact(d.now.Add(time.Hour)) { // without the receipt
		require.NoError(t, short.Apply(e))
	}
	require.Nil(t, short.Operation("receipt"))
	require.Equal(t, outbox.BlockedByOrder, short.Blocked()["damaged"])
	require.Len(t, short.Dependents("less"), 2)
	require.Equal(t, []string{"less"}, d.plan())
	d.answer("less", outbox.Accepted)
	require.Equal(t, []string{"damaged"}, d.plan())
	d.answer("damaged", outbox.Rejected)
	require.Empty(t, d.plan())

	// Given up, it leaves the question whether that is done by itself.
	e, err := d.queue.Discard(d.now, "damaged", "Ada", "not so")
	require.NoError(t, err)
	d.keep(e)
	for _, e := range d.queue.HoldDependents(d.now, "damaged", "not so") {
		d.keep(e)
	}
	require.Equal(t, outbox.Held, d.queue.Operation("label").State)
	require.Contains(t, d.queue.Operation("label").Refusal.Message, "was discarded (not so)")
	e, err = d.queue.Retry(d.now, "label", "Ada")
	require.NoError(t, err)
	d.keep(e)
	require.Equal(t, []string{"label"}, d.plan())
}

func TestARefusedOneStopsOnlyThoseThatNeedWhatItMakes(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("make", 1, nil, []uint64{10})
	require.Equal(t, []string{"make"}, d.plan())
	d.do("use", 2, []uint64{10}, []uint64{11})
	d.do("after", 3, []uint64{11}, nil)
	d.do("other", 1, nil, nil)
	d.answer("make", outbox.Rejected)
	require.Equal(t, []string{"other"}, d.plan())
	require.Equal(t, map[string]outbox.BlockReason{"use": outbox.BlockedByDependency, "after": outbox.BlockedByDependency}, d.queue.Blocked())
	var needing []string
	for _, it := range d.queue.Dependents("make") {
		needing = append(needing, it.Key)
	}
	require.Equal(t, []string{"use", "after"}, needing)

	e, err := d.queue.Retry(d.now, "make", "Ada")
	require.NoError(t, err)
	d.keep(e)
	require.Empty(t, d.plan(), "it keeps its order behind one that is under way")
	d.answer("other", outbox.Accepted)
	require.Equal(t, []string{"make"}, d.plan())
	d.answer("make", outbox.Accepted)
	require.Equal(t, []string{"use"}, d.plan())
}

func TestALineThatIsDownIsTriedEverMoreSeldom(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	var pauses []time.Duration
	for range 12 {
		require.Equal(t, []string{"a"}, d.plan())
		d.answer("a", outbox.NotSent)
		p := d.queue.Plan(d.now)
		require.Empty(t, p.Send)
		pauses = append(pauses, p.WakeAt.Sub(d.now))
		d.now = p.WakeAt
	}
	require.Equal(t, time.Second, pauses[0])
	require.Equal(t, 2*time.Second, pauses[1])
	require.Equal(t, 5*time.Minute, pauses[11])
	d.plan()
	d.answer("a", outbox.NotSent)
	d.queue.MarkUp(d.now)
	require.Equal(t, []string{"a"}, d.plan(), "an answer to anything ends the pause")
}

func TestOneThatIsNotAnsweredDoesNotStopOthersForLong(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Parallel: 1})
	d.do("bad", 1, nil, nil)
	d.do("good", 2, nil, nil)
	for range 20 {
		require.Equal(t, []string{"bad"}, d.plan())
		d.answer("bad", outbox.Unanswered)
		d.queue.MarkUp(d.now)
		require.Equal(t, []string{"good"}, d.plan())
		d.answer("good", outbox.Unanswered)
		d.queue.MarkUp(d.now)
		wake := d.queue.Plan(d.now).WakeAt
		require.LessOrEqual(t, wake.Sub(d.now), 30*time.Second)
		d.now = d.now.Add(30 * time.Second)
	}
}

func TestAQuotaPausesAndRefusesNothing(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
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

func TestABarredKeyPausesEverythingUntilItIsReplaced(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.do("b", 2, nil, nil)
	require.Len(t, d.plan(), 2)
	d.answer("a", outbox.Denied)
	d.answer("b", outbox.Denied)
	require.Empty(t, d.plan())
	require.NotNil(t, d.queue.Link(d.now).Denied)
	d.queue.Resume()
	require.Len(t, d.plan(), 2)
}

func TestWhatMayHaveLeftIsNotDropped(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Unanswered)
	_, err := d.queue.Discard(d.now, "a", "Ada", "not wanted")
	require.ErrorContains(t, err, "may have been applied")
	require.ErrorContains(t, d.queue.Replace(&outbox.Capture{Key: "b", Replaces: "a"}), "may have been applied")
	require.Nil(t, d.queue.Hold(d.now, "a", nil))
	d.now = d.now.Add(time.Minute)
	d.plan()
	d.answer("a", outbox.Rejected)
	_, err = d.queue.Discard(d.now, "a", "Ada", " ")
	require.ErrorContains(t, err, "Give a reason")
	e, err := d.queue.Discard(d.now, "a", "Ada", "counted twice")
	require.NoError(t, err)
	d.keep(e)
	_, err = d.queue.Retry(d.now, "a", "Ada")
	require.ErrorContains(t, err, "already discarded")
}

func TestWhatNeverArrivedMayBeDropped(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	require.Equal(t, 1, d.queue.Counts().Sent, "it is under way")
	d.answer("a", outbox.NotSent)
	require.Zero(t, d.queue.Counts().Sent)
	_, err := d.queue.Discard(d.now, "a", "Ada", "not wanted")
	require.NoError(t, err)
	d.now = d.now.Add(time.Minute)
	d.plan()
	d.answer("a", outbox.Unanswered)
	d.now = d.now.Add(time.Hour)
	d.plan()
	d.answer("a", outbox.NotSent)
	_, err = d.queue.Discard(d.now, "a", "Ada", "not wanted")
	require.ErrorContains(t, err, "may have been applied", "the one before may have arrived")
}

func TestWhatWasRefusedAndIsToBeSentAgainMayBeDropped(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	e, err := d.queue.Retry(d.now, "a", "Ada")
	require.NoError(t, err)
	d.keep(e)
	_, err = d.queue.Discard(d.now, "a", "Ada", "not wanted after all")
	require.NoError(t, err)
	d.plan()
	again := outbox.New(outbox.Options{})
	for _, e := range d.entries { // after a crash nobody knows whether it left
		require.NoError(t, again.Apply(e))
	}
	_, err = again.Discard(d.now, "a", "Ada", "not wanted after all")
	require.ErrorContains(t, err, "may have been applied")
}

func TestAnotherTakesItsPlace(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	require.NoError(t, d.queue.Replace(&outbox.Capture{Key: "b", Replaces: "a"}))
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: "b", SpecID: "adjustStock", At: d.now, Replaces: "a"}})
	require.Equal(t, outbox.Replaced, d.queue.Operation("a").State)
	require.Equal(t, "b", d.queue.Operation("a").Successor)
	require.Equal(t, []string{"b"}, d.plan())
}

func TestACaptureThatIsKnownChangesNothing(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Accepted)
	d.do("a", 1, nil, nil)
	require.Len(t, d.queue.Operations(), 1)
	require.Equal(t, outbox.Done, d.queue.Operation("a").State)
}

func TestVerdicts(t *testing.T) {
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
	require.Equal(t, outbox.NotSent, outbox.Classify(api.Fail(api.Unavailable, nil, "x"), true))
	require.Equal(t, outbox.Unanswered, outbox.Classify(fmt.Errorf("anything else"), false))
}

func TestEntriesOfANewerFormAreRefused(t *testing.T) {
	t.Parallel()
	_, err := outbox.Decode([]byte(`{"begin":{"format":2,"service":"","organization":"","environment":""}}`))
	require.ErrorContains(t, err, "newer Bincard")
	_, err = outbox.Decode([]byte(`{"magic":{}}`))
	require.Error(t, err)
	_, err = outbox.Decode([]byte(`{}`))
	require.Error(t, err)
}

// TestTheJournalIsTheBox holds that the entries, read again, and the shorter
// journal, make the same Box, and that nothing under way is sent twice at once.
func TestTheJournalIsTheBox(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		d := newHarness(rt, outbox.Options{})
		flying := map[string]bool{}
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
				d.do(fmt.Sprint("k", n), rapid.Uint64Range(1, 4).Draw(rt, "row"), []uint64{rapid.Uint64Range(5, 8).Draw(rt, "reads")}, nil)
			case 2:
				p := d.queue.Plan(d.now)
				d.keep(p.Sending)
				for _, it := range p.Send {
					require.False(rt, flying[it.Key])
					flying[it.Key] = true
				}
				require.LessOrEqual(rt, len(flying), 4)
			case 3, 4:
				if key := pick(); flying[key] {
					delete(flying, key)
					v := rapid.SampledFrom([]outbox.Verdict{outbox.Accepted, outbox.Accepted, outbox.Rejected, outbox.Conflict,
						outbox.NotSent, outbox.Unanswered, outbox.Throttled, outbox.QuotaExceeded, outbox.Denied}).Draw(rt, "verdict")
					d.answer(key, v)
				}
			case 5:
				if e, err := d.queue.Discard(d.now, pick(), "Ada", "why"); err == nil {
					d.keep(e)
				}
			case 6:
				if it := d.queue.Operation(pick()); it != nil && it.State == outbox.Done {
					d.keep(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{it.Key}}})
				}
			case 7:
				d.epoch(fmt.Sprint("e", rapid.IntRange(1, 3).Draw(rt, "epoch")))
			case 8:
				key := pick()
				d.keep(d.queue.MarkDone(d.now, key))
			case 9:
				if e, err := d.queue.Retry(d.now, pick(), "Ada"); err == nil {
					d.keep(e)
				}
			}
		}
		requireSame(rt, d.queue, rebuild(rt, d.entries), time.Time{})
		before := d.now.Add(-time.Duration(rapid.IntRange(0, 3600).Draw(rt, "kept")) * time.Second)
		requireSame(rt, d.queue, rebuild(rt, d.queue.Compact(before)), before)
	})
}

func TestAKeyOfAnotherOrganizationStopsAllAndLosesNothing(t *testing.T) {
	t.Parallel()
	err := api.WrongOrganization("o")
	require.Equal(t, outbox.Denied, outbox.Classify(err, false))
	require.Equal(t, outbox.Rejected, outbox.Classify(api.Fail(api.NotFound, nil, "There is no such inbound."), false))
	d := newHarness(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	require.Len(t, d.plan(), 1)
	require.Nil(t, d.queue.Complete(d.now, "a", outbox.Denied, outbox.RefusalOf(err), 0))
	require.Empty(t, d.plan())
	d.queue.ReadDone(d.now, err, false)
	require.Empty(t, d.plan())
	d.queue.ReadDone(d.now, nil, false)
	require.Equal(t, []string{"a"}, d.plan(), "the key was put right")
}

func TestABodyIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	for _, body := range []jsontext.Value{[]byte("{}"), []byte(`{"a":1}`), nil} {
		data, err := outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: "o", Body: body}}.Encode()
		require.NoError(t, err)
		e, err := outbox.Decode(data)
		require.NoError(t, err)
		require.Equal(t, body, e.Capture.Body)
	}
}

func TestAClockThatIsSetBackStopsNothing(t *testing.T) {
	t.Parallel()
	for _, v := range []outbox.Verdict{outbox.NotSent, outbox.Unanswered, outbox.Throttled, outbox.QuotaExceeded, outbox.Denied} {
		d := newHarness(t, outbox.Options{})
		d.do("a", 1, nil, nil)
		require.Len(t, d.plan(), 1)
		d.answer("a", v)
		require.Empty(t, d.plan(), v)
		d.now = d.now.Add(-48 * time.Hour)
		require.Len(t, d.plan(), 1, v)
	}
}

func (d *harness) epoch(id string) {
	d.keep(&outbox.Entry{Epoch: &outbox.Epoch{ID: id, At: d.now}})
}

func TestWhatARestoredServiceMayHaveLostIsSentAgain(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.epoch("one")
	for i, key := range []string{"settled", "done", "flying", "waiting"} {
		d.do(key, uint64(i), nil, nil)
	}
	require.Equal(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	d.keep(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{"settled"}}})
	d.answer("done", outbox.Accepted)
	d.answer("waiting", outbox.NotSent)
	d.epoch("one")
	require.Equal(t, outbox.Done, d.queue.Operation("settled").State, "it is the same service")

	d.epoch("two")
	shown := func() (keys []string) {
		for _, it := range d.queue.Applied() {
			keys = append(keys, it.Key)
		}
		return keys
	}
	require.Equal(t, []string{"flying", "waiting"}, shown(), "the replica has the others, or will have them again")
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Pending, d.queue.Operation("flying").State, "the answer may be from before")
	require.True(t, d.queue.Operation("flying").MaybeDone())
	require.Nil(t, d.queue.Hold(d.now, "flying", nil), "and may be from after")
	d.now = d.now.Add(time.Minute)
	require.ElementsMatch(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	require.NotContains(t, shown(), "settled", "it shows when the replica has it")
	d.keep(d.queue.MarkDone(d.now, "waiting"))
	d.epoch("three")
	d.answer("waiting", outbox.Accepted)
	require.Equal(t, outbox.Pending, d.queue.Operation("waiting").State, "that was the answer of an earlier epoch")
	require.ElementsMatch(t, []string{"settled", "waiting"}, d.plan())
	d.answer("waiting", outbox.Accepted)
	d.answer("settled", outbox.Accepted)
	requireSame(t, d.queue, rebuild(t, d.entries), time.Time{})
	requireSame(t, d.queue, rebuild(t, d.queue.Compact(start)), start)
	d.keep(&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{"settled"}}})
	require.False(t, d.queue.Operation("settled").MaybeLost)
	d.answer("done", outbox.Rejected)
	d.answer("flying", outbox.Accepted)
	require.ElementsMatch(t, []string{"done", "flying"}, d.plan(), "those answers were of before as well")
	d.answer("done", outbox.Rejected)
	require.Equal(t, outbox.Refused, d.queue.Operation("done").State, "a person hears of it")
	require.Equal(t, "The service had accepted this before it was restored from a backup, and now rejects it. no", d.queue.Operation("done").Refusal.Message)
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Done, d.queue.Operation("flying").State)
}

func rebuild(t require.TestingT, entries []outbox.Entry) *outbox.Queue {
	box := outbox.New(outbox.Options{})
	for _, e := range entries {
		data, err := e.Encode()
		require.NoError(t, err)
		e, err := outbox.Decode(data)
		require.NoError(t, err)
		require.NoError(t, box.Apply(e))
	}
	return box
}

// requireSame holds that both have the same operations, those aside that ended before
// the instant.
func requireSame(t require.TestingT, a, b *outbox.Queue, before time.Time) {
	require.Equal(t, a.Header, b.Header)
	require.Equal(t, a.Epoch, b.Epoch)
	left, right := a.Counts(), b.Counts()
	require.LessOrEqual(t, left.Sent, right.Sent, "that one never arrived is forgotten, and it counts as sent")
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
	a.SetKeyLifetime(day)
	b.SetKeyLifetime(day)
	for _, after := range []time.Duration{0, day - time.Hour, 2 * day} {
		sought := b.WithExpiredKeys(start.Add(after))
		for _, x := range a.WithExpiredKeys(start.Add(after)) {
			require.True(t, slices.ContainsFunc(sought, func(y *outbox.Operation) bool { return y.Key == x.Key }),
				"%s is sent again without a look whether it was done", x.Key)
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

// A refusal that is tried again may have a copy on its way that was done since:
// where the service forgets keys it is looked for, as what has no answer is.
func TestWhatWasRefusedLongAgoIsLookedForBeforeItIsSentAgain(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.queue.SetKeyLifetime(24 * time.Hour)
	d.do("a", 1, nil, nil)
	require.Equal(t, []string{"a"}, d.plan())
	d.keep(d.queue.Complete(d.now, "a", outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again := func(after time.Duration) {
		d.now = start.Add(after)
		e, err := d.queue.Retry(d.now, "a", "Ada")
		require.NoError(t, err)
		d.keep(e)
	}
	again(11 * time.Hour)
	require.Empty(t, d.queue.WithExpiredKeys(d.now), "the service knows it still")
	require.Equal(t, []string{"a"}, d.plan())
	d.keep(d.queue.Complete(d.now, "a", outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again(25 * time.Hour)
	sought := func() {
		t.Helper()
		for _, entries := range [][]outbox.Entry{d.entries, d.queue.Compact(d.now)} {
			box := rebuild(t, entries)
			box.SetKeyLifetime(24 * time.Hour)
			require.Len(t, box.WithExpiredKeys(d.now), 1)
			require.Equal(t, d.queue.Operation("a").MaybeDone(), box.Operation("a").MaybeDone())
			require.Empty(t, box.Plan(d.now).Send)
		}
	}
	require.Len(t, d.queue.WithExpiredKeys(d.now), 1)
	require.Empty(t, d.plan())
	sought()
	d.queue.MarkNotDone(d.now, "a")
	require.Equal(t, []string{"a"}, d.plan())
	sought()
}
