package e2e_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// countWithLimits starts a count of WH-1 by Ada, a worker who may post the differences that
// a rule allows.
func (c *company) countWithLimits(h *machine, rule string) (*service, *jobTerminal) {
	c.t.Helper()
	service := h.serve(c, "")
	on := h.withService(c, service.url)
	on.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
	on.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
	file, err := os.OpenFile(h.path("config_home", "bincard", "config.toml"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(c.t, err)
	_, err = file.WriteString("\n[roles.worker]\ncount = \"" + rule + "\"\n")
	require.NoError(c.t, err)
	require.NoError(c.t, file.Close())
	d := &jobTerminal{screen: on.openScreen(80, 24, "--location", "WH-1", "count/WH-1"), c: c}
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("blind 0 of 2 counted")
	return service, d
}

// countMugs counts mugs in the count and goes to its review.
func (d *jobTerminal) countMugs(n string) {
	d.t.Helper()
	d.scan(mugPiece)
	d.waitFor("MUG-W")
	d.typeText(n).key("Enter")
	d.waitFor("blind 1 of 2 counted")
	d.key("Enter")
	d.waitFor("1 not counted")
}

// lastMugs returns the last movement of the mugs at WH-1, and who is recorded with it.
func (c *company) lastMugs(svc api.Service) (m api.Movement, who string) {
	c.t.Helper()
	why := do(c.t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, c.mug, c.main).ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
	return why.Movements[0], why.Movements[0].CreatedBy.Label
}

// A large difference that is counted once needs a supervisor and a reason, whatever the
// worker may post. Without them, nothing is posted.
func TestCount_LargeDifferenceNeedsSupervisorAndReason(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"3", "allow"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service, d := c.countWithLimits(h, rule)
			d.countMugs("12")
			d.waitFor("1 to count again", "Count again (F3), or post as a supervisor (enter).")
			d.key("Enter")
			d.waitFor("A supervisor must approve: post count of WH-1")
			d.key("Escape")
			d.waitFor("1 to count again")
			require.EqualValues(t, 30, do(t, c.client(service.url, c.key), api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: c.mug, LocationID: c.main}}).Items[0].OnHand)
			d.key("Enter")
			d.waitFor("A supervisor must approve: post count of WH-1")
			d.scan("EVE-0009")
			d.waitFor("Large differences without a second count: 1. Reason?")
			d.key("Enter")
			d.waitFor("Large differences without a second count: 1. Reason?") // none was given
			d.typeText("water").key("Enter")
			d.waitFor("Adjust WH-1 to match the count?")
			d.key("Enter")
			d.waitFor("WH-1 counted: 1 adjusted")
			d.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				m, who := c.lastMugs(c.service(l))
				require.EqualValues(t, -18, m.Quantity)
				require.Equal(t, "counted: water", m.Reason)
				require.Equal(t, "Ada, approved by Eve", who)
			})
		})
	}
}

// A large difference that a second count repeats needs no reason. Above the limit of the
// role it needs a supervisor, and the ledger has who counted and who approved.
func TestCount_SecondCountAndApprovalAreRecorded(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service, d := c.countWithLimits(h, "3")
	d.countMugs("12")
	d.key("F3")
	d.waitFor("blind 0 of 2 counted")
	d.countMugs("14")
	d.waitFor("1 to count again", "counted 12, then 14")
	d.key("F3")
	d.waitFor("blind 0 of 2 counted")
	d.countMugs("14")
	d.waitFor("1 counted")
	d.key("Enter")
	d.waitFor("A supervisor must approve: post count of WH-1")
	d.scan("EVE-0009")
	d.waitFor("Adjust WH-1 to match the count?")
	d.key("Enter")
	d.waitFor("WH-1 counted: 1 adjusted")

	d.countMugs("12") // within the role's limit
	d.key("Enter")
	d.waitFor("Adjust WH-1 to match the count?")
	d.key("Enter")
	d.waitFor("WH-1 counted: 1 adjusted")
	d.key("C-p")
	d.waitFor("Type an action")
	d.typeText("movements")
	d.key("Enter")
	d.waitFor("by Ada")
	d.key("Down", "Down")
	d.waitFor("by Ada, counted again by Ada, approved by Eve")
	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		var who []string
		for _, m := range do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, c.mug, c.main).ID}).Movements {
			if m.Operation == api.OpReconcile && m.InventoryState == api.OnHand {
				who = append(who, m.CreatedBy.Label)
			}
		}
		require.Equal(t, []string{"Ada, counted again by Ada, approved by Eve", "Ada"}, who)
	})
}
