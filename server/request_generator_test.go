package server_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"bincard/server/api"
)

// A requestGenerator generates requests from the schemas of the document. About half of
// them have faults.
type requestGenerator struct {
	*rand.Rand
	r *requestRun
	// faulty is whether values may break their rules, and optional the share of optional
	// members, in percent.
	faulty   bool
	optional int
	goodKey  bool
	op       documentedOperation
	recent   []string // idempotency keys
	// next is the operation to perform now with the documents in ids, empty for any.
	next string
	ids  map[string]any
}

// followUps are the operations that only rarely succeed if another did not just before.
var followUps = map[string]string{"createOutbound": "pickOutbound", "pickOutbound": "packOutbound unpickOutbound", "packOutbound": "shipOutbound",
	"createTransfer": "shipTransfer", "shipTransfer": "receiveTransfer", "createReservation": "commitReservation",
	"commitReservation": "releaseReservation", "assembleStock": "disassembleStock", "linkBarcode": "unlinkBarcode"}

// follow lets the next request go on with what this one did, at times.
func (g *requestGenerator) follow(op documentedOperation, answer any) {
	m, _ := answer.(map[string]any)
	g.next, g.ids = "", map[string]any{}
	if next := strings.Fields(followUps[op.id]); len(next) > 0 {
		g.next = next[g.IntN(len(next))]
	}
	for name, v := range m {
		if x, ok := v.(map[string]any); ok {
			g.ids[name+"Id"] = x["id"]
		}
	}
	if g.IntN(3) == 0 {
		g.next = ""
	}
}

// operation returns the operation of the next request. Archiving a product is rare, because
// it ends what other requests can do.
func (g *requestGenerator) operation() documentedOperation {
	if i := slices.IndexFunc(g.r.operations, func(op documentedOperation) bool { return op.id == g.next }); i >= 0 {
		return g.r.operations[i]
	}
	for {
		op := g.r.operations[g.IntN(len(g.r.operations))]
		if op.id != "archiveProduct" || g.IntN(15) == 0 {
			return op
		}
	}
}

// begin begins a request.
func (g *requestGenerator) begin(op documentedOperation) {
	g.op, g.faulty = op, g.IntN(3) == 0 && g.next == ""
	g.optional = []int{0, 0, 10, 50}[g.IntN(4)]
}

// rarely is true for one in 40 requests, if the request may have faults.
func (g *requestGenerator) rarely() bool { return g.faulty && g.IntN(13) == 0 }

// includes reports whether to send a member or a parameter.
func (g *requestGenerator) includes(required bool) bool {
	return required && !(g.faulty && g.IntN(25) == 0) || !required && g.IntN(100) < g.optional
}

// stock returns ids that belong together, for most requests.
func (g *requestGenerator) stock() map[string]any {
	g.r.mu.Lock()
	defer g.r.mu.Unlock()
	if g.next != "" {
		return g.ids
	}
	if len(g.r.stocks) == 0 || g.IntN(4) == 0 {
		return nil
	}
	m := g.r.stocks[g.IntN(len(g.r.stocks))]
	out := map[string]any{}
	for _, name := range []string{"productId", "locationId", "ownerId", "channelId", "lotId"} {
		out[name] = m[name]
	}
	out["sourceLocationId"] = m["locationId"]
	return out
}

func (g *requestGenerator) organization() string {
	if g.rarely() {
		return []string{uuid.NewString(), "x", g.r.s.orgs[1].ID.String()}[g.IntN(3)]
	}
	return g.r.s.orgs[0].ID.String()
}

// headers adds the headers of every request.
func (g *requestGenerator) headers(op documentedOperation, h http.Header, hasBody bool) {
	g.r.mu.Lock()
	key := g.r.keys[0]
	g.goodKey = true
	if g.rarely() {
		key = g.r.keys[g.IntN(len(g.r.keys))]
	}
	g.r.mu.Unlock()
	if g.rarely() && g.IntN(5) == 0 { // the service delays the answers to many wrong keys
		key, g.goodKey = []string{"", "x", key[:len(key)-1], key + "x"}[g.IntN(4)], false
	}
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	if hasBody {
		h.Set("Content-Type", "application/json")
		if g.rarely() {
			h.Set("Content-Type", []string{"text/plain", "application/xml", "x", "application/json; charset=latin1"}[g.IntN(4)])
		}
	}
	if g.rarely() {
		h.Set("Accept", []string{"text/html", "application/*", "x", "application/json;q=0"}[g.IntN(4)])
	}
	if op.method == "GET" || g.rarely() {
		return
	}
	id := api.NewKey()
	switch {
	case g.rarely():
		id = []string{strings.Repeat("k", 256), "a b", "é"}[g.IntN(3)]
	case len(g.recent) > 0 && g.IntN(15) == 0:
		id = g.recent[g.IntN(len(g.recent))]
	}
	g.recent = keepLast(g.recent, id, 20)
	h.Set("Idempotency-Key", id)
}
