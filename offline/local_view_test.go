package offline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/budget"
)

// TestLocalView_EqualsReplayOfAllWork requires that the view equals a full
// replay row by row, whatever is done at the node and at the service, and in
// whatever order it is sent, answered and read.
func TestLocalView_EqualsReplayOfAllWork(t *testing.T) {
	t.Parallel()
	budget.LocalViews.Check(t, func(r *rapid.T) {
		s := newNodeSet(t, false)
		w := tenant{0, api.Live}
		remote := api.As(s.ledger, s.caller(w), "")
		var products []api.Product
		for i := range 3 {
			p, err := api.CreateProduct.Call(t.Context(), remote, api.CreateProductInput{SKU: fmt.Sprint("P-", i), Name: "Product"})
			require.NoError(r, err)
			products = append(products, p)
		}
		location, err := api.CreateLocation.Call(t.Context(), remote, api.CreateLocationInput{Code: "WH", Name: "Place", Type: api.Warehouse})
		require.NoError(r, err)
		n := s.node(w)
		local := api.As(n, s.caller(w), "Ada")
		work := func(svc api.Service) {
			product, q := products[rapid.IntRange(0, 2).Draw(r, "product")], int64(rapid.IntRange(1, 4).Draw(r, "quantity"))
			switch rapid.IntRange(0, 3).Draw(r, "work") {
			case 0:
				_, _ = api.AdjustStock.Call(t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID},
					InventoryState: api.Available, QuantityDelta: 2*q - 3, Reason: "counted"}, api.AcceptRisk())
			case 1:
				ends := s.clock.Now().Add(time.Duration(q) * time.Minute)
				_, _ = api.CreateReservation.Call(t.Context(), svc, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID}, Quantity: q, ExpiresAt: &ends})
			case 2:
				_, _ = api.CreateInbound.Call(t.Context(), svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID}, ExpectedQuantity: q})
			case 3:
				if list, err := api.ListInbounds.Call(t.Context(), svc, api.ListInboundsInput{}); err == nil && len(list.Items) > 0 {
					in := list.Items[int(q)%len(list.Items)]
					_, _ = api.ReceiveInbound.Call(t.Context(), svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: q}, api.AcceptRisk())
				}
			}
		}
		for range rapid.IntRange(5, 40).Draw(r, "steps") {
			switch rapid.IntRange(0, 7).Draw(r, "step") {
			case 0, 1, 2:
				work(local)
			case 3:
				work(remote)
			case 4:
				out, err := n.NextBatch()
				require.NoError(r, err)
				for _, p := range out.Requests {
					res, err := upstream{s.ledger, s.caller(w)}.Do(t.Context(), p.Req)
					if rapid.Bool().Draw(r, "lost") {
						res, err = nil, api.Fail(api.Unavailable, nil, "No answer came.")
					}
					require.NoError(r, n.SendDone(p.Key, res, err))
				}
				n.Resume()
			case 5:
				s.pullAll(w)
			case 6:
				s.clock.Advance(time.Duration(rapid.IntRange(1, 180).Draw(r, "seconds")) * time.Second)
				_, err := api.ListBalances.Call(t.Context(), local, api.ListBalancesInput{}) // may trigger an expiry
				require.NoError(r, err)
			case 7:
				for _, op := range n.Operations() {
					if op.State == outbox.Refused || op.State == outbox.Held {
						if rapid.Bool().Draw(r, "again") {
							require.NoError(r, n.Retry(t.Context(), op.Key, "Ada"))
						} else {
							require.NoError(r, n.Discard(t.Context(), op.Key, "Ada", "counted again", false))
						}
						break
					}
				}
			}
			require.NoError(r, n.Verify(t.Context()))
		}
	})
}

// pullAll makes a node read everything from the service.
func (s *nodeSet) pullAll(w tenant) {
	n, up := s.nodes[w], upstream{s.ledger, s.caller(w)}
	for {
		req, _, err := n.NextRead(s.t.Context())
		require.NoError(s.t, err)
		if req == nil {
			return
		}
		last := false
		if in, ok := req.Input.(*api.ListChangesInput); ok {
			last = *in.Wait > 0
			in.Wait = nil
		}
		res, err := up.Do(s.t.Context(), req)
		require.NoError(s.t, n.ReadDone(s.t.Context(), res, err))
		if last {
			return
		}
	}
}
