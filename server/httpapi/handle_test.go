package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

func TestHandle_Errors(t *testing.T) {
	t.Parallel()
	const locations, product = base + "/locations", base + "/products/0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0f"
	foreign := strings.Replace(locations, "0198c5e2", "0198c5e3", 1)
	for name, c := range map[string]struct {
		r      *http.Request
		status int
		code   api.Code
	}{
		"basic":               {newRequest("GET", locations, "", "Authorization: Basic eDp5"), 401, api.Unauthorized},
		"empty key":           {newRequest("GET", locations, "", "Authorization: Bearer  "), 401, api.Unauthorized},
		"no key, foreign":     {newRequest("GET", foreign, "", "Authorization"), 401, api.Unauthorized},
		"no organization":     {newRequest("GET", strings.Replace(locations, organization.String(), "x", 1), ""), 404, api.NotFound},
		"accept q=0":          {newRequest("GET", locations, "", "Accept: application/json;q=0, */*"), 406, api.NotAcceptable},
		"no content type":     {newRequest("POST", locations, aisleBody, "Content-Type"), 415, api.UnsupportedMediaType},
		"charset":             {newRequest("POST", locations, aisleBody, "Content-Type: application/json; charset=latin1"), 415, api.UnsupportedMediaType},
		"compressed":          {newRequest("POST", locations, aisleBody, "Content-Encoding: gzip"), 415, api.UnsupportedMediaType},
		"long key":            {newRequest("POST", locations, aisleBody, "Idempotency-Key: "+strings.Repeat("k", 256)), 400, api.ValidationError},
		"operator":            {newRequest("POST", locations, aisleBody, "X-Operator: "+strings.Repeat("é", 256)), 400, api.ValidationError},
		"operator control":    {newRequest("POST", locations, aisleBody, "X-Operator: a\x1b[31m"), 400, api.ValidationError},
		"approval as text":    {newRequest("POST", locations, aisleBody, "X-Operator: Bob, approved by Eve"), 400, api.ValidationError},
		"approval, no person": {newRequest("POST", locations, aisleBody, "X-Approved-By: Eve"), 400, api.ValidationError},
		"own approval":        {newRequest("POST", locations, aisleBody, "X-Operator: Eve", "X-Approved-By: eve"), 400, api.ValidationError},
		"two approvals":       {newRequest("POST", locations, aisleBody, "X-Operator: Bob, approved by Sue", "X-Approved-By: Eve"), 400, api.ValidationError},
		"approval control":    {newRequest("POST", locations, aisleBody, "X-Operator: Bob", "X-Approved-By: a\x1b[31m"), 400, api.ValidationError},
		"client id":           {newRequest("POST", locations, aisleBody, "Bincard-Client: 17/17"), 400, api.ValidationError},
		"client number":       {newRequest("POST", locations, aisleBody, "Bincard-Client: "+organization.String()), 400, api.ValidationError},
		"client number zero":  {newRequest("POST", locations, aisleBody, "Bincard-Client: "+organization.String()+"/0"), 400, api.ValidationError},
		"device control":      {newRequest("POST", locations, aisleBody, "Bincard-Device: a\x1b[31m"), 400, api.ValidationError},
		"occurred at":         {newRequest("POST", locations, aisleBody, "Bincard-Occurred-At: yesterday"), 400, api.ValidationError},
		"if-match":            {newRequest("POST", locations, aisleBody, "If-Match: 7"), 400, api.ValidationError},
		"no body":             {newRequest("POST", locations, ""), 400, api.InvalidJSON},
		"rules":               {newRequest("POST", locations, "{}"), 400, api.ValidationError},
		"query":               {newRequest("GET", locations+"?limit=0&x=1", ""), 400, api.ValidationError},
		"query escape":        {newRequest("GET", locations+"?limit=%zz", ""), 400, api.ValidationError},
		"bad id":              {newRequest("GET", base+"/products/\xff", ""), 404, api.NotFound},
		"unknown id":          {newRequest("GET", product, ""), 404, api.NotFound},
		"no path":             {newRequest("GET", "/", ""), 404, api.NotFound},
		"no such path":        {newRequest("POST", locations+"/1/2", aisleBody), 404, api.NotFound},
		"trailing slash":      {newRequest("GET", locations+"/", ""), 404, api.NotFound},
		"double slash":        {newRequest("GET", strings.Replace(locations, "/v1", "//v1", 1), ""), 404, api.NotFound},
		"dots":                {newRequest("GET", locations+"/../locations", ""), 404, api.NotFound},
		"method":              {newRequest("DELETE", locations, ""), 405, api.MethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.serve(c.r)
			p := problemOf(t, w)
			require.Equal(t, c.status, w.Code, "%+v", p)
			require.Equal(t, c.code, p.Code)
			if c.status == 401 {
				require.Equal(t, "Bearer", w.Header().Get("WWW-Authenticate"))
			}
			if c.code == api.ValidationError {
				require.NotEmpty(t, p.Details["fields"])
			}
			if name != "unknown id" {
				require.Nil(t, h.request(), "the service was called")
			}
			require.Contains(t, h.log.String(), fmt.Sprintf(`"status":%d`, c.status))
		})
	}
}

func TestHandle_ErrorDetails(t *testing.T) {
	t.Parallel()
	h := open(t)
	p := problemOf(t, h.serve(newRequest("POST", base+"/locations", aisleBody, "Authorization: Bearer "+readOnly)))
	require.Equal(t, "inventory:write", p.Details["requiredScope"])
	w := h.serve(newRequest("DELETE", base+"/locations", ""))
	require.Equal(t, "GET, HEAD, POST", w.Header().Get("Allow"))
	require.Equal(t, "POST", h.serve(newRequest("GET", base+"/stock/adjust", "")).Header().Get("Allow"))
	require.Equal(t, "GET, HEAD", h.serve(newRequest("POST", "/healthz", "")).Header().Get("Allow"))
	one := problemOf(t, h.serve(newRequest("GET", strings.Replace(base, "0198c5e2", "0198c5e3", 1)+"/locations", "")))
	require.Equal(t, []string{"organizationId"}, slices.Collect(maps.Keys(one.Details)), "no details beyond the requested id")
}

func TestHandle_ServiceErrors(t *testing.T) {
	t.Parallel()
	for _, code := range []api.Code{api.InvalidCursor, api.PlanLimitExceeded, api.NotFound, api.InsufficientStock,
		api.VersionConflict, api.IdempotencyKeyReused, api.RateLimited, api.NotImplemented, api.Unavailable} {
		h := open(t)
		h.hook = func(context.Context, *api.Request) (*api.Response, error) {
			return nil, fmt.Errorf("wrapped: %w", api.Fail(code, api.Details{"pending": 3}, "Only 3 are left."))
		}
		w := h.serve(newRequest("POST", base+"/locations", aisleBody))
		p := problemOf(t, w)
		require.Equal(t, code.Status(), w.Code)
		require.Equal(t, code, p.Code)
		require.Equal(t, "Only 3 are left.", p.Message)
		require.EqualValues(t, 3, p.Details["pending"])
		require.Equal(t, w.Code == 429 || w.Code == 503, w.Header().Get("Retry-After") != "")
	}
}

func TestHandle_LogsInternalErrors(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]func(context.Context, *api.Request) (*api.Response, error){
		"error": func(context.Context, *api.Request) (*api.Response, error) {
			return nil, errors.New("disk sda1 is full")
		},
		"panic": func(context.Context, *api.Request) (*api.Response, error) { panic("disk sda1 is full") },
		"answer": func(context.Context, *api.Request) (*api.Response, error) {
			return &api.Response{Output: map[string]any{"a": func() {}}}, nil
		},
		"no error": func(context.Context, *api.Request) (*api.Response, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.hook = hook
			w := h.serve(newRequest("GET", base+"/locations", "", "X-Request-Id: req-7"))
			p := problemOf(t, w)
			require.Equal(t, 500, w.Code)
			require.Equal(t, api.InternalError, p.Code)
			require.NotContains(t, w.Body.String(), "sda1")
			require.Contains(t, h.log.String(), "req-7")
			if name == "error" || name == "panic" {
				require.Contains(t, h.log.String(), "sda1")
			}
			if name == "panic" {
				require.Contains(t, h.log.String(), "handle_test.go")
			}
		})
	}
}

func TestHandle_InvalidDetails(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		return nil, api.Fail(api.InsufficientStock, api.Details{"bad": func() {}}, "Not enough \xff.")
	}
	w := h.serve(newRequest("GET", base+"/locations", ""))
	require.Equal(t, 409, w.Code)
	require.Equal(t, api.InsufficientStock, problemOf(t, w).Code)
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	h := open(t)
	for id, kept := range map[string]bool{"abc-1": true, strings.Repeat("x", 128): true,
		strings.Repeat("x", 129): false, "a b": false, "é": false, "": false} {
		w := h.serve(newRequest("GET", base+"/nothing", "", "X-Request-Id: "+id))
		got := problemOf(t, w).RequestID
		require.Equal(t, kept, got == id, id)
	}
	a, b := h.serve(newRequest("GET", "/healthz", "")), h.serve(newRequest("GET", "/healthz", ""))
	require.NotEqual(t, a.Header().Get("X-Request-Id"), b.Header().Get("X-Request-Id"))
}

func TestHandle_Success(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.serve(newRequest("POST", base+"/locations", aisleBody, "X-Operator: Jörg Müller", "Bincard-Client: "+organization.String()+"/17", "Bincard-Device: Scanner 3", "Bincard-Occurred-At: 2026-03-31T14:00:00.5+02:00", `If-Match: "7"`, "X-Request-Id: r1",
		"Content-Type: application/json; charset=UTF-8", "Accept: text/html, application/*;q=0.5"))
	require.Equal(t, 201, w.Code, w.Body)
	require.Equal(t, fmt.Sprint(w.Body.Len()), w.Header().Get("Content-Length"))
	require.Equal(t, "r1", w.Header().Get("X-Request-Id"))
	require.Equal(t, "key-1", w.Header().Get("Idempotency-Key"))
	require.Empty(t, w.Header().Get("Idempotent-Replayed"))
	got := h.request()
	require.Equal(t, "Jörg Müller", got.Operator)
	require.Equal(t, api.ClientNumber{ID: organization, Number: 17}, api.ClientNumber{ID: got.Client, Number: got.ClientNumber})
	require.Equal(t, "Scanner 3", got.Device)
	require.True(t, got.OccurredAt.Equal(time.Date(2026, 3, 31, 12, 0, 0, 5e8, time.UTC)))
	require.Equal(t, `"7"`, got.IfMatch)
	require.Equal(t, "key-1", got.IdempotencyKey)
	require.Equal(t, "r1", got.RequestID)
	require.Equal(t, keyID, got.Caller.KeyID)
	require.Equal(t, &api.CreateLocationInput{Code: "A1", Name: "Aisle 1", Type: api.Warehouse}, got.Input)

	again := h.serve(newRequest("POST", base+"/locations", aisleBody))
	require.Equal(t, 201, again.Code)
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, w.Body.String(), again.Body.String())

	list := h.serve(newRequest("GET", base+"/locations?limit=10", "", "Idempotency-Key"))
	require.Equal(t, 200, list.Code)
	require.Contains(t, list.Body.String(), `"nextCursor":null`)
	upper := strings.Replace(base, organization.String(), strings.ToUpper(organization.String()), 1)
	require.Equal(t, 200, h.serve(newRequest("GET", upper+"/locations", "")).Code)
}

// An approval has its own header. A text that claims one, as earlier terminals send it, is not
// an approval; a client that also speaks to earlier services repeats its own there.
func TestHandle_ApprovedBy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header               []string
		operator, approvedBy string
	}{
		"header":           {[]string{"X-Operator: Bob", "X-Approved-By: Eve"}, "Bob", "Eve"},
		"header and text":  {[]string{"X-Operator: Bob, approved by Eve", "X-Approved-By: Eve"}, "Bob", "Eve"},
		"earlier terminal": {[]string{"X-Operator: Bob, approved by Eve", "User-Agent: bincard/1.4"}, "Bob, approval not confirmed: Eve", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.serve(newRequest("POST", base+"/locations", aisleBody, c.header...))
			require.Equal(t, 201, w.Code, w.Body)
			require.Equal(t, []string{c.operator, c.approvedBy}, []string{h.request().Operator, h.request().ApprovedBy})
		})
	}
}

func TestHandle_CommittedBy(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		return &api.Response{Output: &api.Place{}, CommittedBy: "upstream"}, nil
	}
	require.Equal(t, "upstream", h.serve(newRequest("POST", base+"/locations", aisleBody)).Header().Get("Bincard-Commit"))
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h := open(t)
	require.JSONEq(t, `{"status":"ok"}`, h.serve(newRequest("GET", "/healthz", "", "Authorization")).Body.String())
	require.Equal(t, 200, h.serve(newRequest("GET", "/readyz", "", "Authorization")).Code)
	h.warnings = []string{"the backup failed"}
	require.JSONEq(t, `{"status":"ready","warnings":["the backup failed"]}`, h.serve(newRequest("GET", "/readyz", "")).Body.String())
	h.notReady = errors.New("the store has stopped")
	w := h.serve(newRequest("GET", "/readyz", ""))
	require.Equal(t, 503, w.Code)
	require.Equal(t, api.Unavailable, problemOf(t, w).Code)
	require.Equal(t, "The service is not ready: the store has stopped.", problemOf(t, w).Message)
	require.Equal(t, "30", w.Header().Get("Retry-After"))
}

// No secret appears in a log or an answer.
func TestHandle_HidesSecrets(t *testing.T) {
	t.Parallel()
	h := open(t)
	for _, key := range []string{secret, secret + "x", "Bearer " + secret} {
		for _, r := range []*http.Request{
			newRequest("POST", base+"/locations", aisleBody, "Authorization: Bearer "+key),
			newRequest("POST", base+"/locations", "{", "Authorization: Bearer "+key),
			newRequest("GET", base+"/nothing", "", "Authorization: Bearer "+key),
			newRequest("GET", base+"/locations", "", "Authorization: "+key),
		} {
			w := h.serve(r)
			require.NotContains(t, w.Body.String(), "0123456789abcdef")
			require.NotContains(t, fmt.Sprint(w.Header()), "0123456789abcdef")
		}
	}
	for _, id := range []string{secret, "job-" + strings.ToUpper(secret), "bc_live_ab12cd34"} {
		w := h.serve(newRequest("GET", base+"/locations", "", "X-Request-Id: "+id))
		require.Regexp(t, "^req_[0-9a-v]{20}$", w.Header().Get("X-Request-Id"), "an id that carries a key is replaced")
		require.NotContains(t, h.log.String(), id)
	}
	h.hook = func(context.Context, *api.Request) (*api.Response, error) { panic("oh") }
	h.serve(newRequest("GET", base+"/locations", ""))
	require.NotContains(t, strings.ToLower(h.log.String()), "0123456789abcdef")
	require.Contains(t, h.log.String(), keyID.String())
}

// Bincard-Insist and Bincard-After have an effect only with AllowAcceptRisk.
func TestHandle_AllowAcceptRisk(t *testing.T) {
	t.Parallel()
	for _, allow := range []bool{true, false} {
		h := open(t, func(c *httpapi.Config) { c.AllowAcceptRisk = allow })
		r := newRequest("POST", base+"/locations", `{"code":"WH-1","name":"Warehouse","type":"warehouse"}`)
		r.Header.Set("Bincard-Insist", "true")
		r.Header.Set("Bincard-After", "receipt-1")
		require.Equal(t, 201, h.serve(r).Code)
		h.mu.Lock()
		got := *h.stubService.last
		h.mu.Unlock()
		require.Equal(t, allow, got.AcceptRisk)
		require.Equal(t, allow, got.After == "receipt-1")
	}
}

// A write that an edge saved at risk is answered 202 with a warning, so that clients do
// not repeat it as failed.
func TestHandle_SavedAtRisk(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		return nil, api.Fail(api.AtRisk, api.Details{"because": "INSUFFICIENT_STOCK"}, "Saved at risk: the service may reject it.")
	}
	w := h.serve(newRequest("POST", base+"/locations", aisleBody, "X-Request-Id: r-1"))
	require.Equal(t, http.StatusAccepted, w.Code)
	require.JSONEq(t, `{"warning":{"code":"AT_RISK","message":"Saved at risk: the service may reject it.","requestId":"r-1",
		"details":{"because":"INSUFFICIENT_STOCK"}}}`, w.Body.String())
}

// A GET takes no body, as the documentation says; an empty object is none.
func TestHandle_BodyOfARead(t *testing.T) {
	t.Parallel()
	h := open(t)
	for body, status := range map[string]int{"": 200, "{}": 200, `{"a":1}`: 400, `{"a":`: 400, "null": 400} {
		require.Equal(t, status, h.serve(newRequest("GET", base+"/locations", body, "Content-Type: application/json")).Code, body)
	}
	w := h.serve(newRequest("GET", base+"/locations", "{}", "Content-Type: text/plain"))
	require.Equal(t, 415, w.Code)
}
