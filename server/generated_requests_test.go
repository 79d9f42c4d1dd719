package server_test

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/testenv"
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
	keys     []string                  // all scopes, and one scope each
	known    map[string][]any          // values in answers, by the name of their member
	stocks   []map[string]any          // ids in answers that belong together
	kit      map[string]any            // ids of a kit whose components are in stock
	kept     []string                  // ids of the kit and its component, which are not archived
	tracking map[string]any            // by product
	answers  map[string]map[string]int // by operation, and status or code
	faults   map[string][]string       // the first is an example
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
		tracking: map[string]any{}, answers: map[string]map[string]int{}, faults: map[string][]string{}}
	r.left.Store(count)
	for path, item := range w.doc["paths"].(map[string]any) {
		for _, method := range []string{"get", "post", "patch"} {
			if op, ok := item.(map[string]any)[method].(map[string]any); ok && strings.HasPrefix(path, api.BasePath) {
				parts := strings.Split(strings.TrimPrefix(path, api.BasePath+"/"), "/")
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
	r.addStock()
	return r
}

// newKeys replaces the keys, some of which generated requests may have revoked.
func (r *requestRun) newKeys() {
	keys := []string{r.s.key(0, api.Live, append(slices.Clone(api.Scopes), api.Admin)...)}
	for _, scope := range []api.Scope{api.InventoryRead, api.InventoryWrite} {
		keys = append(keys, r.s.key(0, api.Live, scope))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = keys
}

// send sends a generated request and checks the answer.
func (r *requestRun) send(g *requestGenerator) {
	op := g.operation()
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
	if r.answers[op.id] == nil {
		r.answers[op.id] = map[string]int{}
	}
	r.answers[op.id][answerKind(res.StatusCode, answer)]++
	g.next = ""
	if res.StatusCode < 300 {
		r.learn(op, answer)
		g.follow(op, answer)
	}
}

// answerKind returns "200", or "409 INSUFFICIENT_STOCK".
func answerKind(status int, answer any) string {
	body, _ := answer.(map[string]any)
	if e, ok := body["error"].(map[string]any); ok {
		return fmt.Sprint(status, " ", e["code"])
	}
	return fmt.Sprint(status)
}

func (r *requestRun) fault(op documentedOperation, kind, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[op.id+" "+kind] = append(r.faults[op.id+" "+kind], fmt.Sprintf(format, args...))
}

// TestRequests_Generated sends requests that are generated from the OpenAPI document: valid
// ones, and ones with faults in parameters, headers and bodies. No answer may differ from
// the document, and each operation must succeed at times.
func TestRequests_Generated(t *testing.T) {
	t.Parallel()
	count, seed := testenv.GeneratedRequests.Cases(t), testenv.Seed(t)
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
func (r *requestRun) report(t *testing.T, count int) {
	total := map[string]int{}
	for _, op := range r.operations {
		each, sum := r.answers[op.id], 0
		for kind, n := range each {
			total[kind[:3]] += n
			sum += n
		}
		succeeded := each["200"] + each["201"]
		t.Logf("%s: %v", op.id, each)
		if count >= 20_000 && (succeeded == 0 || succeeded == sum) {
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
