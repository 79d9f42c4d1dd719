package home_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// fillAtRandom adds stock, documents and reservations at both locations, some of them
// finished, late, empty, low or expiring.
func fillAtRandom(h *viewtest.Warehouse, r *rand.Rand) {
	reorder := int64(20)
	places := []api.Place{h.Main, h.Depot}
	noon := tuitest.Noon
	for i := range 6 + r.IntN(8) {
		h.Clock.Set(noon.Add(-time.Duration(r.IntN(60)) * time.Hour))
		k := r.IntN(2)
		at, other := places[k], places[1-k]
		p := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%d", i), Name: "Product", Tracking: api.TrackLot, ReorderPoint: &reorder})
		expires := noon.AddDate(0, 0, r.IntN(60))
		in := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, ExpectedQuantity: 40, ExpectedAt: &expires}).Inbound
		if q := int64(r.IntN(41)); q > 0 {
			ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: q, NewLot: api.NewLot{LotCode: "L", ExpiresAt: &expires}})
		}
		later := noon.Add(time.Hour)
		due := noon.Add(time.Duration(r.IntN(48)-24) * time.Hour)
		h.Inbound(fmt.Sprintf("PO-%d", i), h.Coffee, 5, due.Sub(noon))
		q := int64(3 + r.IntN(4))
		h.Stock(h.Coffee.ID, at.ID, 4*q)
		ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: at.ID, RequestedQuantity: &q, ExpectedShipAt: &due})
		x := h.Transfer(fmt.Sprintf("TR-%d", i), h.Coffee, at, other, 2)
		ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: at.ID}, Quantity: 1, ExpiresAt: &later})
		if r.IntN(2) == 0 {
			one := int64(1)
			ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: x.ID, Quantity: &one})
		}
	}
	h.Clock.Set(noon)
}

// number returns the number that stands before text in a view, or 0.
func number(t *testing.T, view, text string) int {
	t.Helper()
	found := regexp.MustCompile(`(\d+) `+text).FindAllStringSubmatch(view, -1)
	sum := 0
	for _, f := range found {
		n, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		sum += n
	}
	return sum
}

// TestHome_NumbersEqualLists compares every number on home with the number of rows of the
// list that it opens.
func TestHome_NumbersEqualLists(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(6) {
		h := viewtest.NewWarehouse(t)
		fillAtRandom(h, rand.New(rand.NewPCG(seed, 1)))
		d := terminal(t, h).Size(120, 60)
		home := d.View()
		for _, x := range []struct {
			home, list string
			keys       []string
		}{
			{"expected", "expected", []string{"1"}},
			{"to ship", "open", []string{"2"}},
			{"in transit", "open", []string{"3"}},
			{"open {9}", "open", []string{"4"}},
			{"in stock", "in stock at WH-1", []string{"5"}},
			{"movements? today", "movements", []string{"6"}},
			{"pending", "pending", []string{"7"}},
			{"low", "low", []string{"5", "f3"}},
			{"lots? expires? soon", "lots", []string{"5", "f7"}},
		} {
			list := d.Key(x.keys...).View()
			seen[x.home] += number(t, home, x.home)
			require.Equal(t, number(t, home, x.home), number(t, list, x.list), "seed %d, %s:\n%s\n%s", seed, x.home, home, list)
			for range x.keys {
				d.Key("esc")
			}
		}
		late := h.Terminal(t, allScreens(h), func(o *shell.Options) { o.Start = []string{"late"} }).Size(120, 60).View()
		seen["late"] += number(t, home, "late")
		require.Equal(t, number(t, home, "late"), number(t, late, "late"), "seed %d:\n%s\n%s", seed, home, late)
	}
	for text, n := range seen {
		require.Positive(t, n, text)
	}
}
