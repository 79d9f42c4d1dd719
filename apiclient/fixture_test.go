package apiclient_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/httpapi"
)

const (
	secret = "bc_live_ab12cd34_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_9zZ1aQ"
	canary = "0123456789abcdef"
	org    = "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e"
)

var when = time.Date(2026, 3, 31, 14, 0, 0, 250_000_000, time.UTC)

// fill sets every zero value in v; n distinguishes the values.
func fill(v reflect.Value, n int64) {
	switch x := v.Addr().Interface().(type) {
	case *api.ID:
		*x = uuid.UUID{15: byte(n), 0: 1}
		return
	case *time.Time:
		*x = when
		return
	case *api.LocationsFilter:
		*x = api.FilterLocations([]api.ID{{byte(n)}, {byte(n + 1)}})
		return
	case *api.Metadata:
		*x = api.Metadata(`{"a":[1.5,"é"]}`)
		return
	case interface{ Values() []string }:
		values := x.Values()
		v.SetString(values[n%int64(len(values))])
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt(n)
	case reflect.String:
		v.SetString("text é %/?&" + string(rune('a'+n)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n+1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+int64(i))
		}
	}
}

// filled returns an input of the operation with as many fields as its rules
// permit.
func filled(t *testing.T, spec *api.Spec) any {
	in := spec.NewInput()
	fill(reflect.ValueOf(in).Elem(), 1)
	switch x := in.(type) {
	case *api.CreateOutboundInput:
		x.Lines = nil
	case *api.CreateOperatorInput:
		x.Language, x.Badge, x.PIN = "de", strings.Repeat("0", 67), strings.Repeat("0", 96)
	case *api.ChangeOperatorInput:
		x.Language, x.Badge, x.PIN = "de", strings.Repeat("0", 67), strings.Repeat("0", 96)
	case *api.ListPresenceInput:
		x.Open = `[{"work":"receive/PO-77"}]`
	case *api.RegisterPlateInput:
		x.SSCC = "309521000000000002"
	case *api.MoveStockInput:
		x.LotStrategy, x.SourceState, x.DestinationState = "", "available", "damaged"
	}
	// Clear fields that exclude each other.
	for err := api.Check(in); err != nil; err = api.Check(in) {
		cleared := false
		for _, f := range api.AsError(err).Details["fields"].([]api.FieldProblem) {
			cleared = cleared || f.Rule == "exclusive" && leaveOut(in, f.Path)
		}
		require.True(t, cleared, "%s: %v", spec.ID, err)
	}
	return in
}

// leaveOut clears a field of an input and reports whether it was set.
func leaveOut(in any, name string) bool {
	v := reflect.ValueOf(in).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if x := v.FieldByIndex(f.Index); (member == name || f.Tag.Get("query") == name) && !x.IsZero() {
			x.SetZero()
			return true
		}
	}
	return false
}

// A recorder answers every operation with a filled output and stores the
// request.
type recorder struct {
	mu   sync.Mutex
	last *api.Request
	err  error
	res  api.Response
}

func (m *recorder) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = req
	if m.err != nil {
		return nil, m.err
	}
	res := m.res
	res.Output = req.Spec.NewOutput()
	fill(reflect.ValueOf(res.Output).Elem(), 1)
	return &res, nil
}

// service serves m over HTTP.
func service(t *testing.T, m api.Service) *httptest.Server {
	scopes := append([]api.Scope{api.Admin}, api.Scopes...)
	srv := httptest.NewServer(httpapi.New(httpapi.Config{Service: m, Logger: slog.New(slog.DiscardHandler),
		Authenticate: func(_ context.Context, key string) (*api.Caller, error) {
			if key != secret {
				return nil, api.Fail(api.Unauthorized, nil, "This API key is not known.")
			}
			return &api.Caller{Organization: uuid.MustParse(org), Environment: api.Live, Scopes: scopes}, nil
		}}))
	t.Cleanup(srv.Close)
	return srv
}

func client(t *testing.T, url string, change ...func(*apiclient.Config)) *apiclient.Client {
	cfg := apiclient.Config{URL: url, Key: secret, Organization: org, Timeout: time.Minute} // on a busy machine, too
	for _, fn := range change {
		fn(&cfg)
	}
	c, err := apiclient.New(cfg)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// answerServer starts a server with a fixed answer.
func answerServer(t *testing.T, status int, content, body string) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", content)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv
}

// write and read make one request of each kind.
func write(ctx context.Context, c api.Service, opts ...api.Option) error {
	_, err := api.CancelInbound.Call(ctx, c, api.InboundInput{InboundID: uuid.MustParse(org)}, opts...)
	return err
}

func read(ctx context.Context, c api.Service) error {
	_, err := api.GetInbound.Call(ctx, c, api.InboundInput{InboundID: uuid.MustParse(org)})
	return err
}

// requireError requires that err is an API error that reveals no secret.
func requireError(t *testing.T, err error) *api.Error {
	t.Helper()
	require.Error(t, err)
	e, ok := err.(*api.Error)
	require.True(t, ok, "%T", err)
	require.NotContains(t, err.Error(), canary)
	require.NotEmpty(t, e.Message)
	require.NotEmpty(t, e.RequestID)
	return e
}
