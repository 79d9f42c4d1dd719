package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bincard/server/account"
	"bincard/server/api"
)

const (
	neighborClients = 16
	floodClients    = 64
	idleConnections = 4200
)

// An attack is what another organization's clients do, each in turn.
type attack struct {
	name    string
	clients int
	request func(n int64) *http.Request
}

// BenchmarkFair measures one organization alone and while another one floods
// the service, for each kind of flood. It ignores -benchtime.
func BenchmarkFair(b *testing.B) {
	w, _ := start(b, "shared", b.TempDir())
	other := *w.Other
	other.URL = w.URL
	get := func(path string) func(int64) *http.Request {
		return func(int64) *http.Request { return other.request("GET", path, "") }
	}
	var wrong []string
	for range 1000 {
		secret, _ := account.NewSecret(api.Test)
		wrong = append(wrong, secret)
	}
	large := `{"productId":"` + other.Products[0].String() + `","locationId":"` + other.Location.String() + `","serials":[` +
		strings.TrimSuffix(strings.Repeat("{},", 300_000), ",") + `]}`
	poll := get("/changes?wait=25&after=" + strconv.FormatInt(other.Last, 10))
	attacks := []attack{ // the polls first: they wait for writes
		{"long polls", floodClients, poll},
		{"4,200 long polls", idleConnections, poll},
		{"writes", floodClients, func(n int64) *http.Request { return other.adjustment(other.Products[n%spread]) }},
		{"reports, limit=500", floodClients, get("/reports/stock-movements?limit=500")},
		{"explain, limit=500", floodClients, get("/balances/" + other.Balance.String() + "/explain?limit=500")},
		{"900 KB bodies", floodClients, func(int64) *http.Request { return other.request("POST", "/stock/receive", large) }},
		{"wrong keys", floodClients, func(n int64) *http.Request {
			r := other.request("GET", "/locations", "")
			r.Header["Authorization"] = []string{"Bearer " + wrong[n%int64(len(wrong))]}
			return r
		}},
	}
	fmt.Printf("\n%-20s %10s %10s %10s %10s %12s %8s\n", "", "quiet/s", "p99 ms", "flooded/s", "p99 ms", "flood/s", "RSS MB")
	line := func(name string, quiet, flooded measurement, flood float64) {
		fmt.Printf("%-20s %10.0f %10.1f %10.0f %10.1f %12.0f %8d\n", name, quiet.rate, ms(quiet.p99), flooded.rate, ms(flooded.p99), flood, resident(w.Pid))
	}
	for _, a := range attacks {
		if !strings.Contains(a.name, *onlyFlood) {
			continue
		}
		quiet := neighbor(b, w, false)
		stop := flood(w, a)
		flooded := neighbor(b, w, false)
		line(a.name, quiet, flooded, stop())
	}
	if *onlyFlood != "" {
		return
	}
	quiet := neighbor(b, w, true)
	closeAll := idleFlood(b, w)
	line("idle connections", quiet, neighbor(b, w, true), 0)
	closeAll()
	b.ReportMetric(0, "ns/op")
}

// neighbor measures the clients of the organization that floods nothing: they
// read a balance twice and adjust it once. With reconnect each request needs a
// new connection.
func neighbor(b *testing.B, w world, reconnect bool) measurement {
	b.Helper()
	times := make([][]time.Duration, neighborClients)
	errs := make([]error, neighborClients)
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range neighborClients {
		wg.Go(func() {
			t := &http.Transport{DisableKeepAlives: reconnect, DisableCompression: true}
			defer t.CloseIdleConnections()
			for n := i; time.Since(begin) < 3**measureTime; n += neighborClients {
				r := w.request("GET", "/balances?limit=1&productId="+w.Products[n%spread].String(), "")
				if n/neighborClients%3 == 0 {
					r = w.adjustment(w.Products[n%spread])
				}
				sent := time.Now()
				status, err := send(t, r)
				if times[i] = append(times[i], time.Since(sent)); err != nil || status != 200 {
					errs[i] = fmt.Errorf("answered %d: %w", status, err)
				}
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(begin)
	for _, err := range errs {
		if err != nil {
			b.Log("neighbor: ", err)
			break
		}
	}
	all := slices.Concat(times...)
	slices.Sort(all)
	return measurement{rate: float64(len(all)) / elapsed.Seconds(), p99: all[len(all)*99/100]}
}

// flood starts an attack; stop ends it and returns its requests a second.
func flood(w world, a attack) (stop func() float64) {
	ctx, cancel := context.WithCancel(context.Background())
	t := &http.Transport{MaxIdleConnsPerHost: a.clients, DisableCompression: true}
	var sent atomic.Int64
	var wg sync.WaitGroup
	for range a.clients {
		wg.Go(func() {
			for ctx.Err() == nil {
				n := sent.Add(1)
				status, err := send(t, a.request(n).WithContext(ctx))
				if err != nil || status == http.StatusTooManyRequests && a.clients > floodClients {
					select { // so many do not repeat at once
					case <-ctx.Done():
					case <-time.After(time.Second):
					}
				}
			}
		})
	}
	time.Sleep(*measureTime) // until all are busy
	before, begin := sent.Load(), time.Now()
	return func() float64 {
		rate := float64(sent.Load()-before) / time.Since(begin).Seconds()
		cancel()
		wg.Wait()
		t.CloseIdleConnections()
		return rate
	}
}

// idleFlood opens connections that send one request and then nothing.
func idleFlood(b *testing.B, w world) (closeAll func()) {
	b.Helper()
	var list []net.Conn
	for range idleConnections {
		c, err := net.DialTimeout("tcp", strings.TrimPrefix(w.URL, "http://"), time.Second)
		if err != nil {
			break
		}
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		list = append(list, c)
	}
	return func() {
		for _, c := range list {
			_ = c.Close()
		}
	}
}

// send sends a request and reads the answer.
func send(t *http.Transport, r *http.Request) (int, error) {
	res, err := t.RoundTrip(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

func (w *world) request(method, path, body string) *http.Request {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, w.URL+"/v1/organizations/"+w.Org.String()+path, content)
	if err != nil {
		panic(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + w.Key}}
	if body != "" {
		r.Header["Content-Type"] = []string{"application/json"}
		r.Header["Idempotency-Key"] = []string{api.NewKey()}
	}
	return r
}

func (w *world) adjustment(product api.ID) *http.Request {
	return w.request("POST", "/stock/adjust", `{"productId":"`+product.String()+`","locationId":"`+w.Location.String()+
		`","inventoryState":"available","quantityDelta":5,"reason":"count"}`)
}

// resident returns the most memory in MB that a process has had since the last
// call, 0 if the system does not say.
func resident(pid int) int {
	dir := "/proc/" + strconv.Itoa(pid)
	status, _ := os.ReadFile(dir + "/status")
	_, after, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(after)
	_ = os.WriteFile(dir+"/clear_refs", []byte("5"), 0) // starts over
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.Atoi(string(fields[0]))
	return kb >> 10
}
