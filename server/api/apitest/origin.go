package apitest

import (
	"encoding/hex"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var originTests = []test{
	{"origin: the feed has node, number, device and time", originRecorded},
	{"origin: a key that another node used is rejected", originOfOtherNode},
}

var occurredTests = []test{
	{"occurred: movements have the time", occurredRecorded},
	{"occurred: the time is bounded by the service's clock", occurredBounded},
	{"occurred: a reservation that expired on its way", reservationTooLate},
	{"occurred: reports filter by when it happened", reportedByOccurred},
}

var chainTests = []test{
	{"chain: equal services have the same head", headEverywhere},
	{"chain: another history is gone", historyDiverged},
}

// lastChange returns the newest change.
func (k *fixture) lastChange() api.Change {
	k.Helper()
	latest := do(k, api.ListChanges, api.ListChangesInput{}).Latest
	items := do(k, api.ListChanges, api.ListChangesInput{After: ptr(latest - 1)}).Items
	require.Len(k, items, 1)
	return items[0]
}

func originRecorded(k *fixture) {
	client, at := uuid.New(), k.Now().Add(-3*time.Hour)
	in := adjust(k.oats, k.wh, api.OnHand, 3)
	out := do(k, api.AdjustStock, in, api.From(client, 17), api.OnDevice("Scanner 3"), api.OccurredAt(at))
	for _, m := range out.Movements {
		require.Equal(k, at, m.OccurredAt)
		require.True(k, m.CreatedAt.After(at))
	}

	c := k.lastChange()
	require.Equal(k, &api.ClientNumber{ID: client, Number: 17}, c.Client)
	require.Equal(k, "Scanner 3", c.Device)
	require.Equal(k, at, c.OccurredAt)
	require.Equal(k, at, c.Movements[0].OccurredAt)
	require.Equal(k, "Scanner 3", do(k, api.ReportMovements, api.ReportMovementsInput{}).Items[0].Device)
	fingerprint, err := api.AdjustStock.Spec.Fingerprint(&in)
	require.NoError(k, err)
	require.Equal(k, hex.EncodeToString(fingerprint[:]), c.Fingerprint)

	plain := do(k, api.AdjustStock, in, api.OccurredAt(k.Now()))
	require.Zero(k, plain.Movements[0].OccurredAt, "it occurred when it was created")
	c = k.lastChange()
	require.Nil(k, c.Client)
	require.Empty(k, c.Device)
	require.Zero(k, c.OccurredAt)
}

func originOfOtherNode(k *fixture) {
	in, first, second := adjust(k.oats, k.wh, api.OnHand, 5), uuid.New(), uuid.New()
	night := func(node api.ID, device string) []api.Option {
		return []api.Option{api.Key("night-0"), api.From(node, 1), api.OnDevice(device)}
	}
	do(k, api.AdjustStock, in, night(first, "Main")...)
	do(k, api.AdjustStock, in, night(first, "Main")...)
	do(k, api.AdjustStock, in, api.Key("night-0")) // says nothing, so it is a retry
	e := mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, in, night(second, "Main")...)
	k.requireDetails(e, "operation", "adjustStock", "device", "Main", "usedAt", k.Now().Format(time.RFC3339))
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, in, night(first, "Supervisor")...)
	require.EqualValues(k, 5, k.quantities(k.oats, k.wh).OnHand)

	// A copy of the first node gives its work the same numbers, or does it at the same time.
	at := k.Now().Add(-time.Hour)
	copied := func(number int64, at time.Time) []api.Option {
		return []api.Option{api.Key("copied"), api.From(first, number), api.OccurredAt(at)}
	}
	do(k, api.AdjustStock, in, copied(2, at)...)
	do(k, api.AdjustStock, in, copied(2, at)...)
	do(k, api.AdjustStock, in, copied(2, time.Time{})...) // it does not know when it was
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, in, copied(2, at.Add(time.Millisecond))...)
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, in, copied(3, at)...)
	require.EqualValues(k, 10, k.quantities(k.oats, k.wh).OnHand)

	do(k, api.AdjustStock, in, api.Key("plain"))
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, in, api.Key("plain"), api.From(first, 2))
	require.EqualValues(k, 15, k.quantities(k.oats, k.wh).OnHand)
}

func reportedByOccurred(k *fixture) {
	start := k.Now()
	noon := start.Add(-6 * time.Hour)
	for i := range 4 { // at -8h, -7h, -6h and -5h
		in := adjust(k.oats, k.wh, api.Damaged, 1)
		do(k, api.AdjustStock, in, api.OccurredAt(noon.Add(time.Duration(i-2)*time.Hour)))
	}

	k.Advance(time.Minute)
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.Damaged, 1)) // not known: when it was created
	reported := func(in api.ReportMovementsInput) (times []time.Time) {
		in.InventoryState = api.Damaged
		for _, row := range do(k, api.ReportMovements, in).Items {
			if row.OccurredAt.IsZero() {
				row.OccurredAt = row.CreatedAt
			}
			times = append(times, row.OccurredAt)
		}

		return times
	}

	hour := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }
	require.Equal(k, []time.Time{hour(0), hour(-1)}, reported(api.ReportMovementsInput{OccurredFrom: ptr(hour(-1)), OccurredTo: ptr(hour(1))}))
	require.Equal(k, []time.Time{k.Now(), hour(1), hour(0)}, reported(api.ReportMovementsInput{OccurredFrom: &noon}))
	require.Equal(k, []time.Time{hour(-1), hour(-2)}, reported(api.ReportMovementsInput{OccurredTo: &noon, StockFilter: api.StockFilter{ProductID: k.oats}}))
	require.Equal(k, []time.Time{k.Now()}, reported(api.ReportMovementsInput{OccurredFrom: ptr(start.Add(time.Minute))}))
	require.Empty(k, reported(api.ReportMovementsInput{OccurredTo: &noon, CreatedTo: &start}))

	balance := do(k, api.ListBalances, api.ListBalancesInput{}).Items[0].ID
	explained := do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: balance, OccurredFrom: ptr(hour(-1)), OccurredTo: &noon})
	require.Len(k, explained.Movements, 2, "damaged and on hand")
	require.Equal(k, hour(-1), explained.Movements[0].OccurredAt)
	require.EqualValues(k, 5, explained.Totals.Damaged, "totals cover all movements")
}

func occurredRecorded(k *fixture) {
	at, key := k.Now().Add(-3*time.Hour), api.Key("one")
	in := adjust(k.oats, k.wh, api.OnHand, 3)
	first := do(k, api.AdjustStock, in, key, api.OccurredAt(at))
	require.Equal(k, at, first.Movements[0].OccurredAt)
	k.Advance(time.Minute)
	require.Equal(k, at, do(k, api.AdjustStock, in, key).Movements[0].OccurredAt)
	require.Equal(k, at, do(k, api.ReportMovements, api.ReportMovementsInput{}).Items[0].OccurredAt)
}

func occurredBounded(k *fixture) {
	in := adjust(k.oats, k.wh, api.OnHand, 1)
	for _, late := range []time.Duration{-367 * 24 * time.Hour, 6 * time.Minute} {
		e := mustFail(k, api.ValidationError, api.AdjustStock, in, api.OccurredAt(k.Now().Add(late)))
		require.Equal(k, []string{api.OccurredAtHeader}, k.invalidFields(e))
	}

	key := api.Key("early")
	early := api.OccurredAt(k.Now().Add(-365 * 24 * time.Hour))
	do(k, api.AdjustStock, in, key, early)
	do(k, api.AdjustStock, in, api.OccurredAt(k.Now().Add(4*time.Minute)))
	k.Advance(30 * 24 * time.Hour)
	do(k, api.AdjustStock, in, key, early) // a retry is never too late
	require.EqualValues(k, 2, k.quantities(k.oats, k.wh).OnHand)
}

func reservationTooLate(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	expires := k.Now().Add(time.Hour)
	in := api.CreateReservationInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: 4, ExpiresAt: &expires}
	made := api.OccurredAt(k.Now())
	k.Advance(2 * time.Hour)
	e := mustFail(k, api.ReservationTooLate, api.CreateReservation, in, made)
	require.Equal(k, 409, e.Code.Status())
	k.requireDetails(e, "expiresAt", expires.Format(time.RFC3339), "quantity", 4, "productId", k.oats, "locationId", k.wh)
	mustFail(k, api.ValidationError, api.CreateReservation, in)
	mustFail(k, api.ValidationError, api.CreateReservation, in, api.OccurredAt(expires))
	require.EqualValues(k, 10, k.quantities(k.oats, k.wh).Available)
}

func headEverywhere(k *fixture) {
	k.createMixed("A")
	list := k.follow(0, 3)
	last := list[len(list)-1]
	head := api.Head{Seq: last.Seq, Hash: last.Hash}
	require.Equal(k, &head, do(k, api.GetAccess, api.GetAccessInput{}).Head)
	capabilities := do(k, api.GetCapabilities, api.CapabilitiesInput{})
	require.Equal(k, head, api.Head{Seq: capabilities.Latest, Hash: capabilities.Hash})
	page := do(k, api.GetSnapshot, api.SnapshotInput{})
	require.Equal(k, head, api.Head{Seq: page.Since, Hash: page.Hash})
	changes := do(k, api.ListChanges, api.ListChangesInput{})
	require.Equal(k, head, api.Head{Seq: changes.Latest, Hash: changes.Hash})
	seen := map[string]bool{}
	for _, c := range list {
		require.Len(k, c.Hash, 48)
		require.False(k, seen[c.Hash])
		seen[c.Hash] = true
	}
}

func historyDiverged(k *fixture) {
	k.createMixed("A")
	list := k.follow(0, 500)
	for _, c := range list {
		got := do(k, api.ListChanges, api.ListChangesInput{After: ptr(c.Seq), Hash: c.Hash})
		require.Len(k, got.Items, len(list)-int(c.Seq))
	}

	latest := list[len(list)-1].Seq
	e := mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: ptr(int64(4)), Hash: list[4].Hash})
	k.requireDetails(e, "reason", "diverged", "latest", latest)
	e = mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: ptr(latest), Hash: list[0].Hash, Wait: ptr(int64(25))})
	k.requireDetails(e, "reason", "diverged", "latest", latest)
	e = mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: ptr(latest + 1), Hash: list[0].Hash})
	k.requireDetails(e, "reason", "ahead", "latest", latest)
}
