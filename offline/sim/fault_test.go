package sim_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A fault is an event that simulations count, mostly something that goes
// wrong.
type fault int

const (
	requestLost fault = iota
	requestDoubled
	requestReordered
	answerLost
	answerLate
	pageBefore
	pageAfter
	swappedBefore
	swappedAfter
	swappedSameOperation
	swappedOtherOperation
	swappedSameSite
	swappedOtherSite
	swappedBasic
	tooMany
	quotaSpent
	failedBefore
	failedAfter
	offlineForHours
	offlineForADay
	keyRevoked
	keyReplaced
	foreignKey
	foreignJournal
	crashed
	tornTail
	diskFull
	openFailed
	writeFailed
	flushFailed
	renameFailed
	uncertain
	shortened
	replicaLost
	replicaOlder
	replicaFailed
	replicaDead
	clockForward
	clockBack
	serviceClockForward
	serviceClockBack
	serviceRestored
	serviceWentBack
	keyOfAnotherSite
	keyOfAnotherDocument
	doneAgain
	nodeRestored
	oneInbound
	reservationRaced
	serviceOvertaken
	clockWrongAtWork
	timeRejected
	scansOfTwoDevices
	scansOfTwoSites
	diskFullForAnHour
	poisoned
	poisonEdited
	poisonDiscarded
	heldForAPerson
	countedOffline
	closedAtService
	refusedWithDependents
	triedAgain
	documentNeverCreated
	discarded
	replaced
	twoTenants
	documentedOnly
	siteWithEdge
	boundDeviceWorked
	boundDeviceRejected
	siteOfOneLocation
	workedElsewhere
	siteCopied
	workOfCopies
	copyAcknowledged
	faultKinds
)

var faultNames = [faultKinds]string{"request lost", "request doubled", "request reordered", "answer lost", "answer late", "page before", "page after", "answer swapped before",
	"answer swapped after", "answer of the same operation", "answer of another operation", "answer of the same site", "answer of another site", "answer swapped by a basic service",
	"429", "quota", "5xx before", "5xx after", "hours offline", "day offline", "key revoked", "key replaced", "foreign key", "foreign journal",
	"crash", "torn tail", "disk full", "open fails", "write fails", "flush fails", "rename fails", "disk uncertain", "journal compacted",
	"replica lost", "replica older than the journal", "replica fails", "replica dead", "node's clock forward", "node's clock back", "service's clock forward", "service's clock back",
	"service restored", "service went back", "key of another site", "key of another document", "done again after restore", "node restored", "inbound received twice", "reserved stock taken by others", "service overtaken",
	"work at a wrong clock", "time rejected", "one key on two devices", "one key at two sites", "disk full for an hour", "poisoned operation", "poisoned operation edited", "poisoned operation discarded", "quarantined", "counted offline",
	"closed at the center", "rejected with dependents", "retried", "retried without its document", "discarded", "replaced", "two tenants",
	"documented operations only", "edge", "work of a bound device", "bound device rejected",
	"site of one location", "work elsewhere rejected", "site copied", "equal work of copies", "copy acknowledged"}

// A faultCounts is the number of occurrences of each fault.
type faultCounts [faultKinds]int

func (t *faultCounts) add(o faultCounts) {
	for i, n := range o {
		t[i] += n
	}
}

func (t faultCounts) String() string {
	var b strings.Builder
	for i, n := range t {
		fmt.Fprintf(&b, "%s %d, ", faultNames[i], n)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// never returns the names of the faults that did not occur.
func (t faultCounts) never() (names []string) {
	for i, n := range t {
		if n == 0 {
			names = append(names, faultNames[i])
		}
	}
	return slices.Clip(names)
}

func (w *simulation) count(f fault) { w.counts[f]++ }

// inject returns true with probability p, and then counts the fault.
func (w *simulation) inject(f fault, p float64) bool {
	if !w.chance(p) {
		return false
	}
	w.count(f)
	return true
}

// answersKept is how many answers can be mixed up with later ones.
const answersKept = 60

// A recordedAnswer is an answer to a write.
type recordedAnswer struct {
	site *site
	req  *api.Request
	res  *api.Response
}

func (w *simulation) recordAnswer(s *site, req *api.Request, res *api.Response) {
	if w.answers = append(w.answers, recordedAnswer{s, req, res}); len(w.answers) > answersKept {
		w.answers = w.answers[1:]
	}
}

// canned returns the service's answer as it travels.
func canned(t require.TestingT, res *api.Response) cannedAnswer {
	body, err := json.Marshal(res.Output, json.Deterministic(true))
	require.NoError(t, err)
	return cannedAnswer{status: 200, contentType: "application/json", body: body, replayed: res.Replayed}
}

// foreignAnswer returns what something between the site and the service
// answers instead of it, false if it does not.
func (w *simulation) foreignAnswer(s *site, req *api.Request, performed bool) (answer cannedAnswer, ok bool) {
	page, swap := pageBefore, swappedBefore
	if performed {
		page, swap = pageAfter, swappedAfter
	}
	if w.inject(page, 0.015) {
		return w.errorPage(), true
	}
	if req.Spec.Writes() && w.chance(0.03) {
		if other := w.otherAnswer(req); other != nil {
			w.count(swap)
			w.countSwap(s, req, other)
			s.swapped[req.IdempotencyKey] = true
			answer = canned(w.t, other.res)
			if w.basic == nil {
				answer.key = other.req.IdempotencyKey
			}
			return answer, true
		}
	}
	return answer, false
}

// errorPage returns a page with any status. It may be JSON, but not the
// service's error.
func (w *simulation) errorPage() cannedAnswer {
	p := cannedAnswer{status: 300 + w.rng.IntN(300), contentType: "text/html", body: []byte("<html><h1>Not the service</h1></html>")}
	if w.rng.IntN(2) == 0 { // the usual ones
		p.status = []int{302, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 429, 451, 501, 503}[w.rng.IntN(16)]
	}
	switch w.rng.IntN(6) {
	case 0:
		p.status = 200
	case 1:
		p.contentType, p.body = "application/json", []byte(`{"error":"not found","message":"default backend"}`)
	case 2:
		p.contentType, p.body = "application/json", []byte(`{}`)
	case 3:
		p.contentType, p.body = "", nil
	}
	return p
}

// otherAnswer returns the answer to another write: of the same operation, about
// the same document, or any.
func (w *simulation) otherAnswer(req *api.Request) *recordedAnswer {
	like := w.rng.IntN(3)
	var list []*recordedAnswer
	for i := range w.answers {
		x := &w.answers[i]
		switch {
		case x.req.IdempotencyKey == req.IdempotencyKey,
			like == 0 && x.req.Spec != req.Spec,
			like == 1 && (req.DocumentID() == (api.ID{}) || x.res.DocumentID() != req.DocumentID()),
			w.basic != nil && !provable(req, x):
		default:
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[w.rng.IntN(len(list))]
}

// provable reports whether a service with the documented operations lets a node
// see that an answer is that to another request. Only movements have keys.
func provable(req *api.Request, other *recordedAnswer) bool {
	return len(other.res.Movements()) > 0 || req.DocumentID() != other.res.DocumentID() && !req.Spec.Creates()
}

func (w *simulation) countSwap(s *site, req *api.Request, other *recordedAnswer) {
	if other.req.Spec == req.Spec {
		w.count(swappedSameOperation)
	} else {
		w.count(swappedOtherOperation)
	}
	if other.site == s {
		w.count(swappedSameSite)
	} else {
		w.count(swappedOtherSite)
	}
	if w.basic != nil {
		w.count(swappedBasic)
	}
}

// deliverForeign delivers an answer that is not the service's, as apiclient
// reads it.
func (w *simulation) deliverForeign(req *api.Request, answer cannedAnswer, deliver func(*api.Response, error)) {
	asked := *req
	asked.Caller = nil
	res, err := answer.read(w.t, &asked)
	if err != nil {
		e := *api.AsError(err)
		e.RequestID = "" // random
		err = &e
	}
	w.schedule(w.delay(), func() { deliver(res, err) })
}

// isLongPoll reports whether a read of changes found none and waits for them.
func isLongPoll(req *api.Request, res *api.Response, err error) (wait time.Duration, ok bool) {
	in, changes := req.Input.(*api.ListChangesInput)
	if !changes || err != nil || in.Wait == nil || *in.Wait <= 0 || len(res.Output.(*api.Changes).Items) > 0 {
		return 0, false
	}
	return time.Duration(*in.Wait) * time.Second, true
}

// poisonPhase lets nothing through that contains a certain text, as a filter
// may, for two hours in which all else works. Unrelated work must arrive in
// time and the connection stay up.
func (w *simulation) poisonPhase() {
	s := w.nodes[w.rng.IntN(len(w.nodes))]
	if s.tenant.products == nil || s.locations != nil { // the unrelated work is elsewhere
		return
	}
	k := s.tenant.worker(s)
	k.svc = api.As(s.node, s.caller(), "Ada")
	keys := k.poison()
	if keys == nil {
		return
	}
	w.count(poisoned)
	for range 12 {
		unrelated := k.unrelatedWork()
		s.push()
		for range 10 {
			w.run(time.Minute)
			require.True(w.t, s.node.Status().Link.Up, "%s: one operation marked the connection down", s.name)
		}
		for _, key := range unrelated {
			require.True(w.t, s.tenant.auditor.has(key, s.name), "%s: %s waits for an operation that never gets through", s.name, key)
		}
	}
	for _, key := range keys {
		require.False(w.t, s.tenant.auditor.has(key, s.name))
		require.True(w.t, s.node.Operation(key).State.Open(), "%s: %s is resolved without an answer", s.name, key)
	}
	require.Positive(w.t, s.node.Status().Stuck, "%s does not report the operation as stuck", s.name)
	if w.basic == nil && w.rng.IntN(2) == 0 {
		s.resolvePoison(keys)
		return
	}
	s.poison = ""
	w.run(10 * time.Minute)
	for _, key := range keys {
		require.True(w.t, s.tenant.auditor.has(key, s.name), "%s: %s does not get through after all", s.name, key)
	}
}

// resolvePoison edits or discards an operation that never gets through, once the service
// was found not to have it. Nobody has to accept that it may be done.
func (s *site) resolvePoison(keys []string) {
	w, t := s.sim, s.tenant
	for range 60 {
		if !s.node.Operation(keys[0]).NotRecordedAt.IsZero() {
			break
		}
		w.run(5 * time.Second)
	}
	op := s.node.Operation(keys[0])
	require.False(w.t, op.NotRecordedAt.IsZero(), "%s does not find out that the service lacks %s", s.name, op.Key)
	if len(keys) == 1 && w.rng.IntN(2) == 0 {
		w.count(poisonEdited)
		edited := w.newKey()
		t.auditor.addKey(edited, s.name)
		_, err := api.ReplaceWork.Call(w.ctx, api.As(s.node, s.caller(), "Ada"), api.ReplaceWorkInput{Key: op.Key, Operation: op.SpecID, Target: op.Target,
			Body: bytes.ReplaceAll(op.Body, []byte(s.poison), []byte("found")), Insist: true}, api.Key(edited))
		require.NoError(w.t, err)
		s.push()
		w.run(10 * time.Minute)
		require.True(w.t, t.auditor.has(edited, s.name), "%s: the edited operation does not get through", s.name)
	} else {
		w.count(poisonDiscarded)
		for _, key := range keys {
			require.NoError(w.t, s.node.Discard(w.ctx, key, "Ada", "never gets through", false))
		}
	}
	s.poison = ""
	w.run(10 * time.Minute)
	require.Zero(w.t, s.node.Status().Stuck)
	for _, key := range keys {
		require.False(w.t, t.auditor.has(key, s.name), "%s: %s arrives although it was resolved", s.name, key)
	}
}

// poison does an operation that will not get through, and one that depends on
// it, and returns their keys; nil if they were not saved.
func (k worker) poison() []string {
	s, t := k.site, k.tenant
	first, second := k.sim.newKey(), k.sim.newKey()
	at := api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[0].ID}
	if k.sim.rng.IntN(2) == 0 {
		s.poison = "DROP TABLE"
		in := api.AdjustStockInput{StockKey: at, InventoryState: api.Available, QuantityDelta: 2, Reason: "DROP TABLE stock"}
		if _, ok := do(k, api.AdjustStock, in, first); !ok {
			return nil
		}
		return []string{first}
	}
	s.poison = "987654"
	out, ok := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 987654}, first)
	if !ok {
		return nil
	}
	if _, ok = do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: out.Inbound.ID, Quantity: 1}, second); !ok {
		return nil
	}
	return []string{first, second}
}

// unrelatedWork does operations on other stock, and returns their keys.
func (k worker) unrelatedWork() []string {
	at := api.StockKey{ProductID: k.products[0].ID, LocationID: k.locations[1].ID}
	list := []string{k.sim.newKey(), k.sim.newKey()}
	_, ok := do(k, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, list[0])
	require.True(k.sim.t, ok)
	_, ok = do(k, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 3}, list[1])
	require.True(k.sim.t, ok)
	return list
}

// isPoisoned reports whether a request does not get through because of its
// content.
func (s *site) isPoisoned(req *api.Request) bool {
	if s.poison == "" || !req.Spec.Writes() {
		return false
	}
	_, _, body, err := req.Spec.Encode(req.Input)
	require.NoError(s.sim.t, err)
	return bytes.Contains(body, []byte(s.poison))
}

// A readCache has the service's answers to reads of one tenant in one state of its data.
// Nodes that wait ask the same again and again, which would take half of a simulation.
type readCache struct {
	layer   *store.Layer
	due     time.Time // when the next reservation expires; zero means never
	answers []readAnswer
	hits    int
}

type readAnswer struct {
	spec  *api.Spec
	input any
	res   *api.Response
}

const (
	// readsCached is the maximum number of answers in a readCache.
	readsCached = 16
	// readsCompared is how often an answer of a readCache is compared with the service's.
	readsCompared = 32
)

// cacheable reports whether the answer to a request depends on the tenant's data alone.
func cacheable(req *api.Request) bool {
	switch req.Spec {
	case api.GetAccess.Spec, api.GetCapabilities.Spec, api.GetSnapshot.Spec, api.ListKeys.Spec, api.ListNodes.Spec:
		return false
	}
	return !req.Spec.Writes() && req.Node == nil
}

// isCurrent reports whether the tenant's data is as it was when the cache was last reset.
func (c *readCache) isCurrent(s *service, t *tenant) bool {
	return c.layer != nil && c.layer == s.store.layer(t.partition()) && (c.due.IsZero() || s.now().Before(c.due))
}

// reset empties the cache, for the tenant's present data.
func (c *readCache) reset(s *service, t *tenant) {
	clear(c.answers)
	c.layer, c.answers, c.due = s.store.layer(t.partition()), c.answers[:0], time.Time{}
	due, any, err := ledger.Due(c.layer.Over(nil))
	require.NoError(s.sim.t, err)
	if any {
		c.due = due
	}
}

// find returns the answer to a request, or nil if it is not known.
func (c *readCache) find(req *api.Request) *api.Response {
	for i := range c.answers {
		if x := &c.answers[i]; x.spec == req.Spec && sameInput(x.input, req.Input) {
			return x.res
		}
	}
	return nil
}

// sameInput reports whether two inputs of an operation are equal.
func sameInput(a, b any) bool {
	if x, ok := a.(*api.ListChangesInput); ok { // most of them
		if y := b.(*api.ListChangesInput); *x.After != *y.After || x.Hash != y.Hash {
			return false
		}
	}
	return reflect.DeepEqual(a, b)
}

// withoutWait returns a request that is answered at once: the simulation waits itself.
func withoutWait(req *api.Request) *api.Request {
	in, ok := req.Input.(*api.ListChangesInput)
	if !ok || in.Wait == nil {
		return req
	}
	at, input := *req, *in
	input.Wait = nil
	at.Input = &input
	return &at
}

// read returns the service's answer to a site's request. Answers from the cache are
// regularly compared with the service's own.
func (c *service) read(s *site, req *api.Request) (*api.Response, error) {
	known := &s.tenant.reads
	if !known.isCurrent(c, s.tenant) {
		known.reset(c, s.tenant)
	}
	if res := known.find(req); res != nil {
		if known.hits++; known.hits%readsCompared == 0 {
			fresh, err := c.do(s, req)
			require.NoError(c.sim.t, err)
			require.Equal(c.sim.t, fresh.Output, res.Output, "%s: %s has another answer than before", s.name, req.Spec.ID)
		}
		again := *res
		return &again, nil
	}
	res, err := c.do(s, req)
	if err == nil && len(known.answers) < readsCached && known.isCurrent(c, s.tenant) {
		known.answers = append(known.answers, readAnswer{req.Spec, req.Input, res})
	}
	return res, err
}

func (c *service) do(s *site, req *api.Request) (*api.Response, error) {
	return api.As(c.ledger, s.caller(), "").Do(c.sim.ctx, withoutWait(req))
}
