package apitest

import (
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var feedTests = []test{
	{"feed has every operation once", feedComplete},
	{"feed adds up to the balances", feedReplayed},
	{"feed wait ends at a change", feedWakes},
	{"feed wait times out", feedEmpty},
	{"feed position out of range is gone", feedGone},
	{"feed finds the change of a key", feedOfKey},
	{"feed hides documents without their scope", feedScoped},
	{"snapshot plus changes equals the service", snapshotFollowed},
	{"snapshot rejects other cursors", snapshotCursor},
	{"feed limited to locations", feedAtLocations},
	{"snapshot limited to locations", snapshotAtLocations},
	{"get capabilities", capabilitiesRead},
}

// createMixed performs a mix of operations and returns their keys in order.
func (k *fixture) createMixed(round string) (keys []string) {
	k.Helper()
	key := func() api.Option {
		keys = append(keys, api.NewKey())
		return api.Key(keys[len(keys)-1])
	}
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "SKU-" + round, Name: "N", Tracking: api.TrackLot}, key()).ID
	in := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p, LocationID: k.wh}, ExpectedQuantity: 20}, key()).Inbound
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 8, NewLot: api.NewLot{LotCode: "L1-" + round}}, key())
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6, NewLot: api.NewLot{LotCode: "L2-" + round}}, key())
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: p, LocationID: k.wh, RequestedQuantity: ptr(int64(9))}, key()).Outbound
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID, Quantity: ptr(int64(4))}, key())
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: p, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 5}, key()).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID}, key())
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(2))}, key())
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 3), key())
	do(k, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: 1, SourceState: "available",
		DestinationState: "damaged", Reason: "dropped"}, key())

	return keys
}

// follow reads the feed from a position to its end, limit changes at a time.
func (k *fixture) follow(after, limit int64) (list []api.Change) {
	k.Helper()
	for {
		got := do(k, api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit})
		require.LessOrEqual(k, int64(len(got.Items)), limit)
		list = append(list, got.Items...)
		if len(got.Items) == 0 {
			require.Equal(k, after, got.Latest)
			return list
		}
		after = list[len(list)-1].Seq
	}
}

func feedComplete(k *fixture) {
	keys := k.createMixed("A")
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.shop, api.OnHand, -1))
	keys = append(keys, k.createMixed("B")...)
	list := k.follow(0, 4)
	var got []string
	for i, c := range list {
		require.EqualValues(k, i+1, c.Seq)
		got = append(got, c.Key)
	}

	require.Equal(k, keys, got[len(got)-len(keys):])
	receive := list[len(list)-len(keys)+2]
	require.Equal(k, "receiveInbound", receive.Operation)
	require.Equal(k, []string{"inbound_receive incoming -8", "inbound_receive onHand +8", "inbound_receive available +8"}, legs(receive.Movements))
	require.Len(k, receive.Balances, 1)
	var kinds []api.DocumentKind
	for _, d := range receive.Documents {
		kinds = append(kinds, d.Kind)
	}

	require.ElementsMatch(k, []api.DocumentKind{api.DocInbound, api.DocLot}, kinds)
	require.Equal(k, "dropped", list[len(list)-1].Reason)
	do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "ABC-9"})
	do(k, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: k.oats, Barcode: "ABC-9", Reason: "wrong product"})
	unlinked := k.follow(list[len(list)-1].Seq+1, 4)
	require.Equal(k, "wrong product", unlinked[0].Reason)
	list = k.follow(0, 4)
	require.Equal(k, list[10:], k.follow(10, 500), "reading the feed again returns the same")
}

func feedReplayed(k *fixture) {
	for _, round := range []string{"A", "B", "C"} {
		k.createMixed(round)
	}

	state, sums := map[api.ID]api.Balance{}, map[api.ID]*api.Quantities{}
	for _, c := range k.follow(0, 7) {
		for _, b := range c.Balances {
			require.Contains(k, []int64{b.Version, b.Version - 1}, state[b.ID].Version)
			state[b.ID] = b
		}

		for _, m := range c.Movements {
			at := k.balanceOf(c, m)
			if sums[at] == nil {
				sums[at] = &api.Quantities{}
			}
			require.Equal(k, sums[at].Of(m.InventoryState), m.BalanceBefore)
			sums[at].Add(m.InventoryState, m.Quantity)
		}
	}

	list := do(k, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: ptr(int64(100))}}).Items
	require.Len(k, state, len(list))
	for _, b := range list {
		require.Equal(k, k.text(b), k.text(state[b.ID]))
		require.Equal(k, b.Quantities, *sums[b.ID])
	}
}

// balanceOf returns the balance of a movement in a change.
func (k *fixture) balanceOf(c api.Change, m api.Movement) api.ID {
	k.Helper()
	for _, b := range c.Balances {
		if b.ProductID == m.ProductID && b.LocationID == m.LocationID && b.OwnerID == m.OwnerID && b.ChannelID == m.ChannelID {
			return b.ID
		}
	}

	require.Fail(k, "the change lacks the balance of a movement")
	return api.NoID
}

func feedWakes(k *fixture) {
	latest := do(k, api.ListChanges, api.ListChangesInput{}).Latest
	for range 5 {
		type answer struct {
			got api.Changes
			err error
		}
		answers := make(chan answer, 2)
		for range cap(answers) {
			go func() {
				got, err := api.ListChanges.Call(k.ctx, k.svc, api.ListChangesInput{After: &latest, Wait: ptr(int64(25))})
				answers <- answer{got, err}
			}()
		}

		key := api.NewKey()
		do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1), api.Key(key))
		for range cap(answers) {
			a := <-answers
			require.NoError(k, a.err)
			require.Len(k, a.got.Items, 1)
			require.Equal(k, key, a.got.Items[0].Key)
		}

		latest++
	}
}

func feedEmpty(k *fixture) {
	first := do(k, api.ListChanges, api.ListChangesInput{})
	for _, wait := range []*int64{nil, ptr(int64(0)), ptr(int64(1))} {
		got := do(k, api.ListChanges, api.ListChangesInput{After: &first.Latest, Wait: wait, Epoch: first.Epoch})
		require.Empty(k, got.Items)
		require.Equal(k, first.Latest, got.Latest)
		require.Equal(k, first.Epoch, got.Epoch)
	}
}

func feedGone(k *fixture) {
	now := do(k, api.ListChanges, api.ListChangesInput{})
	e := mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: ptr(now.Latest + 1)})
	require.Equal(k, 410, e.Code.Status())
	k.requireDetails(e, "after", now.Latest+1, "latest", now.Latest, "epoch", now.Epoch)
	mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: &now.Latest, Epoch: "another", Wait: ptr(int64(25))})
	e = mustFail(k, api.ValidationError, api.ListChanges, api.ListChangesInput{Wait: ptr(int64(26)), After: ptr(int64(-1))})
	require.ElementsMatch(k, []string{"wait", "after"}, k.invalidFields(e))
}

func feedScoped(k *fixture) {
	k.createMixed("A")
	count := func(k *fixture) (n int) {
		for _, c := range k.follow(0, 100) {
			for _, d := range c.Documents {
				if d.Kind == api.DocTransfer {
					n++
				}
			}
		}

		for _, d := range k.replica(100, nil).documents {
			if d.Kind == api.DocTransfer {
				n++
			}
		}

		return n
	}

	require.Equal(k, 4, count(k))
	require.Zero(k, count(k.as(k.As(0, api.Live, api.InventoryRead))))
}

// A replica is the result of a snapshot and the changes since.
type replica struct {
	documents map[api.ID]api.Document
	balances  map[api.ID]api.Balance
	lots      map[[2]api.ID]*api.Quantities
}

// replica reads a snapshot in pages of limit, calling between after each page, and then
// the changes.
func (k *fixture) replica(limit int64, between func()) *replica {
	k.Helper()
	return k.limitedReplica(nil, limit, between)
}

// limitedReplica is replica for some locations, all if there are none.
func (k *fixture) limitedReplica(locations []api.ID, limit int64, between func()) *replica {
	k.Helper()
	filter := api.FilterLocations(locations)
	r := &replica{map[api.ID]api.Document{}, map[api.ID]api.Balance{}, map[[2]api.ID]*api.Quantities{}}
	seen := map[api.ID]int64{}
	since := int64(-1)
	for cursor := ""; ; {
		page := do(k, api.GetSnapshot, api.SnapshotInput{Limit: &limit, Cursor: cursor, LocationsFilter: filter})
		require.LessOrEqual(k, int64(len(page.Documents)+len(page.Balances)), limit)
		if since < 0 {
			since = page.Since
		}

		require.Equal(k, since, page.Since)
		for _, d := range page.Documents {
			r.documents[d.ID] = d
		}

		for _, b := range page.Balances {
			r.balances[b.Balance.ID], seen[b.Balance.ID] = b.Balance, b.Seq
			for _, l := range b.Lots {
				r.lots[[2]api.ID{b.Balance.ID, l.LotID}] = &l.Quantities
			}
		}

		if page.NextCursor == nil {
			break
		}

		cursor = *page.NextCursor
		if between != nil {
			between()
		}
	}

	changes := k.follow(since, 5)
	if len(locations) > 0 {
		changes = k.followAt(locations, since, 5)
	}

	for _, c := range changes {
		for _, d := range c.Documents {
			r.documents[d.ID] = d
		}

		for _, m := range c.Movements {
			id := k.balanceOf(c, m)
			if m.LotID == api.NoID || c.Seq <= seen[id] {
				continue
			}

			at := [2]api.ID{id, m.LotID}
			if r.lots[at] == nil {
				r.lots[at] = &api.Quantities{}
			}

			r.lots[at].Add(m.InventoryState, m.Quantity)
		}

		for _, b := range c.Balances {
			if b.Version > r.balances[b.ID].Version {
				r.balances[b.ID] = b
			}
		}
	}

	return r
}

// withoutEnded removes ended documents and empty lots, which a snapshot omits.
func (r *replica) withoutEnded(quiet *replica) *replica {
	for id, d := range r.documents {
		var row struct {
			Status string `json:"status"`
		}
		_ = json.Unmarshal(d.Data, &row)
		if _, ok := quiet.documents[id]; !ok && row.Status != "" && row.Status != string(api.Active) {
			delete(r.documents, id)
		}
	}

	for at, q := range r.lots {
		if *q == (api.Quantities{}) {
			delete(r.lots, at)
		}
	}

	return r
}

func snapshotFollowed(k *fixture) {
	k.createMixed("A")
	rounds := "BCDEF"
	fuzzy := k.replica(3, func() {
		if rounds != "" {
			k.createMixed(rounds[:1])
			rounds = rounds[1:]
		}
	})

	require.Empty(k, rounds, "the snapshot has enough pages")
	quiet := k.replica(1000, nil)
	fuzzy.withoutEnded(quiet)
	require.Equal(k, quiet.balances, fuzzy.balances)
	require.Equal(k, quiet.lots, fuzzy.lots)
	require.Equal(k, k.text(quiet.documents), k.text(fuzzy.documents))
	list := do(k, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: ptr(int64(100))}}).Items
	require.Len(k, quiet.balances, len(list))
	for _, b := range list {
		require.Equal(k, k.text(b), k.text(quiet.balances[b.ID]))
	}
}

func snapshotCursor(k *fixture) {
	for _, cursor := range []string{"there", newID().String(), "AAAA", "_____"} {
		mustFail(k, api.InvalidCursor, api.GetSnapshot, api.SnapshotInput{Cursor: cursor})
	}
	page := do(k, api.GetSnapshot, api.SnapshotInput{Limit: ptr(int64(1))})
	require.NotNil(k, page.NextCursor)
	mustFail(k.as(k.As(1, api.Live)), api.InvalidCursor, api.GetSnapshot, api.SnapshotInput{Cursor: *page.NextCursor})
}

func capabilitiesRead(k *fixture) {
	got := do(k, api.GetCapabilities, api.CapabilitiesInput{})
	require.Equal(k, "bincard", got.Service)
	require.Equal(k, "v1", got.Version)
	require.Zero(k, got.KeysKept)
	require.EqualValues(k, api.MaxWait, got.MaxWait)
	require.Contains(k, got.Operations, "listChanges")
	feed := do(k, api.ListChanges, api.ListChangesInput{})
	require.Equal(k, feed.Epoch, got.Epoch)
	require.Equal(k, feed.Latest, got.Latest)
}

func feedOfKey(k *fixture) {
	keys := k.createMixed("A")
	list := k.follow(0, 500)
	latest := list[len(list)-1]
	for _, key := range []string{keys[0], keys[len(keys)-1]} {
		got := do(k, api.ListChanges, api.ListChangesInput{Key: key, After: &latest.Seq, Hash: latest.Hash})
		require.Equal(k, key, got.Key)
		require.Equal(k, latest.Seq, got.Latest)
		require.Len(k, got.Items, 1, "whatever its position")
		require.Equal(k, key, got.Items[0].Key)
		require.Equal(k, list[got.Items[0].Seq-1], got.Items[0])
	}

	none := do(k, api.ListChanges, api.ListChangesInput{Key: "never sent"})
	require.Equal(k, "never sent", none.Key)
	require.Empty(k, none.Items)
	mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{Key: "never sent", After: ptr(latest.Seq + 1)})
}
