package e2e_test

import (
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// runs runs the program once, and answers what it wrote and its exit status.
func (h *machine) runs(args ...string) (out string, status int) {
	cmd := exec.Command(program(h.t), args...)
	cmd.Env = h.env
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// pendingKeys are the keys of the work that is kept on the machine, in order.
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

// TestProgramsShareOneNode has three terminals and many commands at work on one
// machine without a connection, and kills the one that keeps the work in the
// middle of it. The others notice nothing but a moment.
func TestProgramsShareOneNode(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	first := at.openScreen(80, 24, "--offline")
	first.awaitReplica().shows(firstQuestion, "ONLINE", "Harbour")
	service.end(syscall.SIGKILL)
	second, third := at.openScreen(80, 24, "--offline"), at.with("BINCARD_KEY=").openScreen(40, 12, "--offline")
	second.shows(firstQuestion, "Harbour")
	third.shows("Receive", "WH-1")
	out, status := at.with("BINCARD_KEY=bc_test_abcdefgh_secret").runs("explain", "OAT-1L@WH-1", "--env", "live")
	require.Equal(t, 2, status, "the node here is no way around a key of another environment: %s", out)
	require.Contains(t, out, "the key is one of test")
	out, status = at.with("BINCARD_KEY=").runs("explain", "OAT-1L@WH-1", "--env", "test")
	require.NotZero(t, status, "what is kept here is of live: %s", out)

	second.scan("PO-1")
	second.count()
	second.scan("10L42-A\x1d" + "17" + expiry("060102"))
	second.shows("L42-A")
	second.key("Enter")
	second.shows("booked 12", "waiting to sync")

	const each, hands = 8, 3
	var done atomic.Int64
	var failed sync.Map
	kill := make(chan struct{})
	var all sync.WaitGroup
	for hand := range hands {
		all.Go(func() {
			for i := range each {
				key := fmt.Sprintf("hand-%d-%02d", hand, i)
				for try := 0; ; try++ {
					out, status := at.runs("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--key", key)
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
	second.shows(firstQuestion)
	second.scan("TR-1")
	second.shows("TR-1", "Pending 10")
	second.types("+")
	second.shows("This time 10")
	second.key("Enter")
	second.shows("shipped 10", "waiting to sync")
	all.Wait()
	failed.Range(func(key, out any) bool {
		require.Failf(t, "it was not done", "%s: %s", key, out)
		return false
	})
	third.key("C-q").requireExit(0) // it has no key, and went on as a client

	keys := at.pendingKeys()
	require.Len(t, keys, each*hands+2)
	for hand := range hands {
		n := 0
		for _, key := range keys {
			if key == fmt.Sprintf("hand-%d-%02d", hand, n) {
				n++
			}
		}
		require.Equal(t, each, n, "what one hand did is in order")
	}

	service = h.serve(c, service.addr)
	second.shows("ONLINE", "○0")
	require.Empty(t, at.pendingKeys())
	second.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
		require.EqualValues(t, 30+each*hands-10, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 10, c.balance(svc, c.mug, c.store).Incoming)
		limit := int64(100)
		moves := do(t, svc, api.ReportMovements, api.ReportMovementsInput{ProductID: c.mug, LocationID: c.main, Limit: &limit})
		require.NotEmpty(t, moves.Items)
	})
}
