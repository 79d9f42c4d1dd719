package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bincard/server/api"
)

const neighborClients = 16

// BenchmarkFair measures one organization alone and while another one floods
// the service, for each kind of flood, and the memory of the service: before, at most,
// and when it has rested for -rest. It ignores -benchtime.
func BenchmarkFair(b *testing.B) {
	w, _ := start(b, "shared", b.TempDir())
	other := *w.Other
	other.URL = w.URL
	fresh, _ := resident(w.Pid)
	neighbor(b, w, false) // ordinary use
	<-time.After(*rest)
	used, _ := resident(w.Pid)
	fmt.Printf("\nresident memory: %d MB after the start, %d MB after ordinary use and %s of rest\n", fresh, used, *rest)
	fmt.Printf("%-20s %10s %10s %10s %10s %10s %10s %8s %8s\n", "", "quiet/s", "p99 ms", "flooded/s", "p99 ms", "flood/s", "before MB", "most MB", "rested MB")
	for _, a := range attacksBy(other) {
		if !strings.Contains(a.name, *onlyFlood) {
			continue
		}
		before, _ := resident(w.Pid)
		quiet := neighbor(b, w, a.request == nil)
		stop := flood(w, a)
		flooded := neighbor(b, w, a.request == nil)
		rate := stop()
		<-time.After(*rest)
		rested, most := resident(w.Pid)
		fmt.Printf("%-20s %10.0f %10.1f %10.0f %10.1f %10.0f %10d %8d %8d\n", a.name, quiet.rate, ms(quiet.p99), flooded.rate, ms(flooded.p99), rate, before, most, rested)
	}
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
