package offline_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// crew are a worker, a supervisor and a node for their stock, at a service with a key that is
// bound to a role, if it has one.
type crew struct {
	*ledgertest.World
	t        *testing.T
	node     *offline.Node
	cfg      offline.Config
	caller   api.Caller
	oats, wh api.ID
	ben, eve api.Operator
	keys     map[string]ed25519.PrivateKey
}

func openCrew(t *testing.T, is api.Role) *crew {
	t.Helper()
	w := ledgertest.Open(t)
	c := &crew{World: w, t: t, caller: callerOf(w), oats: w.Product("OAT-1L", api.TrackNone).ID, wh: w.Location("WH-1").ID,
		cfg: offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}}}
	c.caller.Role = is
	c.ben = ledgertest.Do(w, api.CreateOperator, api.CreateOperatorInput{Name: "Ben", Role: api.Worker, Badge: api.NewBadge(w.Org.ID, "BEN-0044")})
	c.eve = ledgertest.Do(w, api.CreateOperator, api.CreateOperatorInput{Name: "Eve", Role: api.Supervisor, PIN: api.NewPIN("4711")})
	c.keys = map[string]ed25519.PrivateKey{"Ben": c.ben.OpenBadge("BEN-0044"), "Eve": c.eve.OpenPIN("4711")}
	c.open()
	c.read()
	return c
}

func (c *crew) open()           { c.node = openNode(c.t, c.World, c.cfg) }
func (c *crew) up() upstream    { return upstream{c.Ledger, c.caller} }
func (c *crew) at() api.Service { return api.As(c.node, c.caller, "Ben") }

func (c *crew) read() {
	c.t.Helper()
	c.Clock.Advance(time.Minute)
	for range 2 { // the changes, then what they announce
		readChanges(c.t, c.node, c.up())
	}
}

func (c *crew) send() {
	c.t.Helper()
	c.Clock.Advance(time.Minute)
	for sendBatch(c.t, c.node, c.up()) {
	}
}

// prove returns the proof of a write by a person.
func (c *crew) prove(name string, spec *api.Spec, in any, key string) string {
	c.t.Helper()
	req := &api.Request{Spec: spec, Input: in, IdempotencyKey: key, Operator: "Ben"}
	if name != "Ben" {
		req.ApprovedBy = name
	}
	req.Prove(c.Org.ID, api.Live, c.keys[name])
	return req.Proof
}

func (c *crew) remove(o api.Operator) {
	c.t.Helper()
	removed := true
	ledgertest.Do(c.World, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: o.ID, Removed: &removed})
}

func (c *crew) onHand() int64 {
	c.t.Helper()
	list := ledgertest.Do(c.World, api.ListBalances, api.ListBalancesInput{}).Items
	if len(list) == 0 {
		return 0
	}
	return list[0].OnHand
}

func requireApproval(t *testing.T, err error, text string) {
	t.Helper()
	require.True(t, api.HasCode(err, api.ApprovalRequired), "%v", err)
	require.ErrorContains(t, err, text)
}

func TestNode_HasTheOperators(t *testing.T) {
	t.Parallel()
	c := openCrew(t, "")
	names := func() (list []string) {
		for _, o := range ledgertest.Call(t, c.at(), api.ListOperators, api.ListOperatorsInput{}).Items {
			list = append(list, o.Name)
		}
		return list
	}
	require.ElementsMatch(t, []string{"Ben", "Eve"}, names())
	ledgertest.Do(c.World, api.CreateOperator, api.CreateOperatorInput{Name: "Ada", Role: api.Worker, PIN: api.NewPIN("1234")})
	c.read()
	require.ElementsMatch(t, []string{"Ada", "Ben", "Eve"}, names())

	// Those that were created before this version knew them, while it did not run.
	require.NoError(t, c.node.Close())
	c.open()
	require.Len(t, names(), 3)
}

// Ben's badge is removed while he works offline. What he did waits for a supervisor.
func TestNode_BadgeRemovedWhileOffline(t *testing.T) {
	t.Parallel()
	c := openCrew(t, "")
	in := adjustOf(c.oats, c.wh, 4)
	ledgertest.Call(t, c.at(), api.AdjustStock, in, api.Key("offline"))
	c.remove(c.ben)
	c.send()
	op := c.node.Operation("offline")
	require.Equal(t, outbox.Refused, op.State)
	require.Equal(t, "Ben's badge was revoked. A supervisor must approve this work.", op.Refusal.Message)
	require.Equal(t, api.SyncOnline, c.node.Sync().State, "other work goes on")

	// A node that knows the removal rejects at once, also at risk.
	c.read()
	for _, option := range []api.Option{api.AcceptRisk(), api.ApprovedBy("Eve")} {
		_, err := api.AdjustStock.Call(t.Context(), c.at(), in, option)
		requireApproval(t, err, "Ben's badge was revoked.")
	}
	ledgertest.Call(t, api.As(c.node, c.caller, "Eve"), api.AdjustStock, in)

	eve := api.As(c.node, c.caller, "Eve")
	retry := func(proof string) outbox.State {
		ledgertest.Call(t, eve, api.RetryWork, api.WorkKeyInput{Key: "offline"}, api.Proof(proof))
		c.send()
		return c.node.Operation("offline").State
	}
	require.Equal(t, outbox.Refused, retry(""))
	require.Equal(t, outbox.Refused, retry(c.prove("Ben", api.AdjustStock.Spec, &in, "offline")))
	proof := c.prove("Eve", api.AdjustStock.Spec, &in, "offline")
	ledgertest.Call(t, eve, api.RetryWork, api.WorkKeyInput{Key: "offline"}, api.Proof(proof))
	require.NoError(t, c.node.Close())
	c.open() // the journal has the approval
	c.read()
	c.send()
	require.Equal(t, outbox.Done, c.node.Operation("offline").State)
	require.EqualValues(t, 8, c.onHand())
	rows := ledgertest.Do(c.World, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Contains(t, []string{rows[0].ApprovedBy, rows[2].ApprovedBy}, "Eve")
}

// A supervisor approves offline. The service checks it days later.
func TestNode_ApprovalGivenOffline(t *testing.T) {
	t.Parallel()
	c := openCrew(t, api.Worker)
	in := adjustOf(c.oats, c.wh, 40)
	_, err := api.AdjustStock.Call(t.Context(), c.at(), in, api.AcceptRisk())
	requireApproval(t, err, "A supervisor must approve it with badge or PIN.")
	proof := c.prove("Eve", api.AdjustStock.Spec, &in, "approved")
	_, err = api.AdjustStock.Call(t.Context(), c.at(), in, api.Key("moved"), api.ApprovedBy("Eve"), api.Proof(proof))
	requireApproval(t, err, "A supervisor must approve it")
	_, err = api.AdjustStock.Call(t.Context(), c.at(), in, api.Key("forged"), api.ApprovedBy("Eve"))
	requireApproval(t, err, "A supervisor must approve it")
	ledgertest.Call(t, c.at(), api.AdjustStock, in, api.Key("approved"), api.ApprovedBy("Eve"), api.Proof(proof))

	require.NoError(t, c.node.Close())
	c.Clock.Advance(72 * time.Hour)
	c.open()
	c.read()
	c.send()
	require.Equal(t, outbox.Done, c.node.Operation("approved").State)
	require.EqualValues(t, 40, c.onHand())
}

// An approval covers its write. The write that replaces it needs its own.
func TestNode_ReplacementNeedsItsOwnApproval(t *testing.T) {
	t.Parallel()
	c := openCrew(t, api.Worker)
	in, other := adjustOf(c.oats, c.wh, 40), adjustOf(c.oats, c.wh, 41)
	proof := c.prove("Eve", api.AdjustStock.Spec, &in, "first")
	ledgertest.Call(t, c.at(), api.AdjustStock, in, api.Key("first"), api.ApprovedBy("Eve"), api.Proof(proof))
	path, _, body, err := api.AdjustStock.Encode(&other)
	require.NoError(t, err)
	replace := func(proof string) error {
		_, err := api.ReplaceWork.Call(t.Context(), c.at(), api.ReplaceWorkInput{Key: "first", Operation: "adjustStock", Target: path, Body: body},
			api.Key("second"), api.ApprovedBy("Eve"), api.Proof(proof))
		return err
	}
	requireApproval(t, replace(proof), "A supervisor must approve it")
	require.NoError(t, replace(c.prove("Eve", api.AdjustStock.Spec, &other, "second")))
	c.read()
	c.send()
	require.EqualValues(t, 41, c.onHand())
}
