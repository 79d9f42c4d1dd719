package sim_test

import (
	"fmt"

	"bincard/server/api"
)

// copyFrom gives a new site a copy of another one's directory, as when machines are
// installed from one image, on which the program had already run.
func (s *site) copyFrom(other *site) {
	if other.original == nil {
		other.original = other
	}
	s.original = other.original
	s.disk.restore(other.image)
	s.sim.count(siteCopied)
}

// countNight makes a site with copies do work that a script numbers, each night from the
// same number: a copy gives equal work the same keys, and at first the same numbers.
func (s *site) countNight() {
	if s.original == nil || s.nights >= 4 {
		return
	}
	for range 2 {
		if s.node == nil {
			return
		}
		key := fmt.Sprintf("night-%s-%d", s.original.name, s.nights)
		s.nights++ // before a crash, after which it may be saved
		s.sim.count(workOfCopies)
		do(s.tenant.worker(s), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: s.tenant.products[0].ID, LocationID: s.tenant.locations[0].ID},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: "night"}, key)
	}
}
