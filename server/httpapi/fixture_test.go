package httpapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/testenv"
)

const (
	secret   = "bc_live_ab12cd34_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_9zZ1aQ"
	readOnly = "bc_live_ef56gh78_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_9zZ1aQ"
)

var (
	organization = uuid.MustParse("0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e")
	keyID        = uuid.MustParse("0198c5e2-7b1a-7c3e-9d41-000000000001")
)

// A stubService is a small service: locations by code, replays by key, and a
// hook that a test may set.
type stubService struct {
	mu        sync.Mutex
	locations map[string]*api.Place
	first     map[string]*api.Response
	last      *api.Request
	hook      func(ctx context.Context, req *api.Request) (*api.Response, error)
}

func (s *stubService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.mu.Lock()
	s.last = req
	hook := s.hook
	s.mu.Unlock()
	if hook != nil {
		return hook(ctx, req)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch in := req.Input.(type) {
	case *api.CreateLocationInput:
		if first := s.first[req.IdempotencyKey]; first != nil {
			return &api.Response{Output: first.Output, Replayed: true}, nil
		}
		if s.locations[in.Code] != nil {
			return nil, api.Fail(api.AlreadyExists, api.Details{"code": in.Code}, "There is a location %s already.", in.Code)
		}
		p := &api.Place{ID: uuid.New(), OrganizationID: req.Caller.Organization, Environment: req.Caller.Environment,
			Code: in.Code, Name: in.Name, Type: string(in.Type)}
		s.locations[in.Code], s.first[req.IdempotencyKey] = p, &api.Response{Output: p}
		return s.first[req.IdempotencyKey], nil
	case *api.ListPlacesInput:
		out := &api.List[api.Place]{}
		for _, p := range s.locations {
			out.Items = append(out.Items, *p)
		}
		return &api.Response{Output: out}, nil
	}
	return nil, api.Fail(api.NotFound, nil, "There is no such thing.")
}

func (s *stubService) request() *api.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// A testServer is a handler over a stubService, with its log.
type testServer struct {
	*stubService
	http.Handler
	log      testenv.Output
	notReady error // why it is not ready
	warnings []string
}

func open(t testing.TB, change ...func(*httpapi.Config)) *testServer {
	h := &testServer{stubService: &stubService{locations: map[string]*api.Place{}, first: map[string]*api.Response{}}}
	cfg := httpapi.Config{Service: h.stubService, Authenticate: authenticate, Logger: slog.New(slog.NewJSONHandler(&h.log, nil)),
		Processors: 2, // some tests hold two requests
		Ready:      func(context.Context) ([]string, error) { return h.warnings, h.notReady }}
	for _, fn := range change {
		fn(&cfg)
	}
	h.Handler = httpapi.New(cfg)
	return h
}

func authenticate(_ context.Context, key string) (*api.Caller, error) {
	caller := &api.Caller{Organization: organization, Environment: api.Live, KeyID: keyID, KeyLabel: "test",
		Actor: api.Actor{Type: api.APIKey, ID: keyID.String(), Label: "test"}}
	switch key {
	case secret:
		caller.Scopes = append(caller.Scopes, api.Scopes...)
	case readOnly:
		caller.Scopes = []api.Scope{api.InventoryRead}
	default:
		return nil, api.Fail(api.Unauthorized, nil, "This API key is not known.")
	}
	return caller, nil
}

const base = "/v1/organizations/0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e"

const aisleBody = `{"code":"A1","name":"Aisle 1","type":"warehouse"}`

// newRequest returns a request. A header without a value is removed.
func newRequest(method, path, body string, header ...string) *http.Request {
	r := httptest.NewRequest(method, "http://stock.test/", io.Reader(strings.NewReader(body)))
	if body == "" {
		r = httptest.NewRequest(method, "http://stock.test/", nil)
	}
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
	r.Header.Set("Authorization", "Bearer "+secret)
	if method != "GET" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "key-1")
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	return r
}

func (h *testServer) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

type problem struct {
	Code      api.Code       `json:"code"`
	Message   string         `json:"message"`
	RequestID string         `json:"requestId"`
	Details   map[string]any `json:"details"`
}

// problemOf decodes the error of an answer and requires that it is
// well-formed.
func problemOf(t *testing.T, w *httptest.ResponseRecorder) problem {
	t.Helper()
	var body struct {
		Error problem `json:"error"`
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body, json.RejectUnknownMembers(true)), "%s", w.Body)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.NotEmpty(t, body.Error.Message)
	require.Equal(t, w.Header().Get("X-Request-Id"), body.Error.RequestID)
	require.NotEmpty(t, body.Error.RequestID)
	return body.Error
}
