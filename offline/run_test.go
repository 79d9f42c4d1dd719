package offline_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// TestRun_EndedDuringReadLogsNothing ends a node when it has the first, second, ... answer
// of the service. A command that ends then prints its result only.
func TestRun_EndedDuringReadLogsNothing(t *testing.T) {
	t.Parallel()
	for n := int32(1); n <= 6; n++ {
		t.Run(fmt.Sprint("answer ", n), func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			d := newFixture(t, w, w.Ledger)
			var log bytes.Buffer
			d.log = slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})
			opened, ended := make(chan struct{}), make(chan struct{})
			var begun atomic.Int32
			d.up = serviceFunc(func(ctx context.Context, req *api.Request) (*api.Response, error) {
				res, err := d.link.Do(ctx, req)
				switch i := begun.Add(1); {
				case i == n:
					<-opened
					d.cancel()
					close(ended)
				case i > n:
					<-ctx.Done()
				}
				return res, err
			})
			d.open()
			close(opened)
			<-ended
			d.stop()
			require.Empty(t, log.String())
		})
	}
}
