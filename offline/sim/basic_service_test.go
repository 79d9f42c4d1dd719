package sim_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A basicService peer is a service that has the documented operations alone, and
// forgets after a day what it was asked.
type basicService struct {
	*service
	appliedAt map[string]time.Time // when a key was applied
}

// keyLifetime is how long a plain service knows a key.
const keyLifetime = 24 * time.Hour

func (p *basicService) answer(s *site, key apiKey, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	at, known := p.appliedAt[req.IdempotencyKey]
	require.False(p.sim.t, known && !s.keysUnreliable() && p.sim.now.Sub(at) >= keyLifetime,
		"%s sends %s again, which the service has forgotten", s.name, req.IdempotencyKey)
	res, err := p.service.answer(s, key, req)
	if !known && req.Spec.Writes() && s.tenant.auditor.has(req.IdempotencyKey) {
		p.appliedAt[req.IdempotencyKey] = p.sim.now
	}
	return res, err
}

// keysUnreliable sites cannot know what they sent when: their clocks were off, or their
// disks are of another day.
func (s *site) keysUnreliable() bool { return s.restored || s.clockSkewed }

// checkBasicNodes holds that every node of a tenant shows what a plain service shows.
func (t *tenant) checkBasicNodes() {
	checkList(t, api.ReportSnapshot, func(in *api.ReportSnapshotInput, c string) { in.Cursor = c }, func(x *api.SnapshotRow) (api.ID, bool) {
		return x.ID, x.Quantities != (api.Quantities{}) // an empty one may have come to be without a movement
	})
	checkList(t, api.ListInbounds, func(in *api.ListInboundsInput, c string) { in.Cursor = c }, func(x *api.Inbound) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListTransfers, func(in *api.ListTransfersInput, c string) { in.Cursor = c }, func(x *api.Transfer) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListReservations, func(in *api.ListReservationsInput, c string) { in.Cursor = c }, func(x *api.Reservation) (api.ID, bool) { return x.ID, open(x.Status) })
}
