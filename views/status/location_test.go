package status_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/status"
	"bincard/views/viewtest"
)

func TestResolve_GuessesNoLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t) // two locations
	starts := func(code string) string {
		m := status.New(status.Options{Service: h.Proxy, Now: tuitest.Noon.UTC, ClockOffset: noOffset})
		site := session.NewSite(session.Options{Service: m})
		m.Resolve(t.Context(), site, code)
		return site.Location().Code
	}
	require.Empty(t, starts(""))
	require.Empty(t, starts("WH-9"))
	require.Equal(t, "WH-1", starts("wh-1"))
}

// A terminal that works at one location only starts there, wherever it was before.
func TestResolve_LimitedTerminal(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	node := viewtest.NewNode(t, h.World, h.Proxy, h.Depot)
	for _, code := range []string{"", "WH-1", "WH-2"} {
		m := status.New(status.Options{Service: node, Now: tuitest.Noon.UTC, ClockOffset: noOffset})
		site := session.NewSite(session.Options{Service: m})
		require.True(t, m.Resolve(t.Context(), site, code))
		require.Equal(t, "WH-2", site.Location().Code)
	}
}

// A service that comes up between two requests is asked for both: the first one has the name of
// the company, and the location of the key.
func TestResolveWithRetry_ServiceComesUpBetweenRequests(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	m := status.New(status.Options{Service: &lateService{Service: h.Proxy}, Now: tuitest.Noon.UTC, ClockOffset: noOffset})
	site := session.NewSite(session.Options{Service: m})
	require.True(t, m.ResolveWithRetry(t.Context(), site, "WH-1"))
	require.Equal(t, "WH-1", site.Location().Code)
	require.Equal(t, "Harbor Foods", m.Header(site).Company)
}

// A lateService comes up after the first request.
type lateService struct {
	api.Service
	up atomic.Bool
}

func (s *lateService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if !s.up.Swap(true) {
		return nil, viewtest.ErrUnreachable
	}
	return s.Service.Do(ctx, req)
}

func noOffset() time.Duration { return 0 }

func TestResolve_OnlyLocation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	ledgertest.Do(w, api.CreateLocation, api.CreateLocationInput{Code: "SHOP", Name: "Shop", Type: api.Shop})
	m := status.New(status.Options{Service: w.Service, Now: tuitest.Noon.UTC, ClockOffset: noOffset})
	site := session.NewSite(session.Options{Service: m})
	require.True(t, m.Resolve(t.Context(), site, ""))
	require.Equal(t, "SHOP", site.Location().Code)
}
