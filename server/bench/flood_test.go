package bench_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/account"
	"bincard/server/api"
)

const (
	floodClients    = 64
	idleConnections = 4200
)

// An attack is what another organization's clients do, each in turn. Without requests
// they open connections and leave them idle.
type attack struct {
	name    string
	clients int
	request func(n int64) *http.Request
}

// attacksBy returns the attacks of an organization.
func attacksBy(other world) []attack {
	get := func(path string) func(int64) *http.Request {
		return func(int64) *http.Request { return other.request("GET", path, "") }
	}
	var wrong []string
	for range 1000 {
		secret, _ := account.NewSecret(api.Test)
		wrong = append(wrong, secret)
	}
	adjust := func(n int64) *http.Request { return other.adjustment(other.Products[n%spread]) }
	body := `{"productId":"` + other.Products[0].String() + `","locationId":"` + other.Location.String() + `","serials":[` +
		strings.TrimSuffix(strings.Repeat("{},", 300_000), ",") + `]}`
	large := func(int64) *http.Request { return other.request("POST", "/stock/receive", body) }
	poll := get("/changes?wait=25&after=" + strconv.FormatInt(other.Last, 10))
	return []attack{ // the polls first: they wait for writes
		{"long polls", floodClients, poll},
		{"4,200 long polls", idleConnections, poll},
		{"writes", floodClients, adjust},
		{"reports, limit=500", floodClients, get("/reports/stock-movements?limit=500")},
		{"explain, limit=500", floodClients, get("/balances/" + other.Balance.String() + "/explain?limit=500")},
		{"900 KB bodies", floodClients, large},
		{"bodies and writes", floodClients, func(n int64) *http.Request {
			if n%2 == 0 {
				return large(n)
			}
			return adjust(n)
		}},
		{"wrong keys", floodClients, func(n int64) *http.Request {
			r := other.request("GET", "/locations", "")
			r.Header["Authorization"] = []string{"Bearer " + wrong[n%int64(len(wrong))]}
			return r
		}},
		{"idle connections", idleConnections, nil},
	}
}

// flood starts an attack; stop ends it and returns its requests a second.
func flood(w world, a attack) (stop func() float64) {
	if a.request == nil {
		return idleFlood(w, a.clients)
	}
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
	<-time.After(*measureTime) // until all are busy
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
func idleFlood(w world, connections int) (stop func() float64) {
	var list []net.Conn
	for range connections {
		c, err := net.DialTimeout("tcp", strings.TrimPrefix(w.URL, "http://"), time.Second)
		if err != nil {
			break
		}
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		list = append(list, c)
	}
	return func() float64 {
		for _, c := range list {
			_ = c.Close()
		}
		return 0
	}
}

// resident returns the memory in MB that a process has now, and the most since the last
// call; 0 if the system does not say.
func resident(pid int) (now, most int) {
	dir := "/proc/" + strconv.Itoa(pid)
	status, _ := os.ReadFile(dir + "/status")
	_ = os.WriteFile(dir+"/clear_refs", []byte("5"), 0) // the most starts over
	mb := func(name string) int {
		_, after, _ := bytes.Cut(status, []byte(name+":"))
		number, _, _ := bytes.Cut(bytes.TrimSpace(after), []byte(" "))
		kb, _ := strconv.Atoi(string(number))
		return kb >> 10
	}
	return mb("VmRSS"), mb("VmHWM")
}
