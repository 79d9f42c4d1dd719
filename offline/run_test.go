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
			d.up = &endingLink{Service: d.link, answers: n, end: func() { <-opened; d.cancel(); close(ended) }}
			d.open()
			close(opened)
			<-ended
			d.stop()
			require.Empty(t, log.String())
		})
	}
}

// An endingLink calls end before it returns an answer, and blocks further requests.
type endingLink struct {
	api.Service
	answers int32 // up to that one
	begun   atomic.Int32
	end     func()
}

func (l *endingLink) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := l.Service.Do(ctx, req)
	switch n := l.begun.Add(1); {
	case n == l.answers:
		l.end()
	case n > l.answers:
		<-ctx.Done()
	}
	return res, err
}
