package sim_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// TestWorlds runs made-up worlds. BINCARD_SEEDS says how many, BINCARD_SEED
// which one to run alone.
func TestWorlds(t *testing.T) {
	t.Parallel()
	if text := os.Getenv("BINCARD_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		live(t, seed, true)
		return
	}
	n := uint64(6)
	if text := os.Getenv("BINCARD_SEEDS"); text != "" {
		var err error
		n, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := next.Add(1); seed <= n && !t.Failed(); seed = next.Add(1) {
				live(t, seed, false)
			}
		})
	}
	wg.Wait()
}

// A witness takes the failure of one world, so that its seed can be told.
type witness struct{ said []string }

func (v *witness) Errorf(format string, args ...any) {
	v.said = append(v.said, fmt.Sprintf(format, args...))
}
func (v *witness) FailNow() { panic(v) }

// live makes the world of a seed, and holds it to what a node promises.
func live(t *testing.T, seed uint64, tell bool) {
	v := &witness{}
	var w *world
	defer func() {
		if r := recover(); r != nil && r != any(v) {
			panic(fmt.Sprintf("seed %d: %v", seed, r))
		}
		if tell && w != nil {
			t.Log("\n" + strings.Join(w.log, "\n"))
		}
		if len(v.said) > 0 {
			t.Errorf("seed %d: %s\nTo see it again: BINCARD_SEED=%d go test ./offline/sim -run TestWorlds -v", seed, strings.Join(v.said, "\n"), seed)
		}
	}()
	w = newWorld(v, seed)
	defer w.end()
	for range 6 {
		w.barred = w.chance(0.05)
		w.limited = w.chance(0.1)
		for range 4 {
			w.act(nil)
			w.run(w.now.Add(15 * time.Minute))
		}
		w.check()
	}
	w.heal()
}

func (w *world) end() {
	for _, s := range w.nodes {
		if s.node != nil {
			_ = s.node.Close()
		}
		if s.bases != nil {
			_ = s.bases.Close()
		}
	}
	w.ledger.Close()
	_ = w.store.Close()
}

// heal ends all that is wrong; then every queue must drain and every node show
// what the service has.
func (w *world) heal() {
	w.note("all is well again")
	w.healed, w.barred, w.limited = true, false, false
	for _, s := range w.nodes {
		s.disk.full, s.disk.until = false, -1
	}
	w.run(w.now.Add(20 * time.Minute))
	for range 3 { // what was refused may have stopped others
		for _, s := range w.nodes {
			require.NotNil(w.t, s.node)
			s.desk(true)
		}
		w.rest(20 * time.Minute)
	}
	proof, err := w.ledger.Verify(w.ctx)
	require.NoError(w.t, err)
	require.Empty(w.t, proof.Faults)
	w.check()
	for _, s := range w.nodes {
		c := s.node.Status().Counts
		require.Zero(w.t, c.Waiting+c.Refused+c.Held, "%s still has %+v", s.name, c)
		for _, it := range s.node.Items() {
			switch it.State {
			case outbox.Done:
				require.True(w.t, it.Settled, "%s does not know that it shows %s", s.name, it.Key)
			case outbox.Dropped:
				require.False(w.t, w.has(it.Key), "%s dropped %s, which the service has", s.name, it.Key)
			}
		}
		same(w, s, api.ListBalances, api.ListBalancesInput{})
		same(w, s, api.ListInbounds, api.ListInboundsInput{})
		same(w, s, api.ListTransfers, api.ListTransfersInput{})
		same(w, s, api.ListReservations, api.ListReservationsInput{})
		same(w, s, api.ListOutbounds, api.ListOutboundsInput{})
		same(w, s, api.ListSerials, api.ListSerialsInput{})
	}
}

// rest lets the world go on without anybody working.
func (w *world) rest(d time.Duration) {
	for _, s := range w.nodes {
		s.idle = true
	}
	w.run(w.now.Add(d))
}

// same holds that a node shows of a list what the service shows, of what the
// node knows: of what has ended it may know less.
func same[I, T any](w *world, s *site, op api.Operation[I, api.List[T]], in I) {
	here, there := all(w, api.As(s.node, s.caller(), ""), op, in), all(w, api.As(w.ledger, s.caller(), ""), op, in)
	for id, text := range there {
		if mine, ok := here[id]; ok || open(text) {
			require.Equal(w.t, text, mine, "%s shows another %s", s.name, op.ID)
		}
	}
	for id := range here {
		require.Contains(w.t, there, id, "%s shows what is not there: %s", s.name, op.ID)
	}
}

// open tells whether anything can still be done with what is listed.
func open(text string) bool {
	for _, s := range []string{`"received"`, `"closed"`, `"cancelled"`, `"fulfilled"`, `"expired"`, `"released"`, `"consumed"`, `"shipped"`} {
		if strings.Contains(text, `"status":`+s) {
			return false
		}
	}
	return true
}

func all[I, T any](w *world, svc api.Service, op api.Operation[I, api.List[T]], in I) map[string]string {
	list := map[string]string{}
	req := &api.Request{Spec: op.Spec, Input: &in}
	for cursor := ""; ; {
		setCursor(&in, cursor)
		res, err := svc.Do(w.ctx, req)
		require.NoError(w.t, err)
		page := res.Output.(*api.List[T])
		for _, x := range page.Items {
			text, err := json.Marshal(x, json.Deterministic(true))
			require.NoError(w.t, err)
			var named struct {
				ID string `json:"id"`
			}
			require.NoError(w.t, json.Unmarshal(text, &named))
			list[named.ID] = string(text)
		}
		if page.NextCursor == nil {
			return list
		}
		cursor = *page.NextCursor
	}
}

func setCursor(in any, cursor string) {
	switch in := in.(type) {
	case *api.ListBalancesInput:
		in.Cursor = cursor
	case *api.ListInboundsInput:
		in.Cursor = cursor
	case *api.ListTransfersInput:
		in.Cursor = cursor
	case *api.ListReservationsInput:
		in.Cursor = cursor
	case *api.ListOutboundsInput:
		in.Cursor = cursor
	case *api.ListSerialsInput:
		in.Cursor = cursor
	}
}
