package apitest

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A coverage records what the tests of the suite covered: the operations that
// succeeded, the errors they returned and the movements they made.
type coverage struct {
	mu      sync.Mutex
	ran     int
	done    map[string]nameSet // tests by operation
	refused map[string]nameSet // codes by operation
	moved   map[string]nameSet // tests by movement operation
}

// A nameSet is a set of names.
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

// requireComplete requires, if all tests have run, that each operation succeeded, that
// each operation with inputs failed, that each movement operation was made, and that
// each conflict is in the Conflicts of its Spec. It logs which tests covered what.
func (r *coverage) requireComplete(t *testing.T, tests int) {
	if t.Failed() || r.ran < tests {
		return // only a part of the suite has run
	}

	for _, spec := range api.Operations() {
		name := spec.ID + " (" + spec.Method + " " + spec.Path + ")"
		require.NotEmpty(t, r.done[spec.ID], "no test has %s succeed", name)
		hasInput := spec.Input().NumField() > 0
		require.True(t, !hasInput || len(r.refused[spec.ID]) > 1, "no test has %s fail except for its scope", name)
		for code := range r.refused[spec.ID] {
			code := api.Code(code)
			declared := code.Status() != http.StatusConflict || code == api.AtRisk || slices.Contains(spec.Conflicts, code)
			require.True(t, declared, "%s returned %s, which is not in its Conflicts", name, code)
		}

		t.Logf("operation | %s | %s | failed with %s", name, r.done[spec.ID], r.refused[spec.ID])
	}

	for _, op := range append(slices.Clone(api.MovementOperations), api.OpReservationCreate) {
		require.NotEmpty(t, r.moved[string(op)], "no response has a movement %s", op)
		t.Logf("movement | %s | %s", op, r.moved[string(op)])
	}
}

// A recordingService records the operations that a test performs on a service.
type recordingService struct {
	api.Service
	*coverage
	test     string
	writeLog *writeLog
}

// A writeLog is the writes of one test.
type writeLog struct {
	mu   sync.Mutex
	list []writtenRequest
}

// A writtenRequest is a write that succeeded and was not a replay.
type writtenRequest struct {
	svc    api.Service
	req    api.Request
	answer string
}

// Do performs the operation and records the result.
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
		w.writeLog.add(w.Service, req, res)
	}

	return res, nil
}

func (l *writeLog) add(svc api.Service, req *api.Request, res *api.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, writtenRequest{svc, *req, replayable(res)})
}

// replayable returns the part of a response that a replay repeats, as text: not the
// secret of a key.
func replayable(res *api.Response) string {
	out := res.Output
	if key, ok := out.(*api.KeyResult); ok {
		out = &api.KeyResult{Key: key.Key}
	}
	return text(out)
}

func text(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return "cannot be encoded: " + err.Error()
	}
	return string(b)
}
