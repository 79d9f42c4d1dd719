package local_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/local"
)

var errLocked = errors.New("locked")

// A site is a directory that processes share; each of them is a Member in the test.
type site struct {
	dir  string
	lock sync.Mutex
}

// A holder has the directory of a site open and answers with its name.
type holder struct {
	site *site
	name string
	stop func()
}

func (h *holder) Close() error {
	h.stop()
	h.site.lock.Unlock()
	return nil
}

func (s *site) opener(name string) local.Opener[*holder] {
	return local.Opener[*holder]{Dir: s.dir, IsLocked: func(err error) bool { return errors.Is(err, errLocked) },
		Open: func(context.Context) (*holder, error) {
			if !s.lock.TryLock() {
				return nil, errLocked
			}
			h := &holder{site: s, name: name}
			h.stop = local.Serve(context.Background(), s.dir, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, `"`+name+`"`)
			}), slog.New(slog.DiscardHandler))
			return h, nil
		}}
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{dir: t.TempDir()}
	require.NoError(t, os.Chmod(s.dir, 0o700))
	return s
}

func join(t *testing.T, o local.Opener[*holder]) *local.Member[*holder] {
	t.Helper()
	m, err := local.Join(t.Context(), o)
	require.NoError(t, err)
	return m
}

// owner returns the name of the owner, as a member sees it.
func owner(t *testing.T, s *site, m *local.Member[*holder]) (name string, err error) {
	t.Helper()
	client := &http.Client{Transport: local.Transport(s.dir)}
	defer client.CloseIdleConnections()
	err = m.Do(t.Context(), func(h *holder) error { name = h.name; return nil },
		func() (err error) {
			name, err = local.Call[string](t.Context(), client, "GET", "/name", nil)
			return err
		})
	return name, err
}

func TestMember_TakesOver(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a, b := join(t, s.opener("a")), join(t, s.opener("b"))
	for _, m := range []*local.Member[*holder]{a, b} {
		name, err := owner(t, s, m)
		require.NoError(t, err)
		require.Equal(t, "a", name)
	}
	require.NoError(t, a.Close())
	name, err := owner(t, s, b)
	require.NoError(t, err)
	require.Equal(t, "b", name)
	_, owns := b.Own()
	require.True(t, owns)
	require.NoError(t, b.Close())
}

func TestMember_AfterClose(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a, b := join(t, s.opener("a")), join(t, s.opener("b"))
	require.NoError(t, b.Close())
	require.NoError(t, a.Close())
	_, err := owner(t, s, b)
	var lost *local.LostError
	require.ErrorAs(t, err, &lost)
	require.ErrorContains(t, err, "shutting down")
}

// A member that the next owner rejects does not take over later.
func TestMember_RejectedByNextOwner(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var rejects, mayOpen atomic.Bool
	o := s.opener("b")
	open := o.Open
	o.Open = func(ctx context.Context) (*holder, error) {
		if !mayOpen.Load() {
			return nil, errLocked
		}
		return open(ctx)
	}
	o.Check = func(context.Context) error {
		if rejects.Load() {
			return errors.New("not for you")
		}
		return nil
	}
	a, b := join(t, s.opener("a")), join(t, o)
	rejects.Store(true)
	require.NoError(t, a.Close())
	c := join(t, s.opener("c"))
	require.Eventually(t, func() bool { // until it has noticed, it is a client of any owner
		_, err := owner(t, s, b)
		return err != nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, c.Close())
	mayOpen.Store(true)
	_, err := owner(t, s, b)
	require.ErrorContains(t, err, "not for you")
	_, owns := b.Own()
	require.False(t, owns)
	require.NoError(t, b.Close())
}

func TestOpener_OpenWithin(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	o := s.opener("a")
	a := join(t, o)
	_, err := o.OpenWithin(t.Context(), time.Nanosecond)
	require.ErrorIs(t, err, errLocked)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = o.OpenWithin(ctx, time.Minute)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, a.Close())
	h, err := o.OpenWithin(t.Context(), time.Minute)
	require.NoError(t, err)
	require.NoError(t, h.Close())
}

func TestJoin_Rejected(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := join(t, s.opener("a"))
	o := s.opener("b")
	o.Check = func(context.Context) error { return errors.New("not for you") }
	_, err := local.Join(t.Context(), o)
	var rejected *local.RejectedError
	require.ErrorAs(t, err, &rejected)
	require.EqualError(t, err, "not for you")
	require.NoError(t, a.Close())
}
