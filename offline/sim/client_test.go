package sim_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A cannedAnswer is an HTTP response that apiclient reads instead of the
// service's.
type cannedAnswer struct {
	status      int
	contentType string
	body        []byte
	replayed    bool
	key         string // of the write that it answers, if the service tells
}

// RoundTrip implements http.RoundTripper.
func (c cannedAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {c.contentType}}
	if c.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if c.key != "" {
		header.Set(api.KeyHeader, c.key)
	}
	if c.status/100 == 3 {
		header.Set("Location", "https://sign-in.example/")
	}
	return &http.Response{Request: req, StatusCode: c.status, Header: header, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}

// read returns what apiclient makes of the answer to a request.
func (c cannedAnswer) read(t require.TestingT, req *api.Request) (*api.Response, error) {
	client, err := apiclient.New(apiclient.Config{URL: "https://service.example", Key: "bc_live_0123456789", Organization: api.ID{1}.String(), Transport: c})
	require.NoError(t, err)
	return client.Do(context.Background(), req)
}

// TestCannedAnswer_IsRead requires that apiclient reads an answer of the
// service as it was, so that the simulation tests more than its encoding.
func TestCannedAnswer_IsRead(t *testing.T) {
	t.Parallel()
	want := &api.StockResult{}
	want.Balance.OnHand = 3
	req := &api.Request{Spec: api.AdjustStock.Spec, IdempotencyKey: "k", Input: &api.AdjustStockInput{}}
	res, err := canned(t, &api.Response{Output: want, Replayed: true}).read(t, req)
	require.NoError(t, err)
	require.Equal(t, int64(3), res.Output.(*api.StockResult).Balance.OnHand)
	require.True(t, res.Replayed)
}

// An upstream answers the requests of a site's node.
type upstream interface {
	answer(s *site, key apiKey, req *api.Request) (*api.Response, error)
}

// An apiKey identifies a site to the service: the tenant's key with a number.
type apiKey struct {
	tenant *tenant
	number int
}

// send delivers a request to the site's upstream and its answer to back,
// unless either is lost on the way.
func (w *simulation) send(s *site, req *api.Request, deliver func(*api.Response, error)) {
	if w.basic != nil {
		w.basic.checkKeyAge(s, req)
	}
	key := s.key
	fail := func(outcome string) {
		w.schedule(10*time.Second, func() {
			deliver(nil, api.Fail(api.Unavailable, api.Details{"outcome": outcome}, "No answer came."))
		})
	}
	switch {
	case s.down():
		fail("not_sent")
		return
	case s.isPoisoned(req):
		fail("unknown")
		return
	case w.inject(requestLost, 0.05):
		fail("unknown")
		return
	}
	if w.inject(requestDoubled, 0.05) {
		d := w.delay() + w.delay()
		if w.chance(0.2) {
			d *= 60
		}
		s.duplicated[req.IdempotencyKey] = true
		w.schedule(d, func() { // the answer is dropped
			_, err := s.upstream.answer(s, key, req)
			w.logf("%s asks %s %.8s a second time: %v", s.name, req.Spec.ID, req.IdempotencyKey, err)
		})
	}
	s.sent++
	number := s.sent
	w.schedule(w.delay(), func() {
		if number < s.arrived {
			w.count(requestReordered)
		}
		s.arrived = max(s.arrived, number)
		if answer, ok := w.foreignAnswer(s, req, false); ok {
			w.logf("%s asks %s %.8s: %d instead of the service", s.name, req.Spec.ID, req.IdempotencyKey, answer.status)
			w.deliverForeign(req, answer, deliver)
			return
		}
		res, err := s.upstream.answer(s, key, req)
		w.logf("%s asks %s %.8s: %v", s.name, req.Spec.ID, req.IdempotencyKey, err)
		s.rejected[req.IdempotencyKey] = s.rejected[req.IdempotencyKey] || err != nil
		deliver := s.withHistory(req, deliver)
		if wait, ok := isLongPoll(req, res, err); ok {
			w.schedule(wait, func() { // the long poll times out
				res, err := s.upstream.answer(s, key, req)
				w.schedule(w.delay(), func() { deliver(res, err) })
			})
			return
		}
		if answer, ok := w.foreignAnswer(s, req, true); ok {
			w.logf("%s gets %d instead of the answer to %.8s", s.name, answer.status, req.IdempotencyKey)
			w.deliverForeign(req, answer, deliver)
			return
		}
		switch {
		case s.down() || w.inject(answerLost, 0.05):
			fail("unknown")
		case w.inject(answerLate, w.lateChance()):
			w.schedule(time.Duration(w.rng.IntN(480))*time.Second, func() { deliver(res, err) })
		default:
			w.schedule(w.delay(), func() { deliver(res, err) })
		}
	})
}

// lateChance returns the probability that an answer takes minutes. It is high
// before a restore, which late answers test.
func (w *simulation) lateChance() float64 {
	if w.now.Before(w.slowUntil) {
		return 0.5
	}
	return 0.02
}

func (w *simulation) delay() time.Duration {
	d := 20 + w.rng.IntN(200)
	if w.chance(0.1) {
		d += w.rng.IntN(20_000)
	}
	return time.Duration(d) * time.Millisecond
}

// down reports whether the site is offline.
func (s *site) down() bool { return s.offline && !s.sim.healed }

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
	_, known := b.appliedAt[req.IdempotencyKey]
	res, err := b.service.answer(s, key, req)
	if !known && req.Spec.Writes() && s.tenant.auditor.has(req.IdempotencyKey, s.name) {
		b.appliedAt[req.IdempotencyKey] = b.sim.now
	}
	return res, err
}

// checkKeyAge requires that a site does not send what was applied before the service forgot its
// key. What is on the way already may arrive later.
func (b *basicService) checkKeyAge(s *site, req *api.Request) {
	at, known := b.appliedAt[req.IdempotencyKey]
	require.False(b.sim.t, known && !s.keysUnreliable() && b.sim.now.Sub(at) >= keyLifetime,
		"%s sends %s again after the key expired", s.name, req.IdempotencyKey)
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
