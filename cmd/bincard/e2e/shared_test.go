package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

// TestLedger_SharedByPrograms runs two terminals and concurrent commands on one local
// ledger. The terminal that has the ledger open is killed, and another process takes over.
func TestLedger_SharedByPrograms(t *testing.T) {
	t.Parallel()
	testenv.SharedStores.Cases(t)
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
	second.waitFor("This count 10")
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

// pendingKeys returns the keys of the pending operations on the machine, in order.
func (h *machine) pendingKeys() (keys []string) {
	h.t.Helper()
	cmd := exec.Command(program(h.t), "outbox", "list", "--json")
	cmd.Env = h.env
	text, err := cmd.Output()
	require.NoError(h.t, err)
	var list struct {
		Items []struct {
			Key string `json:"key"`
		} `json:"items"`
	}
	require.NoError(h.t, json.Unmarshal(text, &list))
	for _, it := range list.Items {
		keys = append(keys, it.Key)
	}
	return keys
}

// TestNode_SharedByPrograms runs three terminals and concurrent commands on one node
// without a connection. The process that runs the node is killed, and another one takes
// over.
func TestNode_SharedByPrograms(t *testing.T) {
	t.Parallel()
	testenv.SharedStores.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	first := at.openScreen(80, 24, "--offline")
	first.awaitReplica().waitFor(firstQuestion, "ONLINE", "Harbor")
	service.end(syscall.SIGKILL)
	second, third := at.openScreen(80, 24, "--offline"), at.withEnv("BINCARD_KEY=").openScreen(40, 12, "--offline")
	second.waitFor(firstQuestion, "Harbor")
	third.waitFor("Receive", "WH-1")
	out, status := at.withEnv("BINCARD_KEY=bc_test_abcdefgh_secret").run("explain", "OAT-1L@WH-1", "--env", "live")
	require.Equal(t, 2, status, "the node must reject a key of another environment: %s", out)
	require.Contains(t, out, "the key is one of test")
	out, status = at.withEnv("BINCARD_KEY=").run("explain", "OAT-1L@WH-1", "--env", "test")
	require.NotZero(t, status, "the node's data is of live: %s", out)

	second.scan("PO-1")
	second.countBox()
	second.scan("10L42-A\x1d" + "17" + expiry("060102"))
	second.waitFor("L42-A")
	second.key("Enter")
	second.waitFor("Received 12", "not synced")

	const each, workers = 8, 3
	var done atomic.Int64
	var failed sync.Map
	kill := make(chan struct{})
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := range each {
				key := fmt.Sprintf("hand-%d-%02d", worker, i)
				for try := 0; ; try++ {
					out, status := at.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--key", key)
					if status == 0 {
						break
					}
					if status != 3 || try == 9 {
						failed.Store(key, out)
						break
					}
				}
				if done.Add(1) == each {
					close(kill)
				}
			}
		})
	}
	<-kill
	first.signal(syscall.SIGKILL)
	second.key("Escape")
	second.waitFor(firstQuestion)
	second.scan("TR-1")
	second.waitFor("TR-1", "To go 10")
	second.typeText("+")
	second.waitFor("This count 10")
	second.key("Enter")
	second.waitFor("Shipped 10", "not synced")
	all.Wait()
	failed.Range(func(key, out any) bool {
		require.Failf(t, "the command failed", "%s: %s", key, out)
		return false
	})
	third.key("C-q").requireExit(0) // without a key it can only be a client of the node

	keys := at.pendingKeys()
	require.Len(t, keys, each*workers+2)
	for worker := range workers {
		n := 0
		for _, key := range keys {
			if key == fmt.Sprintf("hand-%d-%02d", worker, n) {
				n++
			}
		}
		require.Equal(t, each, n, "operations of one worker are in order")
	}

	service = h.serve(c, service.addr)
	second.waitFor("ONLINE", "○0")
	require.Empty(t, at.pendingKeys())
	second.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
		require.EqualValues(t, 30+each*workers-10, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 10, c.balance(svc, c.mug, c.store).Incoming)
		limit := int64(100)
		moves := do(t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.mug, LocationID: c.main}, Limit: &limit})
		require.NotEmpty(t, moves.Items)
	})
}
