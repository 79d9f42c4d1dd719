package sim_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A basicService has the documented operations only and forgets a key after
// keyLifetime.
type basicService struct {
	*service
	appliedAt map[string]time.Time // when a key was applied
}

// keyLifetime is how long a basicService remembers a key.
const keyLifetime = 24 * time.Hour

func (b *basicService) answer(s *site, key apiKey, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	at, known := b.appliedAt[req.IdempotencyKey]
	require.False(b.sim.t, known && !s.keysUnreliable() && b.sim.now.Sub(at) >= keyLifetime,
		"%s sends %s again after the key expired", s.name, req.IdempotencyKey)
	res, err := b.service.answer(s, key, req)
	if !known && req.Spec.Writes() && s.tenant.auditor.has(req.IdempotencyKey, s.name) {
		b.appliedAt[req.IdempotencyKey] = b.sim.now
	}
	return res, err
}

// keysUnreliable reports whether the site cannot know when it sent a key: its
// clock was wrong, or its disk was restored.
func (s *site) keysUnreliable() bool { return s.restored || s.clockSkewed }

// checkBasicNodes requires that every node of a tenant shows what a
// basicService shows.
func (t *tenant) checkBasicNodes() {
	checkList(t, api.ReportSnapshot, func(in *api.ReportSnapshotInput, c string) { in.Cursor = c }, func(x *api.SnapshotRow) (api.ID, bool) {
		return x.ID, x.Quantities != (api.Quantities{}) // an empty balance may have no movements
	}, nil)
	checkList(t, api.ListInbounds, func(in *api.ListInboundsInput, c string) { in.Cursor = c }, func(x *api.Inbound) (api.ID, bool) { return x.ID, open(x.Status) }, nil)
	checkList(t, api.ListTransfers, func(in *api.ListTransfersInput, c string) { in.Cursor = c }, func(x *api.Transfer) (api.ID, bool) { return x.ID, open(x.Status) }, nil)
	checkList(t, api.ListReservations, func(in *api.ListReservationsInput, c string) { in.Cursor = c }, func(x *api.Reservation) (api.ID, bool) {
		return x.ID, open(x.Status)
	}, nil)
}
