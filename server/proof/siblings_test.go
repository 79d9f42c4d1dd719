package proof_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// siblings are ledgers on one database, each of which has caches of its own. Each request goes
// to any of them. Now and then one is replaced by a new one, whose caches are empty.
type siblings struct {
	t    *testing.T
	w    *ledgertest.World
	open func() store.Store

	mu       sync.Mutex
	dice     *rand.Rand
	services []api.Service
}

func (s *siblings) add() api.Service {
	st := s.open()
	node := *s.w
	node.Ledger = ledger.New(st, ledger.Options{Now: s.w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	s.t.Cleanup(func() {
		node.Ledger.Close()
		require.NoError(s.t, st.Close())
	})
	return node.As(api.Live)
}

func (s *siblings) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.mu.Lock()
	i := s.dice.IntN(len(s.services))
	if s.dice.IntN(60) == 0 {
		s.services[i] = s.add()
	}
	svc := s.services[i]
	s.mu.Unlock()
	return svc.Do(ctx, req)
}

// Histories of clients that use three processes on one database are linearizable.
func TestHistories_OfSiblingsAreLinearizable(t *testing.T) {
	t.Parallel()
	pgtest.Common(t)
	from := testenv.Seed(t)
	for i := range testenv.SiblingHistories.Cases(t) {
		seed := from + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			url := pgtest.Database(t)
			open := func() store.Store {
				st, err := pgstore.Open(context.Background(), url, pgstore.Options{Create: true, MaxConnections: 4})
				require.NoError(t, err)
				return st
			}
			s := &siblings{t: t, w: ledgertest.OpenStore(t, open), open: open, dice: rand.New(rand.NewPCG(seed, 1))}
			s.services = []api.Service{s.w.Service, s.add(), s.add()}
			c := clientsOf(t, s.w, s, 3)
			c.run(t.Context(), 8, 60, seed)
			c.requireLinearizable(t)
		})
	}
}
