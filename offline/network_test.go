package offline_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A silentService fails while it is silent, and does not answer probes at all, as behind a
// route that is gone.
type silentService struct {
	api.Service
	silent atomic.Bool
	probes chan struct{}
}

func (s *silentService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if !s.silent.Load() {
		return s.Service.Do(ctx, req)
	}
	if in, ok := req.Input.(*api.ListChangesInput); ok && *in.Limit == 1 {
		s.probes <- struct{}{}
		<-ctx.Done()
	}
	return nil, api.Fail(api.Unavailable, nil, "No answer.")
}

func TestNetworkChanged_ProbesAtOnce(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	d.stop()
	s := &silentService{Service: d.link.upstream, probes: make(chan struct{}, 100)}
	s.silent.Store(true)
	d.up = s
	d.open()
	d.eventually("a probe waits for its answer", func() bool {
		d.world.Clock.Advance(20 * time.Millisecond)
		return len(s.probes) > 0
	})
	s.silent.Store(false)
	d.NetworkChanged()
	d.eventually("the node is online", func() bool { return d.Sync().State == api.SyncOnline })
	require.NoError(t, d.Verify(t.Context()))
}
