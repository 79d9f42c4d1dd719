package bench_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bincard/server/api"
)

// A measurement is the result of one load.
type measurement struct {
	rate     float64 // requests a second
	p50, p99 time.Duration
	writes   int
	size     int           // bytes of the last answer
	spent    time.Duration // processor time of the service for one request; 0 if unknown
}

// load makes the clients send adjustments for a time, over a number of
// products.
func load(b *testing.B, w world, clients, products int, d time.Duration) measurement {
	b.Helper()
	transport := &http.Transport{MaxIdleConns: clients, MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	times := make([][]time.Duration, clients)
	failed, sizes := make([]error, clients), make([]int, clients)
	start, before := time.Now(), processorTime(w.Pid)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c := newClient(w, transport)
			for n := i; failed[i] == nil && time.Since(start) < d; n += clients {
				sent := time.Now()
				failed[i] = c.adjust(w.Products[n%products])
				times[i] = append(times[i], time.Since(sent))
			}
			sizes[i] = c.size
		})
	}
	wg.Wait()
	elapsed, spent := time.Since(start), processorTime(w.Pid)-before
	for _, err := range failed {
		if err != nil {
			b.Fatal(err)
		}
	}
	all := slices.Concat(times...)
	slices.Sort(all)
	return measurement{rate: float64(len(all)) / elapsed.Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100], writes: len(all), size: sizes[0],
		spent: spent / time.Duration(len(all))}
}

// processorTime returns the processor time of a process, or 0 if the system does not say.
func processorTime(pid int) time.Duration {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := bytes.Cut(stat, []byte(") ")) // the command's name may have spaces
	fields := bytes.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(string(fields[11]), 10, 64)
	system, _ := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * (time.Second / 100)
}

// A client sends one request at a time and allocates little.
type client struct {
	transport *http.Transport
	req       http.Request
	body      strings.Reader
	w         world
	buf       []byte
	size      int // of the last answer
}

func newClient(w world, t *http.Transport) *client {
	u, err := url.Parse(w.URL + "/v1/organizations/" + w.Org.String() + "/stock/adjust")
	if err != nil {
		panic(err)
	}
	return &client{transport: t, w: w, buf: make([]byte, 8<<10), req: http.Request{Method: "POST", URL: u, Host: u.Host,
		Header: http.Header{"Authorization": {"Bearer " + w.Key}, "Content-Type": {"application/json"}, "Idempotency-Key": {""}}}}
}

func (c *client) adjust(product api.ID) error {
	text := `{"productId":"` + product.String() + `","locationId":"` + c.w.Location.String() +
		`","inventoryState":"available","quantityDelta":5,"reason":"count","referenceType":"count","referenceId":"C-1"}`
	c.body.Reset(text)
	req := c.req
	req.Header["Idempotency-Key"][0] = api.NewKey()
	req.Body, req.ContentLength = io.NopCloser(&c.body), int64(len(text))
	res, err := c.transport.RoundTrip(&req)
	if err != nil {
		return err
	}
	n := 0
	for err == nil && n < len(c.buf) {
		var more int
		more, err = res.Body.Read(c.buf[n:])
		n += more
	}
	_ = res.Body.Close()
	c.size = n
	if res.StatusCode != http.StatusOK || err != io.EOF {
		return fmt.Errorf("answered %s: %s (%v)", res.Status, c.buf[:n], err)
	}
	return nil
}
