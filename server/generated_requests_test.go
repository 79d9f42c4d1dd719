package server_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi"
)

// generatedClients send the generated requests at once.
const generatedClients = 4

// A requestRun sends requests that are generated from the OpenAPI document, and checks
// every answer against it.
type requestRun struct {
	s          *testService
	w          *documentChecker
	operations []documentedOperation
	web        *http.Client
	left       atomic.Int64

	mu       sync.Mutex
	keys     []string            // all scopes, and one scope each
	known    map[string][]any    // values in answers, by the name of their member
	stocks   []map[string]any    // ids in answers that belong together
	statuses map[string][]int    // by operation
	faults   map[string][]string // the first is an example
	slowest  time.Duration
}

// A documentedOperation is an operation of the document.
type documentedOperation struct {
	id, method, path string
	at               string // its JSON pointer
	group            string // "products" if it creates or lists products
}

func newRequestRun(t *testing.T, count int64) *requestRun {
	t.Helper()
	s := open(t)
	w, err := newDocumentChecker()
	require.NoError(t, err)
	network := http.DefaultTransport.(*http.Transport).Clone()
	network.MaxIdleConnsPerHost = generatedClients
	t.Cleanup(network.CloseIdleConnections)
	r := &requestRun{s: s, w: w, web: &http.Client{Transport: network, Timeout: time.Minute}, known: map[string][]any{},
		statuses: map[string][]int{}, faults: map[string][]string{}}
	r.left.Store(count)
	for path, item := range w.doc["paths"].(map[string]any) {
		for _, method := range []string{"get", "post"} {
			if op, ok := item.(map[string]any)[method].(map[string]any); ok && strings.HasPrefix(path, openapi.Base) {
				parts := strings.Split(strings.TrimPrefix(path, openapi.Base+"/"), "/")
				group := parts[0]
				if len(parts) > 1 {
					group = ""
				}
				r.operations = append(r.operations, documentedOperation{op["operationId"].(string), strings.ToUpper(method), path,
					"#/paths/" + escape(path) + "/" + method, group})
			}
		}
	}
	slices.SortFunc(r.operations, func(a, b documentedOperation) int { return strings.Compare(a.id, b.id) })
	require.Len(t, r.operations, len(api.Operations()))
	r.newKeys()
	return r
}

// newKeys replaces the keys, some of which generated requests may have revoked.
func (r *requestRun) newKeys() {
	keys := []string{r.s.key(0, api.Live)}
	for _, scope := range []api.Scope{api.InventoryRead, api.InventoryWrite} {
		keys = append(keys, r.s.key(0, api.Live, scope))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = keys
}

// send sends a generated request and checks the answer.
func (r *requestRun) send(g *requestGenerator) {
	op := r.operations[g.IntN(len(r.operations))]
	req, sent := g.request(op)
	start := time.Now()
	res, err := r.web.Do(req)
	if err != nil {
		r.fault(op, "no answer", "%s %s %s: %v", req.Method, req.URL, sent, err)
		return
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	took := time.Since(start)
	if err != nil {
		r.fault(op, "a broken answer", "%s %s %s: %v", req.Method, req.URL, sent, err)
		return
	}
	var answer any
	if err := json.Unmarshal(got, &answer); err != nil {
		r.fault(op, "not JSON", "%s %s %s: %d %s", req.Method, req.URL, sent, res.StatusCode, got)
		return
	}
	if err := r.w.checkExchange(req, sent, res, got); err != nil || res.StatusCode >= 500 {
		r.fault(op, fmt.Sprint(res.StatusCode), "%s %s %v\n%s\nwas answered %d %s\n%v", req.Method, req.URL, req.Header, sent, res.StatusCode, got, err)
	}
	if res.StatusCode == http.StatusUnauthorized && g.goodKey {
		r.newKeys()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slowest = max(r.slowest, took)
	r.statuses[op.id] = append(r.statuses[op.id], res.StatusCode)
	if res.StatusCode < 300 {
		r.learn(op, answer)
	}
}

func (r *requestRun) fault(op documentedOperation, kind, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[op.id+" "+kind] = append(r.faults[op.id+" "+kind], fmt.Sprintf(format, args...))
}

// learn keeps values of an answer for later requests.
func (r *requestRun) learn(op documentedOperation, answer any) {
	singular := strings.TrimSuffix(op.group, "s")
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if id, ok := v["id"]; ok && name != "" {
				r.keep(name+"Id", id)
			}
			if v["productId"] != nil && v["locationId"] != nil {
				r.stocks = keepLast(r.stocks, v, 60)
			}
			for member, x := range v {
				walk(member, x)
			}
		case []any:
			for _, x := range v[:min(len(v), 5)] {
				walk(strings.TrimSuffix(name, "s"), x)
			}
		case string, float64:
			r.keep(name, v)
		}
	}
	m, _ := answer.(map[string]any)
	for member, v := range m {
		if member == "items" {
			member = singular + "s"
		}
		walk(member, v)
	}
	if id, ok := m["id"]; ok {
		r.keep(singular+"Id", id)
	}
	if cursor, ok := m["nextCursor"].(string); ok {
		r.keep("cursor", cursor)
	}
}

func (r *requestRun) keep(name string, v any) {
	r.known[name] = keepLast(r.known[name], v, 40)
}

// keepLast adds a value and removes the oldest beyond a number.
func keepLast[V any](all []V, v V, count int) []V {
	if all = append(all, v); len(all) > count {
		return slices.Delete(all, 0, 1)
	}
	return all
}

// any returns a value that answers had under a name, or nil.
func (r *requestRun) any(name string, random *rand.Rand) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.known[name]; len(all) > 0 {
		return all[random.IntN(len(all))]
	}
	return nil
}

// TestRequests_Generated sends requests that are generated from the OpenAPI document: valid
// ones, and ones with faults in parameters, headers and bodies. No answer may differ from
// the document, and each operation must succeed at times. BINCARD_REQUESTS is their number,
// BINCARD_SEED the seed.
func TestRequests_Generated(t *testing.T) {
	t.Parallel()
	number := func(name string, otherwise uint64) uint64 {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 63)
			require.NoError(t, err)
			return n
		}
		return otherwise
	}
	usual := uint64(20_000)
	if testing.Short() {
		usual = 4_000
	}
	count, seed := number("BINCARD_REQUESTS", usual), number("BINCARD_SEED", 1)
	r := newRequestRun(t, int64(count))
	var all sync.WaitGroup
	for i := range generatedClients {
		all.Go(func() {
			g := &requestGenerator{Rand: rand.New(rand.NewPCG(seed, uint64(i))), r: r}
			for r.left.Add(-1) >= 0 {
				if g.IntN(200) == 0 {
					r.s.clock.Advance(time.Minute)
				}
				r.send(g)
			}
		})
	}
	all.Wait()
	r.report(t, count)
}

// report requires that there were no faults, and that every operation succeeded and failed.
func (r *requestRun) report(t *testing.T, count uint64) {
	total := map[int]int{}
	for _, op := range r.operations {
		each := map[int]int{}
		for _, status := range r.statuses[op.id] {
			each[status]++
			total[status]++
		}
		if os.Getenv("BINCARD_REQUESTS") != "" {
			t.Logf("%s: %v", op.id, each)
		}
		if count >= 20_000 && (each[http.StatusOK]+each[http.StatusCreated] == 0 || each[http.StatusBadRequest] == 0) {
			t.Errorf("%s never succeeded, or never failed: %v", op.id, each)
		}
	}
	t.Logf("%d requests: %v; the slowest took %v", count, total, r.slowest)
	for i, kind := range slices.Sorted(maps.Keys(r.faults)) {
		if i == 20 {
			t.Errorf("and %d more kinds", len(r.faults)-i)
			break
		}
		t.Errorf("%s, %d times: %.3000s", kind, len(r.faults[kind]), r.faults[kind][0])
	}
}

// request returns a request of an operation and its body.
func (g *requestGenerator) request(op documentedOperation) (*http.Request, []byte) {
	g.begin()
	doc := g.r.w.at(op.at)
	path, query, header := op.path, url.Values{}, http.Header{}
	stock := g.stock()
	parameters, _ := doc["parameters"].([]any)
	for i := range parameters {
		p, where := g.r.w.follow(op.at + "/parameters/" + strconv.Itoa(i))
		name, schema := p["name"].(string), g.r.w.at(where+"/schema")
		v := g.value(name, schema)
		if known := stock[name]; known != nil {
			v = known
		}
		text := strings.Trim(strings.TrimSpace(string(g.json(v))), `"`)
		switch p["in"] {
		case "path":
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(strings.ReplaceAll(text, "/", "")), 1)
		case "query":
			if name == "wait" {
				text = "0" // waiting would only take time
			}
			if g.includes(p["required"] == true) {
				query.Set(name, text)
			}
		case "header":
			if name != "Idempotency-Key" && g.IntN(12) == 0 && isHeader(text) {
				header.Set(name, text)
			}
		}
	}
	path = strings.Replace(path, "{organizationId}", g.organization(), 1)
	var body []byte
	if content := g.r.w.at(op.at + "/requestBody/content/application~1json/schema"); content != nil && op.method == "POST" {
		v := g.value("", content)
		if m, ok := v.(map[string]any); ok {
			for name := range m {
				if known := stock[name]; known != nil {
					m[name] = known
				}
			}
		}
		body = g.damageText(g.json(v))
		if required, _ := doc["requestBody"].(map[string]any)["required"].(bool); !required && g.IntN(3) == 0 {
			body = nil
		}
	} else if g.rarely() {
		body = []byte([]string{"null", "[]", "{}", "{", `{"a":1}`}[g.IntN(5)])
	}
	if g.rarely() {
		query.Set([]string{"x", "limit", "cursor", "Limit"}[g.IntN(4)], "x")
	}
	g.headers(op, header, len(body) > 0)
	req, err := http.NewRequest(op.method, g.r.s.url+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		panic(err) // all parts are encoded
	}
	req.Header = header
	return req, body
}

// isHeader reports whether a text can be sent as a header.
func isHeader(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })
}
