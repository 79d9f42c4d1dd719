package sim_test

import (
	"log/slog"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A service is the ledger behind the nodes, with its store and last night's
// copy.
type service struct {
	sim      *simulation
	store    *memStore
	backup   *memStore // nil before the first night
	ledger   *ledger.Ledger
	skew     time.Duration
	restores int
}

func newService(w *simulation) *service {
	c := &service{sim: w, store: newMemStore()}
	c.open()
	return c
}

func (c *service) open() {
	c.ledger = ledger.New(c.store, ledger.Options{Now: c.now, NewID: c.sim.newID, Log: slog.New(slog.DiscardHandler)})
}

func (c *service) now() time.Time { return c.sim.now.Add(c.skew) }

// restore restores the service from last night's copy, as a backup or as the disk of
// its machine, without a new epoch.
func (c *service) restore() {
	fromBackup, overtake := c.sim.rng.IntN(2) == 0, c.sim.rng.IntN(2) == 0
	c.sim.logf("the service is restored from last night, from a backup: %t", fromBackup)
	if fromBackup {
		c.sim.count(serviceRestored)
	} else {
		c.sim.count(serviceWentBack)
	}
	for _, t := range c.sim.tenants {
		t.auditor.readChanges()
	}
	c.ledger.Close()
	c.store = c.backup.clone()
	c.restores++
	c.open()
	if fromBackup {
		require.NoError(c.sim.t, c.ledger.NewEpoch(c.sim.ctx))
	}
	for _, t := range c.sim.tenants {
		t.reads = readCache{} // the epoch is not the tenant's data
		before := t.auditor.seq
		t.auditor.rewind()
		if overtake && t.products != nil {
			c.overtake(t, before)
		}
	}
}

// overtake makes others work until the service has more changes than the nodes
// know, which are offline meanwhile.
func (c *service) overtake(t *tenant, seq int64) {
	c.sim.count(serviceOvertaken)
	for _, s := range c.sim.nodes {
		s.offline = s.offline || s.tenant == t
	}
	for n := 0; t.auditor.seq <= seq && n < 1000; n++ {
		c.sim.act(t, nil)
		t.auditor.readChanges()
	}
	require.Greater(c.sim.t, t.auditor.seq, seq, "the service was not overtaken")
}

// answer returns the service's answer to a site's request, which was sent with
// key.
func (c *service) answer(s *site, key apiKey, req *api.Request) (*api.Response, error) {
	w, t := c.sim, s.tenant
	switch {
	case key.tenant != t && !w.healed: // as the service's authentication does
		w.count(foreignKey)
		return nil, api.WrongOrganization(t.org.ID.String())
	case (t.keysDenied || slices.Contains(s.revoked, key.number)) && !w.healed:
		return nil, api.Fail(api.Unauthorized, nil, "The key was revoked.")
	case w.inject(failedBefore, 0.02):
		return nil, api.Fail(w.errorCode(), nil, "Busy.")
	case w.inject(tooMany, 0.02):
		return nil, api.Fail(api.RateLimited, nil, "Slow down.")
	case t.quotaExceeded && !w.healed && req.Spec.Billable:
		w.count(quotaSpent)
		return nil, api.Fail(api.PlanLimitExceeded, nil, "Monthly quota used up.")
	}
	s.checkOrder(req)
	var res *api.Response
	var err error
	if cacheable(req) {
		res, err = c.read(s, req)
	} else {
		res, err = c.do(s, req)
	}
	if err != nil && rejectedForTime(api.AsError(err).Details) {
		w.count(timeRejected)
	}
	if err == nil && req.Spec.Writes() {
		t.auditor.checkAnswer(req.IdempotencyKey, res.Output)
		w.recordAnswer(s, req, res)
		if w.inject(failedAfter, 0.02) {
			return nil, api.Fail(w.errorCode(), nil, "Failed after the commit.")
		}
	}
	return res, err
}

// errorCode returns an error code that leaves open whether the request was
// done.
func (w *simulation) errorCode() api.Code {
	return []api.Code{api.Unavailable, api.InternalError}[w.rng.IntN(2)]
}

// A tenant is an organization in one environment, with its products and
// locations.
type tenant struct {
	sim           *simulation
	org           api.Organization
	env           api.Environment
	products      []api.Product
	locations     []api.Place
	auditor       *auditor
	keysDenied    bool // the service denies all its keys
	quotaExceeded bool // its quota is used up
	reads         readCache
}

func (t *tenant) partition() store.Partition {
	return store.Partition{Organization: t.org.ID, Environment: string(t.env)}
}

func (t *tenant) caller(id string) api.Caller {
	return api.Caller{Organization: t.org.ID, Environment: t.env, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: id, Label: id}}
}

// svc returns the service as the tenant's own users see it.
func (t *tenant) svc() api.Service { return api.As(t.sim.service.ledger, t.caller("center"), "") }

// seed creates the tenant's products, locations and opening stock.
func (t *tenant) seed() {
	for i, tracking := range []api.Tracking{api.TrackNone, api.TrackLot, api.TrackSerial} {
		t.products = append(t.products, mustDo(t, api.CreateProduct, api.CreateProductInput{SKU: "P-" + string(rune('0'+i)), Name: "Product", Tracking: tracking}))
	}
	for i := range 2 {
		t.locations = append(t.locations, mustDo(t, api.CreateLocation, api.CreateLocationInput{Code: "WH-" + string(rune('0'+i)), Name: "Place", Type: api.Warehouse}))
	}
	for i := range t.locations {
		mustDo(t, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[i].ID}, InventoryState: api.OnHand,
			QuantityDelta: 20, Reason: "opening stock"})
	}
}

func mustDo[I, O any](t *tenant, op api.Operation[I, O], in I) O {
	key := t.sim.newKey()
	t.auditor.addKey(key, "center")
	out, err := op.Call(t.sim.ctx, t.svc(), in, api.Key(key))
	require.NoError(t.sim.t, err)
	return out
}
