package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// mustRun runs the program, which must succeed, and returns its output.
func (h *machine) mustRun(args ...string) string {
	h.t.Helper()
	out, status := h.run(args...)
	require.Zero(h.t, status, "%q: %s", args, out)
	return out
}

// TestLedger_SharedByPrograms runs two terminals and concurrent commands on one local
// ledger. The terminal that has the ledger open is killed, and another process takes over.
func TestLedger_SharedByPrograms(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	at := h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_LOCATION=WH-1", "BINCARD_OPERATOR=Ada")
	first := at.openScreen(80, 24)
	first.waitFor(firstQuestion, "LOCAL", "WH-1")
	info, err := os.Lstat(h.path("data", "ledger.sock"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	second := at.openScreen(80, 24, "explain/MUG-W@WH-1")
	second.waitFor("MUG-W", "LOCAL", "on hand 30")

	first.scan("PO-1")
	first.countBox()
	first.scan("10L42-A\x1d" + "17" + expiry("060102"))
	first.waitFor("L42-A")
	first.key("Enter")
	first.waitFor("Received 12")
	require.Contains(t, at.mustRun("report", "movements", "--sku", "OAT-1L"), "inbound_receive")
	require.Contains(t, at.mustRun("export", "movements", "--sku", "OAT-1L"), "inbound_receive")
	require.Contains(t, at.mustRun("verify"), "everything adds up")
	require.Contains(t, at.mustRun("backup", h.path("copy.db")), "everything adds up")
	at.mustRun("adjust", "MUG-W@WH-1", "+5", "--reason", "found")
	second.key("F5").waitFor("on hand 35")

	const each, workers = 4, 3
	var failed sync.Map
	kill := make(chan struct{}, each*workers)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := range each {
				key := fmt.Sprintf("hand-%d-%d", worker, i)
				if out, status := at.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--key", key); status != 0 {
					failed.Store(key, out)
				}
				kill <- struct{}{}
			}
		})
	}
	<-kill
	first.signal(syscall.SIGKILL)
	all.Wait()
	failed.Range(func(key, out any) bool {
		require.Failf(t, "the command failed", "%s: %s", key, out)
		return false
	})
	second.key("F5").waitFor(fmt.Sprint("on hand ", 35+each*workers))
	second.key("Escape")
	second.waitFor(firstQuestion)
	second.scan("TR-1")
	second.waitFor("TR-1", "To go 10")
	second.typeText("+")
	second.waitFor("Now 10")
	second.key("Enter")
	second.waitFor("Shipped 10")
	second.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
		require.EqualValues(t, 35+each*workers-10, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 10, c.balance(svc, c.mug, c.store).Incoming)
		limit := int64(100)
		moves := do(t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.oat}, Limit: &limit})
		require.Equal(t, "Ada", moves.Items[0].ActorLabel)
	})
}

// TestLedger_StartedAtOnce starts terminals and commands at the same instant on a demo that
// does not exist yet.
func TestLedger_StartedAtOnce(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	const workers = 4
	outs := make(chan string, workers)
	screens := []*screen{h.openScreen(80, 24, "--demo"), h.openScreen(80, 24, "--demo")}
	for worker := range workers {
		go func() {
			out, status := h.run("adjust", "RICJA-1K@WH-1", "+1", "--demo", "--reason", "at once", "--key", fmt.Sprint("k-", worker))
			if status != 0 {
				outs <- out
				return
			}
			outs <- ""
		}()
	}
	for range workers {
		require.Empty(t, <-outs)
	}
	for _, s := range screens {
		s.waitFor(firstQuestion, "LOCAL", "WH-1")
	}
	require.Equal(t, 2*workers, strings.Count(h.mustRun("export", "movements", "--demo", "--sku", "RICJA-1K"), "at once"), "two movements each")
	for _, s := range screens {
		s.key("C-q").requireExit(0)
	}
	require.Contains(t, h.mustRun("verify", "--data", h.path("data_home", "bincard", "demo")), "everything adds up")
}
