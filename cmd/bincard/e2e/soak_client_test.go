package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A soakClient sends one request after another.
type soakClient struct {
	s      *soak
	tenant *soakTenant
	name   string
	key    string
	svc    api.Service
	random *rand.Rand
	writes []soakWrite // by the number in their key
	// took is how long each request took that was not refused.
	took struct{ reads, writes []time.Duration }
	// reservations and outbounds are the ones to cancel next.
	reservations, outbounds []api.ID
	after                   int64 // the last change received
}

// A soakWrite is a write and its answer.
type soakWrite struct {
	operation string
	delta     int64 // of an adjustment
	accepted  bool
}

// soakTimeout is longer than the service lets an operation take.
const soakTimeout = 40 * time.Second

// soakRefusals are the codes of writes that stock or another client's work does not allow.
var soakRefusals = []api.Code{api.InsufficientStock}

func (c *soakClient) connect(url string) {
	transport := &http.Transport{MaxIdleConnsPerHost: 2}
	client, err := apiclient.New(apiclient.Config{URL: url, Key: c.key, Organization: c.tenant.org.String(), Timeout: soakTimeout,
		Transport: &soakTransport{c: c, base: transport}})
	require.NoError(c.s.t, err)
	c.s.t.Cleanup(client.Close)
	c.s.t.Cleanup(transport.CloseIdleConnections)
	c.svc = client
}

// A soakTransport counts answers and checks that each refusal says when to go on.
type soakTransport struct {
	c    *soakClient
	base http.RoundTripper
}

func (x *soakTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := x.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t := x.c.tenant
	t.requests.Add(1)
	switch res.StatusCode {
	case http.StatusTooManyRequests:
		t.limited.Add(1)
	case http.StatusServiceUnavailable:
		t.busy.Add(1)
	default:
		if res.StatusCode >= 500 {
			x.c.s.fault("%s %s: %s", r.Method, r.URL, res.Status)
		}
		return res, nil
	}
	if after, err := strconv.Atoi(res.Header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
		x.c.s.fault("%s %s: %s with Retry-After %q", r.Method, r.URL, res.Status, res.Header.Get("Retry-After"))
	}
	return res, nil
}

// work sends requests until the soak ends.
func (c *soakClient) work() {
	for !c.s.stopping.Load() {
		if c.random.IntN(10) < 7 {
			c.read()
		} else {
			c.write()
		}
		if !c.tenant.floods {
			time.Sleep(time.Duration(c.random.IntN(100)) * time.Millisecond)
		}
	}
}

// retry reports whether a request is to be repeated, and waits as long as its refusal says.
// A flood does not: it waits only to keep the load of the test in bounds. outages is what
// it was before the request.
func (c *soakClient) retry(err error, outages int64) bool {
	e := api.AsError(err)
	if e.Code != api.RateLimited && e.Code != api.Unavailable {
		return false
	}
	wait, refused := e.Details["retryAfterSeconds"].(int64)
	if !refused {
		if outages%2 == 0 && c.s.outages.Load() == outages {
			c.s.fault("%s: the connection broke while the service ran: %v: %v", c.name, e, e.Err)
		}
		c.tenant.broken.Add(1)
		time.Sleep(20 * time.Millisecond)
		return true
	}
	if c.tenant.floods {
		time.Sleep(10 * time.Millisecond)
		return true
	}
	for end := time.Now().Add(time.Duration(wait) * time.Second); time.Now().Before(end) && !c.s.stopping.Load(); {
		time.Sleep(50 * time.Millisecond)
	}
	return true
}

// soakRead reads, once the service answers.
func soakRead[I, O any](c *soakClient, op api.Operation[I, O], in I) (out O) {
	for !c.s.stopping.Load() {
		outages, start := c.s.outages.Load(), time.Now()
		out, err := op.Call(context.Background(), c.svc, in)
		if err == nil {
			if op.ID != api.ListChanges.ID { // which waits for changes
				c.took.reads = append(c.took.reads, time.Since(start))
			}
			return out
		}
		if !c.retry(err, outages) {
			c.s.fault("%s: %s: %v", c.name, op.ID, err)
			return out
		}
	}
	return out
}

// soakDo writes, with the same key until the answer is known, and reports whether the write
// was accepted.
func soakDo[I, O any](c *soakClient, op api.Operation[I, O], in I, delta int64) (out O, accepted bool) {
	key := api.Key(fmt.Sprintf("%s-%d", c.name, len(c.writes)))
	c.writes = append(c.writes, soakWrite{operation: op.ID, delta: delta})
	for !c.s.t.Failed() {
		outages, start := c.s.outages.Load(), time.Now()
		out, err := op.Call(context.Background(), c.svc, in, key)
		if err == nil {
			c.took.writes = append(c.took.writes, time.Since(start))
			c.writes[len(c.writes)-1].accepted = true
			if c.random.IntN(20) == 0 {
				soakRepeat(c, op, in, key, out)
			}
			return out, true
		}
		if c.retry(err, outages) {
			continue
		}
		if !slices.ContainsFunc(soakRefusals, func(code api.Code) bool { return api.HasCode(err, code) }) {
			c.s.fault("%s: %s: %v", c.name, op.ID, err)
		}
		break
	}
	return out, false
}

// soakRepeat repeats an accepted write, whose answer must be the same.
func soakRepeat[I, O any](c *soakClient, op api.Operation[I, O], in I, key api.Option, first O) {
	for !c.s.t.Failed() {
		outages := c.s.outages.Load()
		again, err := op.Do(context.Background(), c.svc, in, key)
		switch {
		case err == nil && again.Replayed && reflect.DeepEqual(*again.Output.(*O), first):
			return
		case err == nil || !c.retry(err, outages):
			c.s.fault("%s: %s: the first answer was %+v, that to a repeat %+v, %v", c.name, op.ID, first, again, err)
			return
		}
	}
}
