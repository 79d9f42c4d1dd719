package sim_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// check checks what must hold at any time.
func (w *simulation) check() {
	for _, t := range w.tenants {
		t.auditor.readChanges()
	}
	for _, s := range w.nodes {
		if s.node != nil {
			s.check()
		}
	}
}

// check requires that operations reported as saved exist, and that those
// reported as done are.
func (s *site) check() {
	w, t, audit := s.sim, s.sim.t, s.tenant.auditor
	items := map[string]*outbox.Operation{}
	list := s.node.Operations()
	for i := range list {
		op := &list[i]
		items[op.Key] = op
		require.True(t, audit.users[op.Key][s.name], "%s has %s of another site", s.name, op.Key)
		require.False(t, s.notSaved[op.Key], "%s has %s, which was reported as not saved", s.name, op.Key)
		require.False(t, op.State == outbox.Refused && rejectedForTime(op.Refusal.Details), "%s: %s was rejected for its time", s.name, op.Key)
		require.True(t, op.State != outbox.Refused || s.rejected[op.Key], "%s: %s was rejected (%v), but not by the service", s.name, op.Key, op.Refusal)
		s.checkMissingParent(op)
	}
	for key, last := range s.saved {
		op := items[key]
		switch {
		case op == nil && (last == outbox.Discarded || last == outbox.Replaced || audit.has(key, s.name)):
		case op == nil && (s.restored || audit.lost[key+s.name] && s.keysExpired):
			delete(s.saved, key) // the loss is legitimate
			delete(audit.done, key+s.name)
		case op == nil:
			require.Fail(t, "lost", "%s lost %s, which was reported as saved", s.name, key)
		case op.State == outbox.Done && !op.MaybeLost && w.basic != nil && s.swapped[op.Key] && !op.Confirmed: // the changes will tell
			s.saved[key] = op.State
		case op.State == outbox.Done && !op.MaybeLost:
			require.True(t, s.hasWork(op) || audit.lost[key+s.name], "%s shows %s as done, which the service lacks", s.name, key)
			audit.done[key+s.name] = true
			fallthrough
		default:
			s.saved[key] = op.State
		}
	}
}

// heal ends all faults, and requires that every queue drains and every node
// shows what the service has.
func (w *simulation) heal() {
	w.logf("heal")
	w.healed = true
	w.service.skew = 0
	for _, s := range w.nodes {
		s.diskFull, s.disk.full, s.disk.failing, s.disk.stepsLeft, s.replicaFails = false, false, false, -1, false
		s.setClock(0)
	}
	w.run(45 * time.Minute)
	for range 3 { // rejected operations may have blocked others
		for _, s := range w.nodes {
			require.NotNil(w.t, s.node, s.name)
			s.idle = true
			s.acknowledgeCopy()
			s.resolve(true)
		}
		w.run(20 * time.Minute)
	}
	w.poisonPhase()
	w.runUntilIdle()
	proof, err := w.service.ledger.Verify(w.ctx)
	require.NoError(w.t, err)
	require.Empty(w.t, proof.Faults)
	w.check()
	for _, s := range w.nodes {
		for _, op := range s.node.Operations() {
			w.logf("%s: %.8s %s %s sent %s confirmed %t maybe lost %t: %s", s.name, op.Key, op.SpecID, op.State, op.SentAt.Format("02 15:04:05"), op.Confirmed, op.MaybeLost, codeOf(op.Refusal))
		}
		s.checkDrained()
	}
	for _, t := range w.tenants {
		switch {
		case t.products == nil:
		case w.basic != nil:
			t.checkBasicNodes()
		default:
			t.checkNodes()
			t.checkCopies()
		}
	}
}

func codeOf(r *outbox.Refusal) api.Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// runUntilIdle runs until the service has no new changes, such as reservations
// that expire.
func (w *simulation) runUntilIdle() {
	positions := func() (list []int64) {
		for _, t := range w.tenants {
			t.auditor.readChanges()
			list = append(list, t.auditor.seq)
		}
		return list
	}
	for range 200 {
		before := positions()
		w.run(2 * time.Minute)
		if slices.Equal(before, positions()) {
			return
		}
	}
	require.Fail(w.t, "the service does not become idle")
}

// checkDrained requires that nothing is pending, and that every operation has
// its reported outcome.
func (s *site) checkDrained() {
	t, audit := s.sim.t, s.tenant.auditor
	c := s.node.Status().Counts
	require.Zero(t, c.Waiting+c.Refused+c.Held, "%s still has %+v", s.name, c)
	for _, op := range s.node.Operations() {
		switch op.State {
		case outbox.Done:
			require.True(t, op.Confirmed, "the replica of %s lacks %s", s.name, op.Key)
			require.True(t, s.hasWork(&op), "%s shows %s as done, which the service lacks", s.name, op.Key)
		case outbox.Discarded, outbox.Replaced:
			// Neither a basicService nor a snapshot reports keys: the node cannot know
			// that a delayed copy of a rejected request was done later.
			late := s.sim.basic != nil && s.duplicated[op.Key] || s.hiddenBySnapshot[op.Key] || s.resolvedUnknown[op.Key] || s.doneTwice[op.Key]
			require.True(t, s.restored || late || !audit.has(op.Key, s.name), "%s discarded %s, which the service has", s.name, op.Key)
		}
	}
	for key, state := range s.saved {
		if audit.done[key+s.name] && state != outbox.Discarded && state != outbox.Replaced { // by a person, after a restore
			op := s.node.Operation(key)
			require.True(t, audit.has(key, s.name) || op != nil && s.hasWork(op), "%s was reported as done and is lost", key)
		}
	}
}

// checkNodes requires that every node of a tenant shows what the service
// shows.
func (t *tenant) checkNodes() {
	checkList(t, api.ListBalances, func(in *api.ListBalancesInput, c string) { in.Cursor = c }, func(x *api.Balance) (api.ID, bool) { return x.ID, true },
		func(x *api.Balance) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListInbounds, func(in *api.ListInboundsInput, c string) { in.Cursor = c }, func(x *api.Inbound) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Inbound) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListTransfers, func(in *api.ListTransfersInput, c string) { in.Cursor = c }, func(x *api.Transfer) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Transfer) []api.ID { return []api.ID{x.SourceLocationID, x.DestinationLocationID} })
	checkList(t, api.ListReservations, func(in *api.ListReservationsInput, c string) { in.Cursor = c }, func(x *api.Reservation) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Reservation) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListOutbounds, func(in *api.ListOutboundsInput, c string) { in.Cursor = c }, func(x *api.Outbound) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Outbound) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListSerials, func(in *api.ListSerialsInput, c string) { in.Cursor = c }, func(x *api.Serial) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Serial) []api.ID { return []api.ID{x.LocationID} })
}

// checkList requires that a list is the same at the nodes as at the service,
// except that a node may lack closed documents, and one that is limited has what is at its
// locations. at is nil if no node is.
func checkList[I, T any](t *tenant, op api.Operation[I, api.List[T]], setCursor func(*I, string), idOf func(*T) (api.ID, bool), at func(*T) []api.ID) {
	w := t.sim
	remote := listAll(t, api.As(w.service.ledger, t.caller("center"), ""), op, setCursor, idOf)
	for _, s := range w.nodes {
		if s.tenant != t {
			continue
		}
		local := listAll(t, api.As(s.node, s.caller(), ""), op, setCursor, idOf)
		for id, x := range remote {
			got := local[id]
			if _, open := idOf(x); got == nil && !open || at != nil && !s.concerns(at(x)) {
				continue
			}
			if !reflect.DeepEqual(x, got) {
				require.Equal(w.t, x, got, "%s differs in %s", s.name, op.Spec.ID)
			}
		}
		for id := range local {
			require.Contains(w.t, remote, id, "%s shows an item that the service lacks: %s", s.name, op.Spec.ID)
		}
	}
}

// open reports whether a document or serial with that status can still change.
func open[S ~string](status S) bool {
	return !slices.Contains([]S{"received", "closed", "cancelled", "fulfilled", "expired", "released", "consumed", "shipped"}, status)
}

func listAll[I, T any](t *tenant, svc api.Service, op api.Operation[I, api.List[T]], setCursor func(*I, string), idOf func(*T) (api.ID, bool)) map[api.ID]*T {
	list := map[api.ID]*T{}
	var in I
	for {
		page, err := op.Call(t.sim.ctx, svc, in)
		require.NoError(t.sim.t, err)
		for i := range page.Items {
			x := &page.Items[i]
			id, _ := idOf(x)
			list[id] = x
		}
		if page.NextCursor == nil {
			return list
		}
		setCursor(&in, *page.NextCursor)
	}
}

// An auditor follows the changes of a tenant's ledger and checks that each
// movement continues the one before, that a key has one effect, and that no
// data is another tenant's.
type auditor struct {
	tenant    *tenant
	keys      map[bool][]string          // of sites, those that create documents and others
	users     map[string]map[string]bool // the sites that used a key
	appliedBy map[string]string          // the site whose operation was applied
	applied   map[string]bool
	// anonymous are the fingerprints of work that was recorded without a client, by key. Work
	// of a site with that key and fingerprint is the same.
	anonymous map[string]string
	lost      map[string]bool // applied before a restore, and not since, by key and site
	done      map[string]bool // reported as done by a node, by key and site
	answers   map[string]any
	counted   map[string]int64
	// fulfilled are the lots of fulfillments by key.
	fulfilled map[string]api.ID
	seq       int64
	balances  map[stockKey]*[8]int64
	state     readCache // without answers: the data of which all changes are read
}

// A stockKey identifies a balance.
type stockKey struct{ product, location, owner, channel api.ID }

func newAuditor(t *tenant) *auditor {
	return &auditor{tenant: t, keys: map[bool][]string{}, users: map[string]map[string]bool{}, appliedBy: map[string]string{}, applied: map[string]bool{}, anonymous: map[string]string{}, lost: map[string]bool{}, done: map[string]bool{},
		answers: map[string]any{}, counted: map[string]int64{}, fulfilled: map[string]api.ID{}, balances: map[stockKey]*[8]int64{}}
}

// addKey records that a site uses a key.
func (a *auditor) addKey(key, who string) {
	if a.users[key] == nil {
		a.users[key] = map[string]bool{}
	}
	a.users[key][who] = true
}

// checkAnswer requires that a key has one answer, apart from the names in it, which are the
// current ones.
func (a *auditor) checkAnswer(key string, out any) {
	if first, ok := a.answers[key]; ok {
		if t := a.tenant.sim.t; !assert.ObjectsAreEqual(first, out) {
			require.Equal(t, withoutNames(t, first), withoutNames(t, out), "%s had another answer before", key)
		}
		return
	}
	a.answers[key] = out
}

var placeName = regexp.MustCompile(`"name":"(Place|Location \d+)"`)

func withoutNames(t require.TestingT, out any) string {
	text, err := json.Marshal(out)
	require.NoError(t, err)
	return placeName.ReplaceAllString(string(text), `"name":""`)
}

// rewind reads all changes again after a restore.
func (a *auditor) rewind() {
	before := a.applied
	a.applied, a.anonymous, a.seq, a.balances, a.state = map[string]bool{}, map[string]string{}, 0, map[stockKey]*[8]int64{}, readCache{}
	a.readChanges()
	for key := range before {
		if !a.applied[key] {
			a.lost[key+a.appliedBy[key]] = true
			delete(a.answers, key)
		}
	}
}

// has reports whether the service has applied a site's operation.
func (a *auditor) has(key, site string) bool {
	a.readChanges()
	return a.applied[key] && a.appliedBy[key] == site
}

// hasWork reports whether the service has applied the work of a site's operation, for
// whomever.
func (a *auditor) hasWork(op *outbox.Operation, site string) bool {
	return a.has(op.Key, site) || op.Fingerprint != "" && a.anonymous[op.Key] == op.Fingerprint
}

// readChanges checks the new changes.
func (a *auditor) readChanges() {
	t, service := a.tenant.sim.t, a.tenant.sim.service
	if a.state.isCurrent(service, a.tenant) {
		return
	}
	for limit := int64(500); ; {
		c, err := api.ListChanges.Call(a.tenant.sim.ctx, a.tenant.svc(), api.ListChangesInput{After: &a.seq, Limit: &limit})
		require.NoError(t, err)
		for i := range c.Items {
			a.checkChange(&c.Items[i])
		}
		if a.seq == c.Latest {
			a.state.reset(service, a.tenant)
			return
		}
	}
}

func (a *auditor) checkChange(c *api.Change) {
	t := a.tenant.sim.t
	require.Equal(t, a.seq+1, c.Seq)
	a.seq = c.Seq
	if c.Actor.Type == api.APIKey {
		require.False(t, a.applied[c.Key], "%s was applied twice", c.Key)
		require.True(t, a.users[c.Key][c.Actor.ID], "%s was used by another site", c.Key)
		a.appliedBy[c.Key] = c.Actor.ID
		if a.lost[c.Key+c.Actor.ID] {
			a.tenant.sim.count(doneAgain)
			delete(a.lost, c.Key+c.Actor.ID)
		}
		a.applied[c.Key] = true
		if c.Client == nil {
			a.anonymous[c.Key] = c.Fingerprint
		}
	}
	for i := range c.Movements {
		m := &c.Movements[i]
		require.Equal(t, a.tenant.org.ID, m.OrganizationID)
		require.Equal(t, a.tenant.env, m.Environment)
		q := a.balance(stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID})
		at := stateIndex(m.InventoryState)
		require.Equal(t, q[at], m.BalanceBefore, "the chain of %s is broken", m.ProductID)
		q[at] += m.Quantity
		require.Equal(t, q[at], m.BalanceAfter)
		if lot, ok := a.fulfilled[c.Key]; ok && m.InventoryState == api.OnHand {
			require.Equal(t, lot, m.LotID, "another lot than the named one left")
		}
		anywhere := c.Operation == api.CancelTransfer.Spec.ID || c.Operation == api.CloseTransfer.Spec.ID // at either end
		if s := a.siteOf(c); s != nil && m.InventoryState == api.OnHand && !anywhere {
			require.True(t, s.concerns([]api.ID{m.LocationID}), "%s, which is limited to another location, did %s %s", s.name, c.Operation, c.Key)
		}
		if c.Device == boundDevice && m.InventoryState == api.OnHand {
			a.tenant.sim.count(boundDeviceWorked)
			require.Equal(t, a.tenant.locations[0].ID, m.LocationID, "a device bound to another location did %s %s", c.Operation, c.Key)
		}
	}
	for i := range c.Balances {
		x := &c.Balances[i]
		q := a.balance(stockKey{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID})
		for i, s := range api.States {
			require.Equal(t, q[i], x.Of(s), "the movements of %s do not add up to its balance", x.ID)
		}
		if n, ok := a.counted[c.Key]; ok {
			require.Equal(t, n, x.OnHand, "the balance is not the count")
		}
	}
}

// siteOf returns the site that made a change, or nil if none did.
func (a *auditor) siteOf(c *api.Change) *site {
	for _, s := range a.tenant.sim.nodes {
		if s.tenant == a.tenant && s.name == c.Actor.ID {
			return s
		}
	}
	return nil
}

// balance returns the quantities of a balance by state.
func (a *auditor) balance(at stockKey) *[8]int64 {
	q := a.balances[at]
	if q == nil {
		require.True(a.tenant.sim.t, a.tenant.owns(at.product, at.location), "stock of another tenant")
		q = new([8]int64)
		a.balances[at] = q
	}
	return q
}

// owns reports whether product and location are the tenant's. Those being
// created are not known yet.
func (t *tenant) owns(product, location api.ID) bool {
	known := false
	for i := range t.products {
		known = known || t.products[i].ID == product
	}
	for i := range t.locations {
		if t.locations[i].ID == location {
			return known
		}
	}
	return false
}

func stateIndex(s api.State) int {
	for i, x := range api.States {
		if x == s {
			return i
		}
	}
	return -1
}

// recordCreated records the id of the document that an operation creates.
func (s *site) recordCreated(spec *api.Spec, key string) {
	if spec.Creates() && spec.Document != "" {
		id := ledger.DerivedID(s.tenant.partition(), string(spec.Document), key)
		s.created[key], s.createdBy[id] = id.String(), key
	}
}

// checkOrder requires that a request arrives after the creation of its
// document, unless a person resolved that otherwise or the service lost it.
func (s *site) checkOrder(req *api.Request) {
	key := s.createdBy[req.DocumentID()]
	if key == "" || req.Spec.Creates() || s.parentMayLack(key) || s.forOther[req.IdempotencyKey] {
		return
	}
	done := s.tenant.auditor.has(key, s.name)
	if !done && s.node != nil {
		if op := s.node.Operation(key); op != nil {
			done = s.tenant.auditor.hasWork(op, s.name)
		}
	}
	require.True(s.sim.t, done, "%s sends %s %s before %s, which creates what it needs", s.name, req.Spec.ID, req.IdempotencyKey, key)
}

// parentMayLack reports whether the service may lack what an operation creates
// although its dependents are sent.
func (s *site) parentMayLack(key string) bool {
	state := s.saved[key]
	if s.node != nil {
		if op := s.node.Operation(key); op != nil {
			state = op.State
		}
	}
	return state == "" || state == outbox.Discarded || state == outbox.Replaced || s.restored || s.sim.service.restores > 0
}

// recordTarget records that an operation is for another site's document, if that has the key
// of a creation here which is saved later, or is known to have been used there.
func (s *site) recordTarget(document api.ID, key string) {
	if _, known := s.forOther[key]; known {
		return // by the first operation with the key
	}
	creation := s.createdBy[document]
	s.noteReuse(creation)
	s.forOther[key] = creation == "" || s.reused[creation]
}

// noteReuse records that the key of an operation is known to have been used for other work.
func (s *site) noteReuse(key string) {
	if op := s.node.Operation(key); op != nil && op.State == outbox.Held && op.Refusal.Code == api.IdempotencyKeyReused {
		s.reused[key] = true
	}
}

// checkMissingParent requires that an operation was not rejected because what
// it needs was not sent.
func (s *site) checkMissingParent(op *outbox.Operation) {
	if op.State != outbox.Refused || op.Refusal.Code != api.NotFound {
		return
	}
	if op.Refusal.Details["resource"] == "lot" {
		s.checkMissingLot(op)
		return
	}
	for key, id := range s.created {
		if strings.Contains(op.Target, id) && !s.parentMayLack(key) {
			require.Fail(s.sim.t, "rejected without its parent", "%s: %s %s was rejected (%s), which needs %s", s.name, op.SpecID, op.Key, op.Refusal.Message, key)
		}
	}
}

// checkMissingLot requires that an operation whose lot the service lacks was not sent before
// a receipt of that lot here, unless the service lost it or a person resolved that.
func (s *site) checkMissingLot(op *outbox.Operation) {
	code := s.lotCodes[fmt.Sprint(op.Refusal.Details["lotId"])]
	for _, other := range s.node.Operations() {
		if other.Seq < op.Seq && other.State.Open() && other.SpecID == api.ReceiveInbound.Spec.ID && code != "" && strings.Contains(string(other.Body), strconv.Quote(code)) &&
			(s.sim.basic == nil || !s.swapped[other.Key]) && !s.restored && s.sim.service.restores == 0 {
			require.Fail(s.sim.t, "rejected without its lot", "%s: %s %s was rejected (%s), which needs %s, which is %s", s.name, op.SpecID, op.Key, op.Refusal.Message, other.Key, other.State)
		}
	}
}

// raceReservation makes an offline site reserve stock and continue with the
// reservation while others take that stock.
func (w *simulation) raceReservation() {
	s := w.nodes[w.rng.IntN(len(w.nodes))]
	if s.node == nil || !s.node.Ready() || s.idle {
		return
	}
	t := s.tenant
	at := api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[w.rng.IntN(2)].ID}
	list, err := api.ListBalances.Call(w.ctx, t.svc(), api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: at.ProductID, LocationID: at.LocationID}})
	if err != nil || len(list.Items) == 0 || list.Items[0].Available < 3 {
		return
	}
	available := list.Items[0].Available
	s.offline = true
	center := t.worker(nil)
	adjust := func(n int64) {
		doNew(center, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.Available, QuantityDelta: n, Reason: "taken by others"})
	}
	w.schedule(time.Minute, func() {
		if s.node == nil {
			return
		}
		s.catchCrash(func() {
			ends := s.now().Add(time.Duration(10+w.rng.IntN(20)) * time.Hour)
			k := t.worker(s)
			out, ok := doNew(k, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: available - 1, ExpiresAt: &ends})
			if !ok {
				return
			}
			w.count(reservationRaced)
			next := []func(api.ReservationInput){
				func(in api.ReservationInput) { doNew(k, api.CommitReservation, in) },
				func(in api.ReservationInput) { doNew(k, api.ReleaseReservation, in) },
			}
			w.rng.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			for _, fn := range next[:1+w.rng.IntN(2)] {
				fn(api.ReservationInput{ReservationID: out.Reservation.ID})
			}
		})
	})
	w.schedule(2*time.Minute, func() { adjust(3 - available) })
	w.schedule(40*time.Minute, func() { adjust(available) }) // new stock
}

// rejectedForTime reports whether the service rejected an operation for the
// time at which it occurred.
func rejectedForTime(details api.Details) bool {
	fields, _ := details["fields"].([]api.FieldProblem)
	return slices.ContainsFunc(fields, func(p api.FieldProblem) bool { return p.Path == api.OccurredAtHeader })
}
