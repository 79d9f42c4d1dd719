package e2e_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestCount_ByAWorker counts blind, accepts a shipped scale as found, counts a large
// difference a second time after a crash, and asks the ledger who did what.
func TestCount_ByAWorker(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(t, c.service(l), api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: c.scale, LocationID: c.main},
			SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-3"}}})
	})
	service := h.serve(c, "")
	on := h.withService(c, service.url)
	on.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
	on.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
	d := &jobTerminal{screen: on.openScreen(80, 24, "--location", "WH-1", "count/WH-1"), c: c}
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("blind 0 of 2 counted")
	d.key("F4")
	require.False(t, has(d.waitFor("A supervisor must approve: show expected"), "30"))
	d.key("Escape")
	d.waitFor("blind 0 of 2 counted")
	d.scan(mugPiece)
	d.waitFor("MUG-W selected, 0 counted. Scan again to count.")
	d.typeText("12").key("Enter")
	d.waitFor("blind 1 of 2 counted")
	d.scan("01" + "0" + scalePiece + "21" + "SN-3")
	d.waitFor("Serial SN-3 of SCA-5 was shipped from WH-1.")
	d.key("F8")
	d.waitFor("A supervisor must approve: count it as found")
	d.scan("EVE-0009")
	d.waitFor("blind 2 of 2 counted")
	for _, piece := range []string{"SN-1", "SN-2"} {
		d.scan("01" + "0" + scalePiece + "21" + piece)
		d.waitFor("serial", piece)
	}
	d.key("Enter")
	d.waitFor("1 to count again", "1 counted")
	d.key("F3")
	d.waitFor("blind 1 of 2 counted")
	d.signal(syscall.SIGKILL)
	d.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	d.screen = on.openScreen(80, 24, "--location", "WH-1", "count/WH-1")
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("blind 1 of 2 counted")
	d.scan(mugPiece)
	d.waitFor("+1")
	d.typeText("12").key("Enter")
	d.waitFor("blind 2 of 2 counted", "+11")
	d.key("Enter")
	d.waitFor("2 counted", "Press enter to post the count.")
	d.key("Enter")
	d.waitFor("Adjust WH-1 to match the count?")
	d.key("Enter")
	d.waitFor("WH-1 counted: 2 adjusted")
	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 3, c.balance(svc, c.scale, c.main).OnHand)
		by := c.lastChanges(svc)
		require.Equal(t, "Ada, counted again by Ada", by[api.ReconcileStock.ID])
		require.Equal(t, "Ada, approved by Eve", by[api.ReturnStock.ID])
	})
}

// lastChanges returns who did the last change of each operation.
func (c *company) lastChanges(svc api.Service) map[string]string {
	c.t.Helper()
	by := map[string]string{}
	for _, x := range do(c.t, svc, api.ListChanges, api.ListChangesInput{}).Items {
		if x.CreatedBy != nil {
			by[x.Operation] = x.CreatedBy.Label
		}
	}
	return by
}
