package sim_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/server/api"
)

// on returns the service that a device of an edge site uses.
func (s *site) on(device api.Caller) api.Service {
	return api.As(edge.New(s.node, s.caller(), api.Access{Organization: s.tenant.org, Environment: s.tenant.env}), device, "Ada")
}

// boundDevice is the label of the device that is bound to a location.
const boundDevice = "Scanner 1"

// fixedDevice and scanner return two devices of an edge site; the scanner is bound to a
// location.
func (s *site) fixedDevice() api.Caller {
	c := s.caller()
	c.KeyID, c.KeyLabel = api.ID{1}, "Packing bench"
	return c
}

func (s *site) scanner() api.Caller {
	c := s.caller()
	c.KeyID, c.KeyLabel, c.LocationID = api.ID{2}, boundDevice, s.tenant.locations[0].ID
	return c
}

// countScans makes two devices, which both number their scans from 1, use one
// key for work that looks the same. Only the first one's is done; the second
// one must be told. The other device is at the same edge or at another site.
func (s *site) countScans() {
	w, t := s.sim, s.tenant
	key := w.newKey()
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[0].ID},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "scan"}
	first, second := s.fixedDevice(), s.scanner()
	if w.rng.IntN(2) == 0 {
		first, second = second, first
	}
	k := t.worker(s)
	k.svc = s.on(first)
	if _, ok := do(k, api.AdjustStock, in, key); !ok || s.node == nil {
		return
	}
	later := time.Duration(w.rng.IntN(20*60)) * time.Second
	if other := w.nodes[w.rng.IntN(len(w.nodes))]; other != s && other.tenant == t && w.basic == nil {
		other.schedule(later, func() {
			if !other.idle {
				w.count(scansOfTwoSites)
				do(t.worker(other), api.AdjustStock, in, key)
			}
		})
		return
	}
	s.schedule(later, func() {
		if s.restored || s.idle {
			return
		}
		w.count(scansOfTwoDevices)
		_, err := api.AdjustStock.Call(w.ctx, s.on(second), in, api.Key(key))
		require.Error(w.t, err, "%s received the answer that its scan %s is saved, but %s made it", second.KeyLabel, key, first.KeyLabel)
		if s.node.Operation(key) != nil {
			require.Equal(w.t, api.IdempotencyKeyReused, api.AsError(err).Code)
		}
	})
}
