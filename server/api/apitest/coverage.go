package apitest

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A coverage notes what the tests of the suite had the service do: which
// operations succeeded, which were refused and why, what moved stock.
type coverage struct {
	mu      sync.Mutex
	ran     int
	done    map[string]nameSet // tests by operation
	refused map[string]nameSet // codes by operation
	moved   map[string]nameSet // tests by movement operation
}

// nameSet are each there once.
type nameSet map[string]bool

func newCoverage() *coverage {
	return &coverage{done: map[string]nameSet{}, refused: map[string]nameSet{}, moved: map[string]nameSet{}}
}

func note(m map[string]nameSet, what, name string) {
	if m[what] == nil {
		m[what] = nameSet{}
	}
	m[what][name] = true
}

func (n nameSet) String() string {
	var list []string
	for name := range n {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// requireComplete holds, when all tests have run, that each operation was seen to
// succeed, each that asks for something to be refused, and each movement to
// happen; that no operation returned a conflict that its Spec lacks; and it tells
// which test saw which.
func (r *coverage) requireComplete(t *testing.T, tests int) {
	if t.Failed() || r.ran < tests {
		return // a part of the suite, which proves nothing about all of it
	}
	for _, spec := range api.Operations() {
		name := spec.ID + " (" + spec.Method + " " + spec.Path + ")"
		require.NotEmpty(t, r.done[spec.ID], "no test of the contract has %s succeed", name)
		asks := spec.Input().NumField() > 0
		require.True(t, !asks || len(r.refused[spec.ID]) > 1, "no test of the contract has %s refused but for its scope", name)
		for code := range r.refused[spec.ID] {
			code := api.Code(code)
			declared := code.Status() != http.StatusConflict || code == api.AtRisk || slices.Contains(spec.Conflicts, code)
			require.True(t, declared, "%s returns %s, which its Conflicts lack", name, code)
		}
		t.Logf("operation | %s | %s | refused with %s", name, r.done[spec.ID], r.refused[spec.ID])
	}
	for _, op := range append(slices.Clone(api.MovementOperations), api.OpReservationCreate) {
		require.NotEmpty(t, r.moved[string(op)], "no test of the contract has a movement %s in an answer", op)
		t.Logf("movement | %s | %s", op, r.moved[string(op)])
	}
}

// A recordingService stands between a test and its service, and remembers the writes.
type recordingService struct {
	api.Service
	*coverage
	test     string
	writeLog *writeLog
}

// A writeLog is what one test wrote.
type writeLog struct {
	mu   sync.Mutex
	list []writtenRequest
}

// A writtenRequest is a write that succeeded for the first time.
type writtenRequest struct {
	svc    api.Service
	req    api.Request
	answer string
}

// Do performs the operation and notes what came of it.
func (w *recordingService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := w.Service.Do(ctx, req)
	w.coverage.mu.Lock()
	defer w.coverage.mu.Unlock()
	if err != nil {
		note(w.refused, req.Spec.ID, string(api.AsError(err).Code))
		return res, err
	}
	note(w.done, req.Spec.ID, w.test)
	if list := reflect.ValueOf(res.Output).Elem().FieldByName("Movements"); list.IsValid() {
		if all, ok := list.Interface().([]api.Movement); ok {
			for i := range all {
				note(w.moved, string(all[i].Operation), w.test)
			}
		}
	}
	if req.Spec.Writes() && !res.Replayed {
		w.writeLog.keep(w.Service, req, res)
	}
	return res, nil
}

func (m *writeLog) keep(svc api.Service, req *api.Request, res *api.Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, writtenRequest{svc, *req, answered(res)})
}

// answered is an answer as text, as far as it can be given again: the secret of
// a key cannot.
func answered(res *api.Response) string {
	out := res.Output
	if key, ok := out.(*api.KeyResult); ok {
		out = &api.KeyResult{Key: key.Key}
	}
	return text(out)
}

// replayAll asks for all that the test wrote once more, after a restart where the
// world can have one: each write is answered as the first time, and does nothing.
func (k *fixture) replayAll() {
	k.Helper()
	if k.Restart != nil {
		k.Restart()
	}
	for _, w := range k.writeLog.list {
		req := w.req
		res, err := w.svc.Do(k.ctx, &req)
		what := fmt.Sprintf("%s with the key %s", req.Spec.ID, req.IdempotencyKey)
		require.NoError(k, err, what)
		require.True(k, res.Replayed, what)
		require.Equal(k, w.answer, answered(res), what)
	}
}
