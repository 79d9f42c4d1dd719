package views_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// crew is a warehouse whose terminals have a key that is bound to the role worker.
type crew struct {
	*viewtest.Warehouse
	t        *testing.T
	proxy    *viewtest.FaultProxy
	drafts   tui.Drafts
	site     *session.Site
	ada, eve api.Operator
}

// offline makes the terminals from now on work through a node, and disconnects it.
func (c *crew) offline() *viewtest.Node {
	c.t.Helper()
	node := viewtest.NewNode(c.t, c.World, c.Proxy)
	c.proxy = viewtest.NewFaultProxy(node)
	node.Disconnect()
	return node
}

func newCrew(t *testing.T) *crew {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	c := &crew{Warehouse: h, t: t, drafts: drafts.InMemory(), proxy: viewtest.NewFaultProxy(h.AsRole(api.Live, api.Worker))}
	c.ada = ledgertest.Do(h.World, api.CreateOperator, api.CreateOperatorInput{Name: "Ada", Role: api.Worker, Badge: api.NewBadge(h.Org.ID, "ADA-42")})
	c.eve = ledgertest.Do(h.World, api.CreateOperator, api.CreateOperatorInput{Name: "Eve", Role: api.Supervisor,
		Badge: api.NewBadge(h.Org.ID, "EVE-43"), PIN: api.NewPIN("4711")})
	h.Inbound("PO-8", h.Coffee, 4, time.Hour)
	return c
}

// open starts a terminal that knows the operators.
func (c *crew) open() *tuitest.Driver {
	c.t.Helper()
	c.site = c.SiteOf(c.proxy)
	c.site.SetOperator("")
	c.read()
	reg := tui.NewRegistry()
	views.Register(reg, c.site, settings.Hooks{})
	return c.Terminal(c.t, reg, viewtest.KeepDrafts(c.drafts), func(o *shell.Options) {
		o.Login = tui.Login{Organization: c.site.People, OnChange: c.site.SetOperator,
			Operators: []tui.Operator{{Name: "Local", Badge: "LOC-1", Supervisor: true}}}
	})
}

func (c *crew) read() {
	c.t.Helper()
	_, err := c.site.Operators(c.t.Context())
	require.NoError(c.t, err)
}

func (c *crew) inbound() api.Inbound {
	c.t.Helper()
	return ledgertest.Do(c.World, api.ListInbounds, api.ListInboundsInput{}).Items[0]
}

func TestOperators_ApprovalIsSigned(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	d := c.open().Sees("Nobody is signed in")
	d.Scan("LOC-1").Sees("Unknown badge or name").Scan("ada-42").Sees("Signed in as Ada")
	d.Do(tui.Open("receive/PO-8")).Key("f5").Sees("A supervisor must approve").Scan("EVE-43").Sees("PIN of Eve")
	d.Type("1234").Key("enter").Sees("Wrong PIN").Type("4711").Key("enter").Sees("Approved by Eve", "Reason")
	d.Advance(time.Second).Type("lost").Key("enter").Sees("PO-8 closed, 4 missing")
	require.Equal(t, api.InboundClosed, c.inbound().Status)
}

// The service checks what the terminal does not: a name is no approval.
func TestOperators_ApprovalOfALocalOperatorIsNone(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	c.site = c.SiteOf(c.proxy)
	reg := tui.NewRegistry()
	views.Register(reg, c.site, settings.Hooks{})
	d := c.Terminal(t, reg, c.SignIn)
	d.Do(tui.Open("receive/PO-8")).Key("f5").Scan("EVE-43").Sees("Approved by Eve", "Reason")
	d.Advance(time.Second).Type("lost").Key("enter")
	viewtest.RequireErrors(t, d, "A supervisor must approve it with badge or PIN.")
	require.Equal(t, api.InboundExpected, c.inbound().Status)
}

func TestOperators_DraftKeepsTheProof(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	c.proxy.Fail(api.CloseInbound.Spec, viewtest.ErrLost, nil) // it did not arrive
	d := c.open().Scan("ADA-42").Do(tui.Open("receive/PO-8")).Key("f5").Scan("EVE-43").Type("4711").Key("enter")
	d.Advance(time.Second).Type("lost").Key("enter").Sees("may already be recorded")
	require.Equal(t, api.InboundExpected, c.inbound().Status)

	c.proxy.Fail(api.CloseInbound.Spec, nil, nil)
	d = c.open().Scan("ADA-42").Do(tui.Open("receive/PO-8"))
	d.Sees("No answer yet for: close").Key("enter").Sees("PO-8 closed")
	require.Equal(t, api.InboundClosed, c.inbound().Status)
}

func TestOperators_RemovedOperatorIsSignedOut(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	d := c.open().Scan("ADA-42").Sees("Signed in as Ada")
	removed := true
	ledgertest.Do(c.World, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: c.ada.ID, Removed: &removed})
	c.read()
	d.Advance(time.Second).Sees("Locked. Ada was signed in").Scan("ADA-42").Sees("Unknown badge or name")
	d.Scan("EVE-43").Type("4711").Key("enter").Sees("Signed in as Eve")
}

// What Ada did offline before her badge was removed waits for a supervisor, who approves it by
// retrying it.
func TestOperators_SupervisorRetriesWorkOfARemovedOperator(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	node := c.offline()
	d := c.open().Scan("ADA-42").Do(tui.Open("receive/PO-8")).Scan("COF-500").Key("enter").Sees("Saved, not synced")
	removed := true
	ledgertest.Do(c.World, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: c.ada.ID, Removed: &removed})
	node.Connect()
	require.EqualValues(t, 1, node.Node.Sync().Refused)
	c.read()
	d.Advance(time.Second).Scan("EVE-43").Type("4711").Key("enter").Do(tui.Open("sync"))
	d.Sees("badge was revoked").Key("enter").Sees("Ada's badge was revoked. A supervisor must approve this work.").Key("f7")
	node.Sync()
	require.EqualValues(t, 1, c.inbound().ReceivedQuantity)
}
