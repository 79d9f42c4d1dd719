package gen_test

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
	"bincard/server/httpapi/openapi/gen"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A company performs every operation on a real ledger with the document's examples and
// records the responses.
type company struct {
	*testing.T
	svc     api.Service
	now     time.Time
	org     api.Organization
	ids     names             // the ledger's ids for the examples' ids
	answers map[string]answer // by operation
	made    int
}

// An answer is a response of the ledger, and the ids that the operation used instead of
// the company's.
type answer struct {
	text   string
	others names
}

// names are ids by field name, like productId.
type names map[string]api.ID

// queries are the queries of reads that need one for a useful example.
var queries = map[string]string{"lookup": "code=OAT-1L", "listChanges": "after=0&limit=1", "explainBalance": "limit=2", "traceLot": "limit=2",
	"listPickableStock": "productId=" + gen.ExampleID("productId") + "&locationId=" + gen.ExampleID("locationId"),
	"listNextCounts":    "locationId=" + gen.ExampleID("locationId"),
	"getPlate":          "sscc=309521000000000002",
	"getSerialHistory":  "limit=2", "listInbounds": "status=received&limit=1",
	"listPresence": "terminal=dock-2"}

func newCompany(t *testing.T) *company {
	c := &company{T: t, now: time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC), answers: map[string]answer{}}
	// Random ids, and their order, are the same in each run.
	uuid.SetRand(rand.NewChaCha8([32]byte{}))
	t.Cleanup(func() { uuid.SetRand(nil) })
	l := ledger.New(store.NewMemory(), ledger.Options{Now: func() time.Time { return c.now }})
	t.Cleanup(l.Close)
	var err error
	c.org, err = l.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	c.svc = api.As(l, api.Caller{Organization: c.org.ID, Environment: api.Live, Scopes: append([]api.Scope{api.Admin}, api.Scopes...),
		KeyID: uuid.MustParse(gen.ExampleID("callerId")),
		Actor: api.Actor{Type: api.APIKey, ID: gen.ExampleID("callerId"), Label: "ERP"}}, "Ada")
	c.ids = names{"organizationId": c.org.ID, "ownerId": c.org.DefaultOwnerID, "channelId": c.org.DefaultChannelID}
	return c
}

// do performs a preparatory operation.
func do[I, O any](c *company, op api.Operation[I, O], in I) O {
	c.Helper()
	c.advance()
	out, err := op.Call(context.Background(), c.svc, in, api.Key(fmt.Sprintf("prepare-%d", c.made)))
	require.NoError(c, err, op.Spec.ID)
	return out
}

func (c *company) advance() {
	c.made++
	c.now = c.now.Add(time.Minute)
}

// show performs an operation with the document's example and records the response.
// others replaces ids of the company.
func show[I, O any](c *company, op api.Operation[I, O], others names) *O {
	c.Helper()
	c.advance()
	ids := c.ids.with(others)
	spec, body := op.Spec, []byte(nil)
	if gen.HasBody(spec) {
		body = []byte(ids.ledgerIDs(string(gen.JSON(gen.Example(spec)))))
	}
	query, err := url.ParseQuery(ids.ledgerIDs(queries[spec.ID]))
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

// listed reports whether an operation returns a page.
func listed(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Limit")
	return ok && f.Tag.Get("query") == "limit"
}

// with returns the names with others replaced or added.
func (n names) with(others names) names {
	out := maps.Clone(n)
	maps.Copy(out, others)
	return out
}

// ledgerIDs replaces the document's ids with the ledger's.
func (n names) ledgerIDs(text string) string {
	for name, id := range n {
		text = strings.ReplaceAll(text, gen.ExampleID(name), id.String())
	}
	return text
}

var (
	anyID   = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	anyKey  = regexp.MustCompile(`bc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]+`)
	anyHash = regexp.MustCompile(`"[0-9a-f]{48}"`)
	anyHint = regexp.MustCompile(`bc_live_[0-9A-Za-z]{8}…`)
)

// documentIDs replaces the ledger's ids with the document's, numbers ids without a name
// and masks secrets, and hashes, which depend on them.
func (n names) documentIDs(text string) string {
	known, unnamed := map[string]string{}, 0
	for name, id := range n {
		if id != (api.ID{}) && (known[id.String()] == "" || known[id.String()] > gen.ExampleID(name)) {
			known[id.String()] = gen.ExampleID(name)
		}
	}
	text = anyID.ReplaceAllStringFunc(text, func(id string) string {
		if id == gen.ExampleID("callerId") || id == uuid.Nil.String() {
			return id
		}
		if known[id] == "" {
			unnamed++
			known[id] = gen.ExampleID(fmt.Sprintf("other %d", unnamed))
		}
		return known[id]
	})
	text = anyHash.ReplaceAllString(text, `"5c21e72c1c939d11f7ddd21dc602e274d2c63cb4a85c28ec"`)
	return anyHint.ReplaceAllString(anyKey.ReplaceAllString(text, "bc_live_ab12cd34_…"), "bc_live_ab12cd34…")
}

// TestAnswers_AreReal does not run in parallel because it replaces the source of random
// ids.
func TestAnswers_AreReal(t *testing.T) {
	c := newCompany(t)
	c.runAll()
	var out strings.Builder
	for i, spec := range api.Operations() {
		got, ok := c.answers[spec.ID]
		require.True(t, ok, "the company never performs %s", spec.ID)
		ids := c.ids.with(got.others)
		if strings.Contains(spec.ID, "Transfer") {
			delete(ids, "locationId") // an alias of sourceLocationId
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
	require.Equal(t, string(want), string(text)+"\n", "go test ./server/httpapi/openapi/gen -update updates it")
}
