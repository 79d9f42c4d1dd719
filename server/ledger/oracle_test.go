package ledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
)

// A trial performs random operations on the ledger and on the oracle, and compares the
// errors and the stock after each.
type trial struct {
	*fixture
	r         *rapid.T
	o         oracle
	keys      int
	products  [numProducts]api.ID
	locations [numLocations]api.ID
	lots      [numProducts][numLots]api.ID
	stockKeys []stockAt // few per run, so that operations interact

	inbounds, transfers, outbounds, reservations []api.ID
}

func TestOracle(t *testing.T) {
	t.Parallel()
	steps := 0
	testenv.Oracle.Check(t, func(r *rapid.T) {
		steps += runTrial(r, ledgertest.Open(r))
	})
	t.Logf("%d steps", steps)
}

// runTrial performs random operations in a world, and returns their number.
func runTrial(r *rapid.T, world *ledgertest.World) (steps int) {
	w := begin(r, world)
	steps = rapid.IntRange(20, 80).Draw(r, "steps")
	for range steps {
		w.next()
		w.compare()
	}
	w.compareLots()
	return steps
}

func begin(r *rapid.T, world *ledgertest.World) *trial {
	w := &trial{fixture: furnish(r, world), r: r}
	milk := w.Product("MILK-1L", api.TrackNone).ID
	basket := ledgertest.Do(w.World, api.CreateProduct, api.CreateProductInput{SKU: "BASKET", Name: "Basket",
		Components: []api.Component{{ProductID: w.oats, Quantity: 2}, {ProductID: milk, Quantity: 1}}}).ID
	w.products, w.locations = [numProducts]api.ID{w.oats, milk, basket}, [numLocations]api.ID{w.wh, w.shop}
	w.o.now = w.Clock.Now()
	w.o.expires = [numLots]time.Time{1: w.o.now.Add(50 * time.Hour), 2: w.o.now.Add(25 * time.Hour)}
	for range rapid.IntRange(1, 3).Draw(r, "spots") {
		w.stockKeys = append(w.stockKeys, stockAt{w.upto("product", numProducts), w.upto("location", numLocations)})
	}
	return w
}

// agree performs an operation on the ledger and on the oracle. A model that returns an
// error code must change nothing but the stock, which agree restores.
func agree[I, O any](w *trial, op api.Operation[I, O], in I, model func() api.Code) (out O, ok bool) {
	w.keys++
	before := w.o.stock
	want := model()
	res, err := op.Call(context.Background(), w.Service, in, api.Key(fmt.Sprint("oracle-", w.keys)))
	got := api.Code("")
	if err != nil {
		got = api.AsError(err).Code
	}
	w.r.Logf("%s %+v: %s", op.Spec.ID, in, got)
	require.Equal(w.r, want, got, "%s %+v: %v", op.Spec.ID, in, err)
	if want != "" {
		w.o.stock = before
		return out, false
	}
	return res, true
}

func (w *trial) next() {
	steps := []func(){
		w.adjust, w.adjust, w.move, w.move, w.receive, w.receive, w.giveBack, w.sell, w.writeOff, w.count,
		w.expect, w.inbound, w.inbound, w.tolerate, w.transfer, w.moveTransfer, w.moveTransfer, w.endTransfer,
		w.order, w.order, w.handle, w.handle, w.handle, w.fulfill, w.cancelOutbound,
		w.reserve, w.reserve, w.endReservation, w.endReservation, w.sellReserved,
		w.assemble, w.disassemble, w.wait, w.wait,
	}
	steps[w.upto("step", len(steps))]()
}

func (w *trial) upto(name string, n int) int { return rapid.IntRange(0, n-1).Draw(w.r, name) }

func (w *trial) quantity() int64 { return rapid.Int64Range(1, 6).Draw(w.r, "q") }

func (w *trial) stockKey() stockAt { return w.stockKeys[w.upto("spot", len(w.stockKeys))] }

func (w *trial) wait() {
	d := rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour, 13 * time.Hour}).Draw(w.r, "wait")
	w.Clock.Advance(d)
	w.o.pass(d)
}

// drawLotPolicy draws a lot policy: any, by expiry, or a known lot.
func (w *trial) drawLotPolicy(s stockAt) (out oPolicy, lot api.ID, strategy api.LotStrategy) {
	switch w.upto("lots", 5) {
	case 0:
		return oPolicy{fefo: true}, lot, api.FEFO
	case 1:
		if n := 1 + w.upto("lot", numLots-1); w.lots[s.product][n] != (api.ID{}) {
			return oPolicy{lot: n}, w.lots[s.product][n], ""
		}
	}
	return oPolicy{}, lot, ""
}

// batch draws the lot of a receipt.
func (w *trial) batch() (lot int, code string, expires *time.Time) {
	lot = w.upto("batch", numLots)
	if lot == 0 {
		return 0, "", nil
	}
	if t := w.o.expires[lot]; !t.IsZero() {
		expires = &t
	}
	return lot, fmt.Sprint("L", lot), expires
}

func (w *trial) learn(product int, list []api.Movement) {
	for _, m := range list {
		if m.Lot != nil {
			w.lots[product][m.Lot.LotCode[1]-'0'] = m.LotID
		}
	}
}

// compare checks that the ledger matches the oracle.
func (w *trial) compare() {
	limit := int64(100)
	page := ledgertest.Call(w.r, w.Service, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: &limit}})
	got := map[[2]api.ID]api.Quantities{}
	for _, b := range page.Items {
		got[[2]api.ID{b.ProductID, b.LocationID}] = b.Quantities
	}
	for p := range numProducts {
		for l := range numLocations {
			var want api.Quantities
			for state := range 8 {
				want.Add(api.States[state], w.o.stock[p][l][state].sum())
			}
			require.Equal(w.r, want, got[[2]api.ID{w.products[p], w.locations[l]}], "product %d at location %d", p, l)
		}
	}
	list := ledgertest.Call(w.r, w.Service, api.ListReservations, api.ListReservationsInput{Page: api.Page{Limit: &limit}})
	require.Len(w.r, list.Items, len(w.o.reservations))
	for i, r := range list.Items {
		want := w.o.reservations[len(list.Items)-1-i]
		require.Equal(w.r, []any{want.status, want.q, want.gone}, []any{r.Status, r.Quantity, r.FulfilledQuantity})
	}
}

// compareLots checks that the stock of each lot matches the oracle.
func (w *trial) compareLots() {
	for p := range numProducts {
		for lot := 1; lot < numLots; lot++ {
			if w.lots[p][lot] == (api.ID{}) {
				continue
			}
			out := ledgertest.Call(w.r, w.Service, api.TraceLot, api.TraceLotInput{LotID: w.lots[p][lot]})
			var got, moved [numLocations]api.Quantities
			for _, h := range out.Holdings {
				got[w.locationIndex(h.LocationID)] = h.Quantities
			}
			for _, m := range out.Movements {
				moved[w.locationIndex(m.LocationID)].Add(m.InventoryState, m.Quantity)
			}
			for l := range numLocations {
				var want api.Quantities
				for state := range 8 {
					want.Add(api.States[state], w.o.stock[p][l][state][lot])
				}
				require.Equal(w.r, want, got[l], "lot %d of product %d at location %d", lot, p, l)
				require.Equal(w.r, want, moved[l], "the movements of lot %d of product %d at location %d", lot, p, l)
			}
		}
	}
}

func (w *trial) locationIndex(id api.ID) int {
	if id == w.locations[1] {
		return 1
	}
	return 0
}
