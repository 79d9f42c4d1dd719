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
	"bincard/server/testenv"
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
	client, err := apiclient.New(apiclient.Config{URL: url, Key: c.key, Organization: c.tenant.org.String(),
		Timeout: soakTimeout, Transport: &soakTransport{c: c, base: transport}})
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
	for c.s.ctx.Err() == nil {
		if c.random.IntN(10) < 7 {
			c.read()
		} else {
			c.write()
		}
		if !c.tenant.floods {
			pause(c.s.ctx, time.Duration(c.random.IntN(100))*time.Millisecond)
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
		pause(c.s.t.Context(), 20*time.Millisecond)
		return true
	}
	if c.tenant.floods {
		pause(c.s.t.Context(), 10*time.Millisecond)
		return true
	}
	pause(c.s.ctx, time.Duration(wait)*time.Second)
	return true
}

// soakRead reads, once the service answers.
func soakRead[I, O any](c *soakClient, op api.Operation[I, O], in I) (out O) {
	for c.s.ctx.Err() == nil {
		outages, start := c.s.outages.Load(), time.Now()
		out, err := op.Call(context.Background(), c.svc, in)
		if err == nil {
			if op.Spec.ID != api.ListChanges.Spec.ID { // which waits for changes
				c.took.reads = append(c.took.reads, time.Since(start))
			}
			return out
		}
		if !c.retry(err, outages) {
			c.s.fault("%s: %s: %v", c.name, op.Spec.ID, err)
			return out
		}
	}
	return out
}

// soakDo writes, with the same key until the answer is known, and reports whether the write
// was accepted.
func soakDo[I, O any](c *soakClient, op api.Operation[I, O], in I, delta int64) (out O, accepted bool) {
	key := api.Key(fmt.Sprintf("%s-%d", c.name, len(c.writes)))
	c.writes = append(c.writes, soakWrite{operation: op.Spec.ID, delta: delta})
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
			c.s.fault("%s: %s: %v", c.name, op.Spec.ID, err)
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
			c.s.fault("%s: %s: the first answer was %+v, that to a repeat %+v, %v", c.name, op.Spec.ID, first, again, err)
			return
		}
	}
}

func (c *soakClient) stock() api.StockKey {
	return api.StockKey{ProductID: c.tenant.products[c.random.IntN(len(c.tenant.products))], LocationID: c.tenant.main}
}

// read performs a random read. A flood reads as much as it may.
func (c *soakClient) read() {
	few, many, wait := int64(20), int64(100), int64(1+c.random.IntN(3))
	if c.tenant.floods {
		few, many, wait = 100, 500, 0
	}
	switch c.random.IntN(10) {
	case 0, 1, 2:
		soakRead(c, api.GetBalance, api.GetBalanceInput{BalanceID: c.tenant.balances[c.random.IntN(len(c.tenant.balances))]})
	case 3:
		soakRead(c, api.ListBalances, api.ListBalancesInput{})
	case 4:
		soakRead(c, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Limit: &few}})
	case 5:
		soakRead(c, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.tenant.balances[c.random.IntN(len(c.tenant.balances))],
			HistoryPage: api.HistoryPage{Limit: &many, Order: api.NewestFirst}})
	case 6, 7:
		soakRead(c, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.stock().ProductID}, Limit: &many})
	case 8:
		soakRead(c, api.LookUp, api.LookupInput{Code: fmt.Sprintf("P-%d", c.random.IntN(8))})
	case 9:
		if got := soakRead(c, api.ListChanges, api.ListChangesInput{After: &c.after, Wait: &wait, Limit: &many}); len(got.Items) > 0 {
			c.after = got.Items[len(got.Items)-1].Seq
		}
	}
}

// write performs a random write.
func (c *soakClient) write() {
	stock, q := c.stock(), int64(1+c.random.IntN(4))
	switch n := c.random.IntN(10); {
	case n < 2:
		soakDo(c, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: q, Reason: "found"}, q)
	case n < 4:
		soakDo(c, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: -q, Reason: "broken"}, -q)
	case n < 5:
		soakDo(c, api.ReceiveStock, api.ReceiveStockInput{StockKey: stock, Quantity: &q}, q)
	case n < 6:
		soakDo(c, api.FulfillStock, api.FulfillStockInput{StockKey: stock, Quantity: &q}, -q)
	case n < 8 && len(c.reservations) == 0:
		week := testenv.Now().Add(7 * 24 * time.Hour).UTC().Truncate(time.Second)
		if out, ok := soakDo(c, api.CreateReservation, api.CreateReservationInput{StockKey: stock, Quantity: q, ExpiresAt: &week}, 0); ok {
			c.reservations = append(c.reservations, out.Reservation.ID)
		}
	case n < 8:
		soakDo(c, api.CancelReservation, api.ReservationInput{ReservationID: c.reservations[0]}, 0)
		c.reservations = nil
	case len(c.outbounds) == 0:
		if out, ok := soakDo(c, api.CreateOutbound, api.CreateOutboundInput{ProductID: stock.ProductID, LocationID: stock.LocationID, RequestedQuantity: &q}, 0); ok {
			c.outbounds = append(c.outbounds, out.Outbound.ID)
		}
	default:
		soakDo(c, api.CancelOutbound, api.OutboundInput{OutboundID: c.outbounds[0]}, 0)
		c.outbounds = nil
	}
}
