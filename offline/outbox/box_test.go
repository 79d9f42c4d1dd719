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

var morning = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// A desk is a Box with the journal that its entries go to.
type desk struct {
	t       require.TestingT
	box     *outbox.Box
	entries []outbox.Entry
	now     time.Time
}

func newDesk(t require.TestingT, opts outbox.Options) *desk {
	opts.Random = func() float64 { return 1 }
	d := &desk{t: t, box: outbox.New(opts), now: morning}
	d.keep(&outbox.Entry{Begin: &outbox.Begin{Format: outbox.Format, Service: "s", Organization: "o", Environment: "test"}})
	return d
}

func (d *desk) keep(e *outbox.Entry) {
	if e == nil {
		return
	}
	data, err := e.Encode()
	require.NoError(d.t, err)
	read, err := outbox.Decode(data)
	require.NoError(d.t, err)
	require.NoError(d.t, d.box.Apply(read))
	d.entries = append(d.entries, read)
}

// do captures an operation that writes row and reads and makes others.
func (d *desk) do(key string, write uint64, reads, makes []uint64) {
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: key, Operation: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now}})
	d.box.Lay(key, outbox.Footprint{Reads: reads, Writes: append([]uint64{write}, makes...), Makes: makes}, nil)
}

// plan sends what is to be sent and tells its keys.
func (d *desk) plan() []string {
	p := d.box.Plan(d.now)
	d.keep(p.Freeze)
	var keys []string
	for _, it := range p.Send {
		require.True(d.t, it.Frozen())
		keys = append(keys, it.Key)
	}
	return keys
}

func (d *desk) answer(key string, v outbox.Verdict) {
	d.keep(d.box.Answered(d.now, key, v, &outbox.Refusal{Code: "X", Message: "no"}, 0))
}

func TestWhatTouchesTheSameKeepsItsOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a1", 1, nil, nil)
	d.do("a2", 1, nil, nil)
	d.do("b1", 2, nil, nil)
	d.do("b2", 3, []uint64{2}, nil)
	d.do("c1", 4, nil, nil)
	require.Equal(t, []string{"a1", "b1", "c1"}, d.plan())
	require.Equal(t, map[string]outbox.Why{"a2": outbox.InOrder, "b2": outbox.InOrder}, d.box.Blocked())
	require.Empty(t, d.plan())
	d.answer("a1", outbox.Accepted)
	require.Equal(t, []string{"a2"}, d.plan())
	d.answer("b1", outbox.Rejected)
	require.Equal(t, []string{"b2"}, d.plan(), "a refused one lets the next one go")
}

func TestSoManyAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{Parallel: 2})
	for i := range 5 {
		d.do(fmt.Sprint("k", i), uint64(i+1), nil, nil)
	}
	require.Equal(t, []string{"k0", "k1"}, d.plan())
	d.answer("k1", outbox.Accepted)
	require.Equal(t, []string{"k2"}, d.plan())
}

// belongs captures an operation that belongs to another one.
func (d *desk) belongs(key, to string) {
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: key, After: to, Operation: "moveStock", Target: "/stock/move-state", At: d.now}})
	d.box.Lay(key, outbox.Footprint{}, nil)
}

func TestWhatBelongsToAnotherGoesWithIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("receipt", 1, nil, nil)
	d.belongs("damaged", "receipt")
	d.belongs("label", "damaged")
	require.Equal(t, []string{"receipt"}, d.plan(), "though nothing in common says so")
	d.answer("receipt", outbox.Rejected)
	require.Empty(t, d.plan())
	require.Equal(t, map[string]outbox.Why{"damaged": outbox.InNeed, "label": outbox.InNeed}, d.box.Blocked())
	require.Len(t, d.box.Needing("receipt"), 2)

	// Another receipt in its place is what it belongs to then.
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: "less", Replaces: "receipt", Operation: "receiveInbound", Target: "/x", At: d.now}})
	d.box.Lay("less", outbox.Footprint{}, nil)
	short := outbox.New(outbox.Options{})
	for _, e := range d.box.Keep(d.now.Add(time.Hour)) { // without the receipt
		require.NoError(t, short.Apply(e))
	}
	require.Nil(t, short.Item("receipt"))
	require.Equal(t, outbox.InOrder, short.Blocked()["damaged"])
	require.Len(t, short.Needing("less"), 2)
	require.Equal(t, []string{"less"}, d.plan())
	d.answer("less", outbox.Accepted)
	require.Equal(t, []string{"damaged"}, d.plan())
	d.answer("damaged", outbox.Rejected)
	require.Empty(t, d.plan())

	// Given up, it leaves the question whether that is done by itself.
	e, err := d.box.Drop(d.now, "damaged", "Ada", "not so")
	require.NoError(t, err)
	d.keep(e)
	for _, e := range d.box.Left(d.now, "damaged", "not so") {
		d.keep(e)
	}
	require.Equal(t, outbox.Held, d.box.Item("label").State)
	require.Contains(t, d.box.Item("label").Refusal.Message, "was given up (not so)")
	e, err = d.box.Retry(d.now, "label", "Ada")
	require.NoError(t, err)
	d.keep(e)
	require.Equal(t, []string{"label"}, d.plan())
}

func TestARefusedOneStopsOnlyThoseThatNeedWhatItMakes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("make", 1, nil, []uint64{10})
	require.Equal(t, []string{"make"}, d.plan())
	d.do("use", 2, []uint64{10}, []uint64{11})
	d.do("after", 3, []uint64{11}, nil)
	d.do("other", 1, nil, nil)
	d.answer("make", outbox.Rejected)
	require.Equal(t, []string{"other"}, d.plan())
	require.Equal(t, map[string]outbox.Why{"use": outbox.InNeed, "after": outbox.InNeed}, d.box.Blocked())
	var needing []string
	for _, it := range d.box.Needing("make") {
		needing = append(needing, it.Key)
	}
	require.Equal(t, []string{"use", "after"}, needing)

	e, err := d.box.Retry(d.now, "make", "Ada")
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
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	var pauses []time.Duration
	for range 12 {
		require.Equal(t, []string{"a"}, d.plan())
		d.answer("a", outbox.Unreached)
		p := d.box.Plan(d.now)
		require.Empty(t, p.Send)
		pauses = append(pauses, p.Wake.Sub(d.now))
		d.now = p.Wake
	}
	require.Equal(t, time.Second, pauses[0])
	require.Equal(t, 2*time.Second, pauses[1])
	require.Equal(t, 5*time.Minute, pauses[11])
	d.plan()
	d.answer("a", outbox.Unreached)
	d.box.Heard(d.now)
	require.Equal(t, []string{"a"}, d.plan(), "an answer to anything ends the pause")
}

func TestOneThatIsNotAnsweredDoesNotStopOthersForLong(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{Parallel: 1})
	d.do("bad", 1, nil, nil)
	d.do("good", 2, nil, nil)
	for range 20 {
		require.Equal(t, []string{"bad"}, d.plan())
		d.answer("bad", outbox.Unanswered)
		d.box.Heard(d.now)
		require.Equal(t, []string{"good"}, d.plan())
		d.answer("good", outbox.Unanswered)
		d.box.Heard(d.now)
		wake := d.box.Plan(d.now).Wake
		require.LessOrEqual(t, wake.Sub(d.now), 30*time.Second)
		d.now = d.now.Add(30 * time.Second)
	}
}

func TestAQuotaPausesAndRefusesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Exhausted)
	require.True(t, d.box.Line(d.now).Exhausted)
	p := d.box.Plan(d.now)
	require.Empty(t, p.Send)
	require.Equal(t, outbox.Captured, d.box.Item("a").State)
	d.now = p.Wake
	require.Equal(t, []string{"a"}, d.plan())
	d.answer("a", outbox.Accepted)
	require.False(t, d.box.Line(d.now).Exhausted)
}

func TestABarredKeyPausesEverythingUntilItIsReplaced(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.do("b", 2, nil, nil)
	require.Len(t, d.plan(), 2)
	d.answer("a", outbox.Barred)
	d.answer("b", outbox.Barred)
	require.Empty(t, d.plan())
	require.NotNil(t, d.box.Line(d.now).Barred)
	d.box.Try()
	require.Len(t, d.plan(), 2)
}

func TestWhatMayHaveLeftIsNotDropped(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Unanswered)
	_, err := d.box.Drop(d.now, "a", "Ada", "not wanted")
	require.ErrorContains(t, err, "may have been carried out")
	require.ErrorContains(t, d.box.Replace(&outbox.Capture{Key: "b", Replaces: "a"}), "may have been carried out")
	require.Nil(t, d.box.Hold(d.now, "a", nil))
	d.now = d.now.Add(time.Minute)
	d.plan()
	d.answer("a", outbox.Rejected)
	_, err = d.box.Drop(d.now, "a", "Ada", " ")
	require.ErrorContains(t, err, "Say why")
	e, err := d.box.Drop(d.now, "a", "Ada", "counted twice")
	require.NoError(t, err)
	d.keep(e)
	_, err = d.box.Retry(d.now, "a", "Ada")
	require.ErrorContains(t, err, "dropped already")
}

func TestWhatNeverArrivedMayBeDropped(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	require.Equal(t, 1, d.box.Counts().Sent, "it is under way")
	d.answer("a", outbox.Unreached)
	require.Zero(t, d.box.Counts().Sent)
	_, err := d.box.Drop(d.now, "a", "Ada", "not wanted")
	require.NoError(t, err)
	d.now = d.now.Add(time.Minute)
	d.plan()
	d.answer("a", outbox.Unanswered)
	d.now = d.now.Add(time.Hour)
	d.plan()
	d.answer("a", outbox.Unreached)
	_, err = d.box.Drop(d.now, "a", "Ada", "not wanted")
	require.ErrorContains(t, err, "may have been carried out", "the one before may have arrived")
}

func TestWhatWasRefusedAndIsToBeSentAgainMayBeDropped(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	e, err := d.box.Retry(d.now, "a", "Ada")
	require.NoError(t, err)
	d.keep(e)
	_, err = d.box.Drop(d.now, "a", "Ada", "not wanted after all")
	require.NoError(t, err)
	d.plan()
	again := outbox.New(outbox.Options{})
	for _, e := range d.entries { // after a crash nobody knows whether it left
		require.NoError(t, again.Apply(e))
	}
	_, err = again.Drop(d.now, "a", "Ada", "not wanted after all")
	require.ErrorContains(t, err, "may have been carried out")
}

func TestAnotherTakesItsPlace(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Rejected)
	require.NoError(t, d.box.Replace(&outbox.Capture{Key: "b", Replaces: "a"}))
	d.keep(&outbox.Entry{Capture: &outbox.Capture{Key: "b", Operation: "adjustStock", At: d.now, Replaces: "a"}})
	require.Equal(t, outbox.Superseded, d.box.Item("a").State)
	require.Equal(t, "b", d.box.Item("a").Successor)
	require.Equal(t, []string{"b"}, d.plan())
}

func TestACaptureThatIsKnownChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.Accepted)
	d.do("a", 1, nil, nil)
	require.Len(t, d.box.Items(), 1)
	require.Equal(t, outbox.Done, d.box.Item("a").State)
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for code, want := range map[api.Code]outbox.Verdict{
		api.InsufficientStock: outbox.Rejected, api.ValidationError: outbox.Rejected, api.NotFound: outbox.Rejected,
		api.NotImplemented: outbox.Rejected, api.PlanLimitExceeded: outbox.Exhausted, api.Unauthorized: outbox.Barred,
		api.InsufficientScope: outbox.Barred, api.RateLimited: outbox.Throttled, api.VersionConflict: outbox.Disputed,
		api.IdempotencyKeyReused: outbox.Disputed, api.Unavailable: outbox.Unanswered, api.InternalError: outbox.Unanswered,
	} {
		require.Equal(t, want, outbox.Judge(api.Fail(code, nil, "x"), false), code)
	}
	require.Equal(t, outbox.Accepted, outbox.Judge(nil, false))
	require.Equal(t, outbox.Unreached, outbox.Judge(api.Fail(api.Unavailable, nil, "x"), true))
	require.Equal(t, outbox.Unanswered, outbox.Judge(fmt.Errorf("anything else"), false))
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
		d := newDesk(rt, outbox.Options{})
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
				p := d.box.Plan(d.now)
				d.keep(p.Freeze)
				for _, it := range p.Send {
					require.False(rt, flying[it.Key])
					flying[it.Key] = true
				}
				require.LessOrEqual(rt, len(flying), 4)
			case 3, 4:
				if key := pick(); flying[key] {
					delete(flying, key)
					v := rapid.SampledFrom([]outbox.Verdict{outbox.Accepted, outbox.Accepted, outbox.Rejected, outbox.Disputed,
						outbox.Unreached, outbox.Unanswered, outbox.Throttled, outbox.Exhausted, outbox.Barred}).Draw(rt, "verdict")
					d.answer(key, v)
				}
			case 5:
				if e, err := d.box.Drop(d.now, pick(), "Ada", "why"); err == nil {
					d.keep(e)
				}
			case 6:
				if it := d.box.Item(pick()); it != nil && it.State == outbox.Done {
					d.keep(&outbox.Entry{Settle: &outbox.Settle{Keys: []string{it.Key}}})
				}
			case 7:
				d.epoch(fmt.Sprint("e", rapid.IntRange(1, 3).Draw(rt, "epoch")))
			case 8:
				key := pick()
				d.keep(d.box.Seen(d.now, key))
			case 9:
				if e, err := d.box.Retry(d.now, pick(), "Ada"); err == nil {
					d.keep(e)
				}
			}
		}
		same(rt, d.box, reread(rt, d.entries), time.Time{})
		before := d.now.Add(-time.Duration(rapid.IntRange(0, 3600).Draw(rt, "kept")) * time.Second)
		same(rt, d.box, reread(rt, d.box.Keep(before)), before)
	})
}

func TestAKeyOfAnotherOrganizationStopsAllAndLosesNothing(t *testing.T) {
	t.Parallel()
	err := api.NotOfKey("o")
	require.Equal(t, outbox.Barred, outbox.Judge(err, false))
	require.Equal(t, outbox.Rejected, outbox.Judge(api.Fail(api.NotFound, nil, "There is no such inbound."), false))
	d := newDesk(t, outbox.Options{})
	d.do("a", 1, nil, nil)
	require.Len(t, d.plan(), 1)
	require.Nil(t, d.box.Answered(d.now, "a", outbox.Barred, outbox.RefusalOf(err), 0))
	require.Empty(t, d.plan())
	d.box.Asked(d.now, err, false)
	require.Empty(t, d.plan())
	d.box.Asked(d.now, nil, false)
	require.Equal(t, []string{"a"}, d.plan(), "the key was put right")
}

func TestABodyIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	for _, body := range []jsontext.Value{[]byte("{}"), []byte(`{"a":1}`), nil} {
		data, err := outbox.Entry{Capture: &outbox.Capture{Key: "k", Operation: "o", Body: body}}.Encode()
		require.NoError(t, err)
		e, err := outbox.Decode(data)
		require.NoError(t, err)
		require.Equal(t, body, e.Capture.Body)
	}
}

func TestAClockThatIsSetBackStopsNothing(t *testing.T) {
	t.Parallel()
	for _, v := range []outbox.Verdict{outbox.Unreached, outbox.Unanswered, outbox.Throttled, outbox.Exhausted, outbox.Barred} {
		d := newDesk(t, outbox.Options{})
		d.do("a", 1, nil, nil)
		require.Len(t, d.plan(), 1)
		d.answer("a", v)
		require.Empty(t, d.plan(), v)
		d.now = d.now.Add(-48 * time.Hour)
		require.Len(t, d.plan(), 1, v)
	}
}

func (d *desk) epoch(id string) {
	d.keep(&outbox.Entry{Epoch: &outbox.Epoch{ID: id, At: d.now}})
}

func TestWhatARestoredServiceMayHaveLostIsSentAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, outbox.Options{})
	d.epoch("one")
	for i, key := range []string{"settled", "done", "flying", "waiting"} {
		d.do(key, uint64(i), nil, nil)
	}
	require.Equal(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	d.keep(&outbox.Entry{Settle: &outbox.Settle{Keys: []string{"settled"}}})
	d.answer("done", outbox.Accepted)
	d.answer("waiting", outbox.Unreached)
	d.epoch("one")
	require.Equal(t, outbox.Done, d.box.Item("settled").State, "it is the same service")

	d.epoch("two")
	shown := func() (keys []string) {
		for _, it := range d.box.Applied() {
			keys = append(keys, it.Key)
		}
		return keys
	}
	require.Equal(t, []string{"flying", "waiting"}, shown(), "the replica has the others, or will have them again")
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Captured, d.box.Item("flying").State, "the answer may be from before")
	require.True(t, d.box.Item("flying").Unknown())
	require.Nil(t, d.box.Hold(d.now, "flying", nil), "and may be from after")
	d.now = d.now.Add(time.Minute)
	require.ElementsMatch(t, []string{"settled", "done", "flying", "waiting"}, d.plan())
	d.answer("settled", outbox.Accepted)
	require.NotContains(t, shown(), "settled", "it shows when the replica has it")
	d.keep(d.box.Seen(d.now, "waiting"))
	d.epoch("three")
	d.answer("waiting", outbox.Accepted)
	require.Equal(t, outbox.Captured, d.box.Item("waiting").State, "that was the answer of an earlier epoch")
	require.ElementsMatch(t, []string{"settled", "waiting"}, d.plan())
	d.answer("waiting", outbox.Accepted)
	d.answer("settled", outbox.Accepted)
	same(t, d.box, reread(t, d.entries), time.Time{})
	same(t, d.box, reread(t, d.box.Keep(morning)), morning)
	d.keep(&outbox.Entry{Settle: &outbox.Settle{Keys: []string{"settled"}}})
	require.False(t, d.box.Item("settled").Doubted)
	d.answer("done", outbox.Rejected)
	d.answer("flying", outbox.Accepted)
	require.ElementsMatch(t, []string{"done", "flying"}, d.plan(), "those answers were of before as well")
	d.answer("done", outbox.Rejected)
	require.Equal(t, outbox.Refused, d.box.Item("done").State, "a person hears of it")
	require.Equal(t, "The service had confirmed this before it was restored from a backup, and now refuses it. no", d.box.Item("done").Refusal.Message)
	d.answer("flying", outbox.Accepted)
	require.Equal(t, outbox.Done, d.box.Item("flying").State)
}

func reread(t require.TestingT, entries []outbox.Entry) *outbox.Box {
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

// same holds that both have the same operations, those aside that ended before
// the instant.
func same(t require.TestingT, a, b *outbox.Box, before time.Time) {
	require.Equal(t, a.Begun, b.Begun)
	require.Equal(t, a.Epoch, b.Epoch)
	left, right := a.Counts(), b.Counts()
	require.LessOrEqual(t, left.Sent, right.Sent, "that one never arrived is forgotten, and it counts as sent")
	left.Sent, right.Sent = 0, 0
	require.Equal(t, left, right)
	for _, x := range a.Items() {
		y := b.Item(x.Key)
		if y == nil {
			require.False(t, x.State.Open() || x.Applies(), x.Key)
			require.True(t, x.Since.Before(before))
			continue
		}
		require.False(t, x.Unknown() && !y.Unknown(), x.Key)
		require.Equal(t, x.Capture, y.Capture)
		require.Equal(t, x.State, y.State)
		require.Equal(t, x.SentAt, y.SentAt)
		require.Equal(t, x.Refusal, y.Refusal)
		require.Equal(t, x.Settled, y.Settled)
		require.Equal(t, x.Doubted, y.Doubted)
		require.Equal(t, x.Reason, y.Reason)
	}
	const day = 24 * time.Hour
	a.Memory(day)
	b.Memory(day)
	for _, after := range []time.Duration{0, day - time.Hour, 2 * day} {
		sought := b.Forgotten(morning.Add(after))
		for _, x := range a.Forgotten(morning.Add(after)) {
			require.True(t, slices.ContainsFunc(sought, func(y *outbox.Item) bool { return y.Key == x.Key }),
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
	d := newDesk(t, outbox.Options{})
	d.box.Memory(24 * time.Hour)
	d.do("a", 1, nil, nil)
	require.Equal(t, []string{"a"}, d.plan())
	d.keep(d.box.Answered(d.now, "a", outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again := func(after time.Duration) {
		d.now = morning.Add(after)
		e, err := d.box.Retry(d.now, "a", "Ada")
		require.NoError(t, err)
		d.keep(e)
	}
	again(11 * time.Hour)
	require.Empty(t, d.box.Forgotten(d.now), "the service knows it still")
	require.Equal(t, []string{"a"}, d.plan())
	d.keep(d.box.Answered(d.now, "a", outbox.Rejected, &outbox.Refusal{Code: api.InsufficientStock}, 0))
	again(25 * time.Hour)
	sought := func() {
		t.Helper()
		for _, entries := range [][]outbox.Entry{d.entries, d.box.Keep(d.now)} {
			box := reread(t, entries)
			box.Memory(24 * time.Hour)
			require.Len(t, box.Forgotten(d.now), 1)
			require.Equal(t, d.box.Item("a").Unknown(), box.Item("a").Unknown())
			require.Empty(t, box.Plan(d.now).Send)
		}
	}
	require.Len(t, d.box.Forgotten(d.now), 1)
	require.Empty(t, d.plan())
	sought()
	d.box.Missed(d.now, "a")
	require.Equal(t, []string{"a"}, d.plan())
	sought()
}
