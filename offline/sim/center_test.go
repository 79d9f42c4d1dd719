package sim_test

import (
	"log/slog"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A center is the service, with the disk under it and the copy of last night.
type center struct {
	w        *world
	shelf    *shelf
	copy     *shelf // nil before the first night
	ledger   *ledger.Ledger
	skew     time.Duration
	restored int
}

func newCenter(w *world) *center {
	c := &center{w: w, shelf: newShelf()}
	c.open()
	return c
}

func (c *center) open() {
	c.ledger = ledger.New(c.shelf, ledger.Options{Now: c.now, NewID: c.w.id, Log: slog.New(slog.DiscardHandler)})
}

func (c *center) now() time.Time { return c.w.now.Add(c.skew) }

// restore puts the copy of last night in the place of what the service has.
func (c *center) restore() {
	c.w.note("the service is restored from last night")
	c.w.met(serviceRestored)
	for _, t := range c.w.tenants {
		t.book.read()
	}
	c.ledger.Close()
	c.shelf = c.copy.copied()
	c.restored++
	c.open()
	require.NoError(c.w.t, c.ledger.NewEpoch(c.w.ctx))
	for _, t := range c.w.tenants {
		t.book.rewind()
	}
}

// answer is what the service says to a site's request, under the key that it
// was sent with.
func (c *center) answer(s *site, key badge, req *api.Request) (*api.Response, error) {
	w, t := c.w, s.tenant
	switch {
	case key.of != t && !w.healed: // as the pipeline of the service says it
		w.met(foreignKey)
		return nil, api.NotOfKey(t.org.ID.String())
	case (t.barred || slices.Contains(s.revoked, key.no)) && !w.healed:
		return nil, api.Fail(api.Unauthorized, nil, "The key is not taken.")
	case w.befalls(failedBefore, 0.02):
		return nil, api.Fail(w.failure(), nil, "Busy.")
	case w.befalls(tooMany, 0.02):
		return nil, api.Fail(api.RateLimited, nil, "Slow down.")
	case t.limited && !w.healed && req.Spec.Billable:
		w.met(quotaSpent)
		return nil, api.Fail(api.PlanLimitExceeded, nil, "The plan is used up.")
	}
	r := *req
	if in, ok := r.Input.(*api.ListChangesInput); ok {
		now := *in
		now.Wait = nil
		r.Input = &now
	}
	res, err := api.As(c.ledger, s.caller(), "").Do(w.ctx, &r)
	if err == nil && req.Spec.Writes() {
		t.book.answered(req.IdempotencyKey, res.Output)
		if w.befalls(failedAfter, 0.02) {
			return nil, api.Fail(w.failure(), nil, "It failed after the work was done.")
		}
	}
	return res, err
}

// failure is one of the codes of which nobody can tell what was done.
func (w *world) failure() api.Code {
	return []api.Code{api.Unavailable, api.InternalError}[w.rng.IntN(2)]
}

// A tenant is an organization in one environment, and what it deals in.
type tenant struct {
	w       *world
	org     api.Organization
	env     api.Environment
	goods   []api.Product
	places  []api.Place
	book    *book
	barred  bool // the service takes none of its keys
	limited bool // its quota is used up
}

func (t *tenant) caller(id string) api.Caller {
	return api.Caller{Organization: t.org.ID, Environment: t.env, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: id, Label: id}}
}

// svc is the service in the hands of the tenant's own people.
func (t *tenant) svc() api.Service { return api.As(t.w.center.ledger, t.caller("center"), "") }

// furnish gives a tenant the same goods and places as every other has.
func (t *tenant) furnish() {
	for i, tracking := range []api.Tracking{api.TrackNone, api.TrackLot, api.TrackSerial} {
		t.goods = append(t.goods, done(t, api.CreateProduct, api.CreateProductInput{SKU: "P-" + string(rune('0'+i)), Name: "Product", Tracking: tracking}))
	}
	for i := range 2 {
		t.places = append(t.places, done(t, api.CreateLocation, api.CreateLocationInput{Code: "WH-" + string(rune('0'+i)), Name: "Place", Type: api.Warehouse}))
	}
	for i := range t.places { // something to begin with
		done(t, api.AdjustStock, api.AdjustStockInput{ProductID: t.goods[0].ID, LocationID: t.places[i].ID, InventoryState: api.OnHand,
			QuantityDelta: 20, Reason: "opening stock"})
	}
}

func done[I, O any](t *tenant, op api.Operation[I, O], in I) O {
	key := t.w.key()
	t.book.minted(key, "center")
	out, err := op.Call(t.w.ctx, t.svc(), in, api.Key(key))
	require.NoError(t.w.t, err)
	return out
}
