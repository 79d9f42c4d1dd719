package sim_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// copyFrom gives a new site a copy of another one's directory, as when machines are
// installed from one image, on which the program had already run.
func (s *site) copyFrom(other *site) {
	if other.original == nil {
		other.original = other
	}
	s.original, s.reports = other.original, true
	s.disk.restore(other.image)
	s.sim.count(siteCopied)
}

// countNight makes a site with copies do work that a script numbers, each night from the
// same number: a copy gives equal work the same keys, and at first the same numbers.
func (s *site) countNight() {
	if s.original == nil || s.nights >= 4 || s.timesOmitted() {
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

// hasWork reports whether the service has an operation of the site, or takes equal work of a
// copy for it.
func (s *site) hasWork(op *outbox.Operation) bool {
	return s.tenant.auditor.hasWork(op, s.name) || s.original != nil && strings.HasPrefix(op.Key, "night-") && s.timesOmitted()
}

// timesOmitted reports whether the service may have rejected the time at which a site or a copy
// of it did something. Without that time, equal work of copies with one node id is the same.
func (s *site) timesOmitted() bool {
	return s.sim.counts[serviceClockForward]+s.sim.counts[serviceClockBack] > 0 || slices.ContainsFunc(s.sim.nodes, func(o *site) bool { return o.original == s.original && o.clockSkewed })
}

// inUseTwice reports whether a site knows that a copy of its directory is in use.
func (s *site) inUseTwice() bool {
	twice := s.node != nil && s.reports && slices.Contains(s.node.Sync().Alarms, api.AlarmCopy)
	require.True(s.sim.t, !twice || s.original != nil, "%s was started again, and takes itself for a copy", s.name)
	return twice
}

// acknowledgeCopy gives a site another node id if a copy of its directory is in use.
func (s *site) acknowledgeCopy() {
	if !s.inUseTwice() {
		return
	}
	err := s.node.AcknowledgeDamage("Ada")
	s.sim.logf("%s gets an id of its own: %v", s.name, err)
	if err != nil && !s.restartIfUncertain(err) {
		require.True(s.sim.t, s.disk.full || s.disk.failing, "%s keeps its id: %v", s.name, err)
	}
	if err == nil {
		s.sim.count(copyAcknowledged)
	}
}

// checkCopies requires that no two sites have the same node id any more.
func (t *tenant) checkCopies() {
	admin := t.caller("center")
	admin.Scopes = []api.Scope{api.Admin}
	limit := int64(100)
	list, err := api.ListNodes.Call(t.sim.ctx, api.As(t.sim.service.ledger, admin, ""), api.ListNodesInput{Page: api.Page{Limit: &limit}})
	require.NoError(t.sim.t, err)
	for _, s := range t.sim.nodes {
		if s.tenant == t && s.reports {
			own := func(n api.NodeStatus) bool { return n.Label == s.name && len(n.Copies) == 0 }
			require.True(t.sim.t, slices.ContainsFunc(list.Items, own), "%s shares its node id: %v", s.name, list.Items)
		}
	}
}
