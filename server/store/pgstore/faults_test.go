package pgstore_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// load increments the counter of a partition on all nodes, until stop is called. Then it
// requires that each increment that succeeded happened once, and that others happened only
// if their error does not deny it.
func load(t *testing.T, nodes ...*pgstore.Store) (done *atomic.Int64, stop func()) {
	p := partition()
	ended := make(chan struct{})
	var mu sync.Mutex
	acknowledged, uncertain := map[uint64]bool{}, 0
	done = new(atomic.Int64)
	var wg sync.WaitGroup
	for _, node := range nodes {
		for range 4 {
			wg.Go(func() {
				for {
					select {
					case <-ended:
						return
					default:
					}
					n, err := increment(node, p)
					done.Add(1)
					mu.Lock()
					switch {
					case err == nil && acknowledged[n]:
						t.Errorf("%d was acknowledged twice", n)
					case err == nil:
						acknowledged[n] = true
					case errors.Is(err, store.ErrUncertain):
						uncertain++
					case !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrFull):
						t.Error(err)
					}
					mu.Unlock()
				}
			})
		}
	}
	return done, func() {
		close(ended)
		wg.Wait()
		n, rows := count(t, nodes[0], p)
		require.Equal(t, n, rows)
		require.GreaterOrEqual(t, n, uint64(len(acknowledged)))
		require.LessOrEqual(t, n, uint64(len(acknowledged)+uncertain))
		for k := range acknowledged {
			require.LessOrEqual(t, k, n)
		}
	}
}

// wait waits until done has grown by n.
func wait(t *testing.T, done *atomic.Int64, n int64) {
	t.Helper()
	from := done.Load()
	require.Eventually(t, func() bool { return done.Load() >= from+n }, time.Minute, time.Millisecond)
}

// The database ends the connections of two processes again and again.
func TestStore_BackendsAreTerminated(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	done, stop := load(t, open(t, url), open(t, url))
	for range testenv.Terminations.Cases(t) {
		wait(t, done, 10)
		server.Exec(t, "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
	}
	stop()
}

// The database fails and starts again.
func TestStore_DatabaseFails(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.Database(t)
	done, stop := load(t, open(t, url), open(t, url))
	for range testenv.DatabaseFailures.Cases(t) {
		wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
		server.Kill()
		server.Restart(t)
	}
	wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
	stop()
}

// While the database is away, reads and updates fail with an error to retry, and work again
// when it is back.
func TestStore_DatabaseIsAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s, err := pgstore.Open(ctx, server.Database(t), pgstore.Options{Create: true, Patience: 1})
	require.NoError(t, err)
	p := partition()
	mustIncrement(t, s, p)
	require.ErrorIs(t, s.View(ctx, p, func(r store.Reader) error {
		server.Kill()
		_, err := r.Get("counters", []byte("absent"))
		require.ErrorContains(t, err, "cannot read table counters")
		err = r.Scan("log", store.Range{}, func(_, _ []byte) error { return nil })
		require.ErrorContains(t, err, "cannot read table log")
		return err
	}), store.ErrUnavailable)
	_, err = increment(s, p)
	require.ErrorIs(t, err, store.ErrUnavailable)
	nothing := func(store.Reader) error { return nil }
	require.ErrorIs(t, s.View(ctx, p, nothing), store.ErrUnavailable)
	_, err = s.Partitions(ctx)
	require.ErrorContains(t, err, "cannot list the partitions")
	server.Restart(t)
	requireCount(t, s, p, 1)
	require.EqualValues(t, 2, mustIncrement(t, s, p))
	server.Kill()
	server.Restart(t)
	require.NoError(t, s.View(ctx, p, nothing), "its idle connections were closed")
	require.NoError(t, s.Close())
}

// A network passes connections on to a server and cuts them.
type network struct {
	listener net.Listener
	socket   string
	cut      atomic.Pointer[string] // when to cut the next commit: "before", "during" or "after" it
	cuts     atomic.Int64
}

func newNetwork(t *testing.T, server *pgtest.Server) *network {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	n := &network{listener: l, socket: server.Socket()}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.pass(c)
		}
	}()
	return n
}

func (n *network) url(database string) string {
	return "postgres://bincard@" + n.listener.Addr().String() + "/" + database + "?sslmode=disable"
}

func (n *network) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", n.socket)
	if err != nil {
		return
	}
	defer server.Close()
	var deaf atomic.Bool // the client no longer hears the server
	go func() {
		buf := make([]byte, 64<<10)
		for {
			k, err := server.Read(buf)
			if err == nil && deaf.Load() {
				err = io.ErrClosedPipe
			}
			if err == nil {
				_, err = client.Write(buf[:k])
			}
			if err != nil {
				_ = client.Close()
				return
			}
		}
	}()
	buf := make([]byte, 64<<10)
	for {
		k, err := client.Read(buf)
		if err != nil {
			return
		}
		if when := n.cut.Load(); when != nil && bytes.Contains(buf[:k], []byte("COMMIT")) && n.cut.CompareAndSwap(when, nil) {
			n.cuts.Add(1)
			switch *when {
			case "before":
				return
			case "after":
				deaf.Store(true)
			}
			if _, err := server.Write(buf[:k]); err != nil || *when == "during" {
				return
			}
			continue
		}
		if _, err := server.Write(buf[:k]); err != nil {
			return
		}
	}
}

// Connections are cut before a commit reaches the database, while it is performed, and
// before its answer arrives.
func TestStore_ConnectionIsCut(t *testing.T) {
	t.Parallel()
	server := pgtest.Common(t)
	name := server.NewDatabase(t)
	n := newNetwork(t, server)
	done, stop := load(t, open(t, n.url(name)), open(t, n.url(name)))
	for range testenv.Cuts.Cases(t) {
		for _, when := range []string{"before", "during", "after"} {
			n.cut.Store(&when)
			cuts := n.cuts.Load()
			require.Eventually(t, func() bool { return n.cuts.Load() > cuts }, time.Minute, time.Millisecond)
			wait(t, done, 20)
		}
	}
	stop()
}

// A process stops in the middle of a commit. The database ends its transaction, and others
// go on.
func TestStore_ProcessHangsWithTheLock(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	hanging, other := open(t, url), open(t, url)
	p := partition()
	staged, resume := make(chan struct{}), make(chan struct{})
	result := make(chan error, 1)
	go func() {
		first := true
		result <- hanging.Update(ctx, p, func(tx store.Tx) error {
			if first {
				first = false
				close(staged)
				<-resume
			}
			return tx.Put("log", []byte("hanging"), []byte("x"))
		})
	}()
	<-staged
	require.EqualValues(t, 1, mustIncrement(t, other, p))
	close(resume)
	require.NoError(t, <-result, "it is repeated")
	_, rows := count(t, other, p)
	require.EqualValues(t, 2, rows)
}
