package apiclient_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

func TestDo_EveryOperationRoundTrips(t *testing.T) {
	t.Parallel()
	m := &recorder{res: api.Response{Replayed: true, CommittedBy: "upstream"}}
	c := client(t, service(t, m).URL)
	node, occurred := uuid.New(), time.Date(2026, 3, 31, 12, 0, 0, 5e8, time.UTC)
	for _, spec := range api.Operations() {
		in := filled(t, spec)
		res, err := c.Do(context.Background(), &api.Request{Spec: spec, Input: in, IdempotencyKey: "k-1",
			Operator: "Jörg Müller", ApprovedBy: "Zoë", RequestID: "r-1", IfMatch: `"7"`, Client: node, ClientNumber: 17, Device: "Gerät 3", OccurredAt: occurred})
		require.NoError(t, err, spec.ID)
		want, err := m.Do(context.Background(), m.last)
		require.NoError(t, err)
		require.Equal(t, want, res, spec.ID)
		got := m.last
		require.Same(t, spec, got.Spec)
		require.Equal(t, in, got.Input, spec.ID)
		require.Equal(t, "r-1", got.RequestID)
		if spec.Writes() {
			require.Equal(t, []any{node, int64(17), "Gerät 3", occurred}, []any{got.Client, got.ClientNumber, got.Device, got.OccurredAt})
			require.Equal(t, []string{"k-1", "Jörg Müller", "Zoë", `"7"`}, []string{got.IdempotencyKey, got.Operator, got.ApprovedBy, got.IfMatch})
		}
	}
}

func TestDo_ErrorsRoundTrip(t *testing.T) {
	t.Parallel()
	sent := api.Fail(api.InsufficientStock, api.Details{"available": int64(3), "requested": int64(5), "lots": []any{int64(1), "x", 1.5},
		"fields": []api.FieldProblem{{Path: "quantity", Rule: "maximum", Message: "is too much"}}}, "Only 3 of OAT-1 are there.")
	m := &recorder{err: sent}
	c := client(t, service(t, m).URL)
	e := requireError(t, write(context.Background(), c, func(r *api.Request) { r.RequestID = "r-9" }))
	require.Equal(t, &api.Error{Code: sent.Code, Message: sent.Message, Details: sent.Details, RequestID: "r-9"}, e)

	m.err = errors.New("disk full")
	e = requireError(t, write(context.Background(), c))
	require.Equal(t, api.InternalError, e.Code)
	require.True(t, strings.HasPrefix(e.RequestID, "req_"), e.RequestID)

	e = requireError(t, write(context.Background(), client(t, service(t, m).URL, func(c *apiclient.Config) { c.Key = "bc_live_" + canary })))
	require.Equal(t, api.Unauthorized, e.Code)
}

// Work that an edge saved at risk is saved: its status is a success, with a warning.
func TestDo_SavedAtRisk(t *testing.T) {
	t.Parallel()
	sent := api.Fail(api.AtRisk, api.Details{"because": "INSUFFICIENT_STOCK"}, "Saved at risk: the service may reject it.")
	c := client(t, service(t, &recorder{err: sent}).URL)
	e := requireError(t, write(context.Background(), c, func(r *api.Request) { r.RequestID = "r-9" }))
	require.Equal(t, &api.Error{Code: sent.Code, Message: sent.Message, Details: sent.Details, RequestID: "r-9"}, e)

	for _, body := range []string{`{}`, `{"warning":{"code":"OTHER"}}`, `{"error":{"code":"AT_RISK","message":"m"}}`} {
		e = requireError(t, write(context.Background(), client(t, answerServer(t, 202, "application/json", body).URL)))
		require.Equal(t, apiclient.Unknown, e.Details["outcome"], "this says nothing about the write: %s", body)
	}
}

func TestDo_ForeignErrors(t *testing.T) {
	t.Parallel()
	for _, status := range []int{304, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 421, 422, 429, 451, 499, 500, 501, 502, 503, 504, 511, 520, 527} {
		for _, body := range []string{"", "<html>\x1b[31mno", `{"message":"no"}`, `{"error":"no"}`, `{"error":{"code":""}}`, `{"error":{"code":404,"message":"no"}}`, "[]"} {
			if status == 304 {
				body = ""
			}
			c := client(t, answerServer(t, status, "text/html", body).URL)
			for _, err := range []error{write(context.Background(), c), read(context.Background(), c)} {
				e := requireUnavailable(t, err, apiclient.Unknown)
				require.NotContains(t, e.Message, "\x1b")
				require.Contains(t, e.Message, "is not from the service")
				require.Equal(t, status, api.ForeignAnswerOf(err).Status, body)
			}
		}
	}
	require.Equal(t, "Login", api.ForeignAnswerOf(write(context.Background(), client(t, answerServer(t, 401, "text/html", "Login").URL))).Text)
	e := requireError(t, write(context.Background(), client(t, answerServer(t, 409, "application/json",
		`{"error":{"code":"NEW_ONE","message":"m","requestId":"theirs","details":{"a":1.0,"b":null},"more":1},"more":2}`).URL)))
	require.Equal(t, &api.Error{Code: "NEW_ONE", Message: "m", RequestID: "theirs", Details: api.Details{"a": int64(1), "b": nil}}, e)
}

// A gateway may give up on a request in the service's own error format.
func TestDo_ErrorLeavesOutcomeOpen(t *testing.T) {
	t.Parallel()
	for status, outcome := range map[int]any{408: apiclient.Unknown, 499: apiclient.Unknown, 502: apiclient.Unknown, 504: apiclient.Unknown,
		522: apiclient.Unknown, 404: nil, 409: nil, 501: nil} {
		e := requireError(t, write(context.Background(), client(t, answerServer(t, status, "application/json", `{"error":{"code":"TIMED_OUT","message":"m"}}`).URL)))
		require.Equal(t, outcome, e.Details["outcome"], status)
		require.Nil(t, api.ForeignAnswerOf(e))
	}
}

// Other implementations of the interface may encode numbers, nulls and members
// differently.
func TestDo_LenientDecoding(t *testing.T) {
	t.Parallel()
	row := fmt.Sprintf(`{"id":%[1]q,"productId":%[1]q,"productName":"Oat","onHand":5.0,"available":5e0,"reserved":null,"updatedAt":"2026-03-31T14:00:00+02:00","new":{"a":1,"a":2}}`, org)
	c := client(t, answerServer(t, 200, "application/json; charset=utf-8", `{"items":[`+row+`],"total":1}`).URL)
	page, err := api.ReportSnapshot.Call(context.Background(), c, api.ReportSnapshotInput{})
	require.NoError(t, err)
	require.Nil(t, page.NextCursor)
	require.EqualValues(t, 5, page.Items[0].OnHand)
	require.EqualValues(t, 5, page.Items[0].Available)
	require.Zero(t, page.Items[0].Reserved)
	require.Equal(t, org, page.Items[0].ID.String())

	product := fmt.Sprintf(`{"id":%[1]q,"organizationId":%[1]q,"environment":"live","sku":"s","name":"n","barcodes":null,"baseUnitCode":"","units":[],"tracking":"none","components":[],"status":"active","metadata":null,"reorderPoint":null,"createdAt":"2026-03-31T14:00:00Z","updatedAt":"2026-03-31T14:00:00Z"}`, org)
	p, err := api.GetProduct.Call(context.Background(), client(t, answerServer(t, 200, "application/json", product).URL), api.ProductInput{ProductID: api.ID{1}})
	require.NoError(t, err)
	require.Equal(t, jsontext.Value(nil), p.Metadata)
	require.Nil(t, p.ReorderPoint)
}

func TestNew_ConfigErrors(t *testing.T) {
	t.Parallel()
	good := apiclient.Config{URL: "https://stock.example.com/bincard/", Key: secret, Organization: org}
	_, err := apiclient.New(good)
	require.NoError(t, err)
	for want, change := range map[string]func(*apiclient.Config){
		"BINCARD_URL to its":        func(c *apiclient.Config) { c.URL = " " },
		"BINCARD_URL must":          func(c *apiclient.Config) { c.URL = "stock.example.com" },
		"BINCARD_URL must not have": func(c *apiclient.Config) { c.URL = "https://me:" + canary + "@stock.example.com" },
		"BINCARD_KEY to":            func(c *apiclient.Config) { c.Key = "" },
		"BINCARD_KEY has":           func(c *apiclient.Config) { c.Key = canary + "\r\nX: y" },
		"BINCARD_ORG to":            func(c *apiclient.Config) { c.Organization = "" },
		"BINCARD_ORG is not":        func(c *apiclient.Config) { c.Organization = "../x" },
	} {
		cfg := good
		change(&cfg)
		_, err := apiclient.New(cfg)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), canary)
	}
}

func TestNew_PlainHTTP(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://localhost:8080", "http://LOCALHOST", "http://127.0.0.1:8080", "http://127.8.0.1", "http://[::1]:8080", "https://10.0.0.5"} {
		_, err := apiclient.New(apiclient.Config{URL: url, Key: secret, Organization: org})
		require.NoError(t, err, url)
	}
	for _, url := range []string{"http://stock.example.com", "HTTP://10.0.0.5:8080", "http://[fe80::1]", "http://0.0.0.0:8080", "http://localhost.example.com", "http://127.0.0.1.example.com"} {
		cfg := apiclient.Config{URL: url, Key: secret, Organization: org}
		_, err := apiclient.New(cfg)
		var plain *apiclient.PlainError
		require.ErrorAs(t, err, &plain, url)
		require.Equal(t, url, plain.URL)
		require.ErrorContains(t, err, "--allow-plain")
		require.NotContains(t, err.Error(), canary)
		cfg.AllowPlain = true
		_, err = apiclient.New(cfg)
		require.NoError(t, err, url)
	}
}

func TestConfig_NeverPrintsTheKey(t *testing.T) {
	t.Parallel()
	cfg := apiclient.Config{URL: "https://stock.example.com", Key: secret, Organization: org}
	c := client(t, cfg.URL)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "cfg", cfg, "client", c)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "cfg", cfg, "client", c)
	for _, v := range []any{cfg, &cfg, c, *c} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&log, format, v)
		}
	}
	require.NotContains(t, log.String(), canary)
	require.Contains(t, log.String(), "bc_live_ab12cd34…")
	require.Equal(t, "…", apiclient.Mask("hunter2"))
	require.Equal(t, "…", apiclient.Mask("bc_live_short"))
}

func TestDo_RejectsInvalidHeaders(t *testing.T) {
	t.Parallel()
	m := &recorder{}
	c := client(t, service(t, m).URL)
	for _, opt := range []api.Option{api.Key("a\nb"), api.By("x\r\nAuthorization: y"), func(r *api.Request) { r.IfMatch = "\n" }} {
		require.Equal(t, api.ValidationError, requireError(t, write(context.Background(), c, opt)).Code)
	}
	require.Nil(t, m.last)
}

// TestDo_RejectsAnswerToAnotherWrite delivers the service's answers to other writes, as a
// cache or a proxy may. They do not say whether this request was performed.
func TestDo_RejectsAnswerToAnotherWrite(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "mine", "other"} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if key != "" {
				w.Header().Set("Idempotency-Key", key)
			}
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":{"code":"NOT_FOUND","message":"No reservation."}}`))
		}))
		t.Cleanup(srv.Close)
		_, err := api.CommitReservation.Call(t.Context(), client(t, srv.URL), api.ReservationInput{ReservationID: uuid.New()}, api.Key("mine"))
		require.Equal(t, key != "other", api.HasCode(err, api.NotFound), "%q: %v", key, err)
		require.Equal(t, key == "other", api.ForeignAnswerOf(err) != nil, "%q: %v", key, err)
	}
}
