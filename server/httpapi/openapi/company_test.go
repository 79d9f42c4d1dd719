package openapi_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A company performs every operation on a real ledger, with the bodies that
// the document shows, and keeps what it was answered.
type company struct {
	*testing.T
	svc     api.Service
	now     time.Time
	org     api.Organization
	ids     names             // what the examples' ids stand for
	answers map[string]answer // by the operation
	made    int
}

// An answer is what the service said, and the ids that stood for others than
// the company's own.
type answer struct {
	text   string
	others names
}

// names are ids by the names of fields, like productId.
type names map[string]api.ID

// queries are those of the reads that would show too much or nothing without.
var queries = map[string]string{"lookup": "code=OAT-1L", "listChanges": "after=0&limit=1", "explainBalance": "limit=2", "traceLot": "limit=2",
	"getSerialHistory": "limit=2", "listInbounds": "status=received&limit=1"}

func newCompany(t *testing.T) *company {
	c := &company{T: t, now: time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC), answers: map[string]answer{}}
	// Ids that are made by chance are the same each time, and so is their order.
	uuid.SetRand(rand.NewChaCha8([32]byte{}))
	t.Cleanup(func() { uuid.SetRand(nil) })
	l := ledger.New(store.NewMemory(), ledger.Options{Now: func() time.Time { return c.now }})
	t.Cleanup(l.Close)
	var err error
	c.org, err = l.CreateOrganization(t.Context(), "Harbour Goods")
	require.NoError(t, err)
	c.svc = api.As(l, api.Caller{Organization: c.org.ID, Environment: api.Live, Scopes: append([]api.Scope{api.Admin}, api.Scopes...),
		KeyID: uuid.MustParse(openapi.ExampleID("callerId")),
		Actor: api.Actor{Type: api.APIKey, ID: openapi.ExampleID("callerId"), Label: "ERP"}}, "Ada")
	c.ids = names{"organizationId": c.org.ID, "ownerId": c.org.DefaultOwnerID, "channelId": c.org.DefaultChannelID}
	return c
}

// do performs an operation that only prepares.
func do[I, O any](c *company, op api.Operation[I, O], in I) O {
	c.Helper()
	c.advance()
	out, err := op.Call(context.Background(), c.svc, in, api.Key(fmt.Sprintf("prepare-%d", c.made)))
	require.NoError(c, err, op.ID)
	return out
}

func (c *company) advance() {
	c.made++
	c.now = c.now.Add(time.Minute)
}

// show performs an operation as the document asks for it and keeps the answer.
// Other ids than the company's own are named in others.
func show[I, O any](c *company, op api.Operation[I, O], others names) *O {
	c.Helper()
	c.advance()
	ids := c.ids.with(others)
	spec, body := op.Spec, []byte(nil)
	if openapi.HasBody(spec) {
		body = []byte(ids.ledgerIDs(string(openapi.JSON(openapi.Example(spec)))))
	}
	query, err := url.ParseQuery(queries[spec.ID])
	require.NoError(c, err)
	if listed(spec) && query.Get("limit") == "" {
		query.Set("limit", "1")
	}
	in, err := spec.Decode(func(name string) string { return ids[name].String() }, query, body)
	require.NoError(c, err, "%s %s", spec.ID, body)
	res, err := c.svc.Do(context.Background(), &api.Request{Spec: spec, Input: in, IdempotencyKey: "example-" + spec.ID})
	require.NoError(c, err, spec.ID)
	text, err := json.Marshal(res.Output, json.Deterministic(true))
	require.NoError(c, err)
	c.answers[spec.ID] = answer{string(text), others}
	return res.Output.(*O)
}

// listed tells whether an operation answers a page.
func listed(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Limit")
	return ok && f.Tag.Get("query") == "limit"
}

// with are the names with others in the place of those of the same name.
func (n names) with(others names) names {
	out := maps.Clone(n)
	maps.Copy(out, others)
	return out
}

// ledgerIDs puts the ids of the ledger in the place of the document's.
func (n names) ledgerIDs(text string) string {
	for name, id := range n {
		text = strings.ReplaceAll(text, openapi.ExampleID(name), id.String())
	}
	return text
}

var (
	anyID   = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	anyKey  = regexp.MustCompile(`bc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]+`)
	anyHint = regexp.MustCompile(`bc_live_[0-9A-Za-z]{8}…`)
)

// documentIDs puts the ids of the document in the place of the ledger's; those that
// it has no name for are counted. A secret is only hinted at.
func (n names) documentIDs(text string) string {
	by, other := map[string]string{}, 0
	for name, id := range n {
		if id != (api.ID{}) && (by[id.String()] == "" || by[id.String()] > openapi.ExampleID(name)) {
			by[id.String()] = openapi.ExampleID(name)
		}
	}
	text = anyID.ReplaceAllStringFunc(text, func(id string) string {
		if id == openapi.ExampleID("callerId") || id == uuid.Nil.String() {
			return id
		}
		if by[id] == "" {
			other++
			by[id] = openapi.ExampleID(fmt.Sprintf("other %d", other))
		}
		return by[id]
	})
	return anyHint.ReplaceAllString(anyKey.ReplaceAllString(text, "bc_live_ab12cd34_…"), "bc_live_ab12cd34…")
}

// The answers of the document are what the service answers to its requests.
// It runs alone, because the company decides what is made by chance.
func TestAnswersAreWhatTheServiceAnswers(t *testing.T) {
	c := newCompany(t)
	c.runAll()
	var out strings.Builder
	for i, spec := range api.Operations() {
		got, ok := c.answers[spec.ID]
		require.True(t, ok, "the company never does %s", spec.ID)
		ids := c.ids.with(got.others)
		if strings.Contains(spec.ID, "Transfer") {
			delete(ids, "locationId") // which is the source
		} else {
			delete(ids, "sourceLocationId")
		}
		out.WriteString([]string{"{", ","}[min(i, 1)] + `"` + spec.ID + `":` + ids.documentIDs(got.text))
	}
	text := jsontext.Value(out.String() + "}")
	require.NoError(t, text.Indent(jsontext.WithIndent(" ")))
	if *update {
		require.NoError(t, os.WriteFile("answers.json", append(text, '\n'), 0o644))
	}
	want, err := os.ReadFile("answers.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(text)+"\n", "go test ./server/httpapi/openapi -update writes it anew")
}
