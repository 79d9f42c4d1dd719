package offline_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/api/apitest"
)

// newPlainSite is a site whose service has the documented operations alone for
// its nodes. What is beyond them is done at the center.
func newPlainSite(t *testing.T) *site {
	s := newSite(t, true)
	s.plain = true
	return s
}

// plainSync sends and reads until there is nothing more to send nor to read.
func (s *site) plainSync(w which) {
	ctx, n := context.Background(), s.nodes[w]
	up := upstream{documented{s.ledger}, s.caller(w)}
	n.Try()
	for idle := false; !idle; {
		idle = true
		out, err := n.Pack()
		require.NoError(s.t, err)
		for _, p := range out.Send {
			idle = false
			res, err := up.Do(ctx, p.Req)
			require.NoError(s.t, n.Delivered(p.Key, res, err))
		}
		if len(out.Send) > 0 {
			n.Try() // and read what that came to
		}
		for {
			req, _, err := n.Ask(ctx)
			require.NoError(s.t, err)
			if req == nil {
				break
			}
			idle = false
			res, err := up.Do(ctx, req)
			require.NoError(s.t, n.Told(ctx, res, err))
		}
	}
}

// A plainWorker does at the node what is documented, and the rest at the center.
type plainWorker struct{ worker }

func (k plainWorker) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return upstream{k.s.ledger, k.s.caller(k.w, k.scopes...)}.Do(ctx, req)
	}
	return k.worker.Do(ctx, req)
}

// TestContractOverAnyService holds that a node in step with a service that has
// the documented operations alone shows what that service shows.
func TestContractOverAnyService(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World {
		s := newPlainSite(t)
		w := s.world()
		w.As = func(i int, env api.Environment, scopes ...api.Scope) api.Service {
			return plainWorker{worker{s, which{i, env}, scopes}}
		}
		return w
	}, apitest.Plans, apitest.Feed, apitest.Keys)
}
