package sim_test

import (
	"reflect"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A readCache has the service's answers to reads of one tenant in one state of its data.
// Nodes that wait ask the same again and again, which would take half of a simulation.
type readCache struct {
	layer   *store.Layer
	due     time.Time // when the next reservation expires; zero means never
	answers []readAnswer
	hits    int
}

type readAnswer struct {
	spec  *api.Spec
	input any
	res   *api.Response
}

const (
	// readsCached is the maximum number of answers in a readCache.
	readsCached = 16
	// readsCompared is how often an answer of a readCache is compared with the service's.
	readsCompared = 32
)

// cacheable reports whether the answer to a request depends on the tenant's data alone.
func cacheable(req *api.Request) bool {
	switch req.Spec {
	case api.GetAccess.Spec, api.GetCapabilities.Spec, api.GetSnapshot.Spec, api.ListKeys.Spec, api.ListNodes.Spec:
		return false
	}
	return !req.Spec.Writes()
}

// isCurrent reports whether the tenant's data is as it was when the cache was last reset.
func (c *readCache) isCurrent(s *service, t *tenant) bool {
	return c.layer != nil && c.layer == s.store.layer(t.partition()) && (c.due.IsZero() || s.now().Before(c.due))
}

// reset empties the cache, for the tenant's present data.
func (c *readCache) reset(s *service, t *tenant) {
	clear(c.answers)
	c.layer, c.answers, c.due = s.store.layer(t.partition()), c.answers[:0], time.Time{}
	due, any, err := ledger.Due(c.layer.Over(nil))
	require.NoError(s.sim.t, err)
	if any {
		c.due = due
	}
}

// find returns the answer to a request, nil if it is not known.
func (c *readCache) find(req *api.Request) *api.Response {
	for i := range c.answers {
		if x := &c.answers[i]; x.spec == req.Spec && sameInput(x.input, req.Input) {
			return x.res
		}
	}
	return nil
}

// sameInput reports whether two inputs of an operation are equal.
func sameInput(a, b any) bool {
	if x, ok := a.(*api.ListChangesInput); ok { // most of them
		if y := b.(*api.ListChangesInput); *x.After != *y.After || x.Hash != y.Hash {
			return false
		}
	}
	return reflect.DeepEqual(a, b)
}

// withoutWait returns a request that is answered at once: the simulation waits itself.
func withoutWait(req *api.Request) *api.Request {
	in, ok := req.Input.(*api.ListChangesInput)
	if !ok || in.Wait == nil {
		return req
	}
	at, input := *req, *in
	input.Wait = nil
	at.Input = &input
	return &at
}

// read returns the service's answer to a site's request. Answers from the cache are
// regularly compared with the service's own.
func (c *service) read(s *site, req *api.Request) (*api.Response, error) {
	known := &s.tenant.reads
	if !known.isCurrent(c, s.tenant) {
		known.reset(c, s.tenant)
	}
	if res := known.find(req); res != nil {
		if known.hits++; known.hits%readsCompared == 0 {
			fresh, err := c.do(s, req)
			require.NoError(c.sim.t, err)
			require.Equal(c.sim.t, fresh.Output, res.Output, "%s: %s has another answer than before", s.name, req.Spec.ID)
		}
		again := *res
		return &again, nil
	}
	res, err := c.do(s, req)
	if err == nil && len(known.answers) < readsCached && known.isCurrent(c, s.tenant) {
		known.answers = append(known.answers, readAnswer{req.Spec, req.Input, res})
	}
	return res, err
}

func (c *service) do(s *site, req *api.Request) (*api.Response, error) {
	return api.As(c.ledger, s.caller(), "").Do(c.sim.ctx, withoutWait(req))
}
