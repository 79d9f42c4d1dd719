package main

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"
)

// scriptSite starts the service of a site with work in every state before it is synced, and
// sets BINCARD_URL, BINCARD_ORG and BINCARD_KEY to it: site. Nothing syncs the work. Three
// operations of scanner-1 and two of scanner-2 failed. The service recorded other work with
// the key night-0, gave no answer to sent, and does not have unrecorded.
func scriptSite(t *testing.T) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, _ []string) {
		w := ledgertest.Open(t)
		mug, main := w.Product("MUG-W", api.TrackNone), w.Location("WH-1")
		cup, jar := w.Product("CUP-1", api.TrackNone), w.Product("JAR-1", api.TrackNone)
		w.Stock(mug.ID, main.ID, 30)
		proxy := viewtest.NewFaultProxy(w.Service)
		node := viewtest.NewNode(t, w, proxy)
		office := api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes, KeyID: uuid.New(),
			Actor: api.Actor{Type: api.APIKey, ID: "office", Label: "office"}}
		site := edge.New(node.Node, office, api.Access{Organization: w.Org, Environment: api.Live, Scopes: api.Scopes})
		adjust := func(at api.Service, product api.Product, delta int64, options ...api.Option) {
			in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: main.ID},
				InventoryState: api.OnHand, QuantityDelta: delta, Reason: "counted"}
			_, err := api.AdjustStock.Call(t.Context(), at, in, options...)
			require.NoError(t, err)
		}

		node.Disconnect()
		adjust(w.Service, mug, 5, api.Key("night-0"), api.By("Ada"))
		adjust(node, mug, 7, api.Key("night-0"), api.By("Ben"))
		for _, device := range []string{"scanner-1", "scanner-1", "scanner-1", "scanner-2", "scanner-2"} {
			scanner := office
			scanner.KeyID, scanner.KeyLabel = uuid.New(), device
			adjust(api.As(site, scanner, ""), mug, -1)
		}
		adjust(w.Service, mug, -35)
		node.Connect()

		proxy.Fail(api.AdjustStock.Spec, &api.Error{Code: api.Unavailable, Message: "connection reset"}, nil)
		adjust(node, cup, 1, api.Key("unrecorded"))
		for range 20 {
			w.Clock.Advance(4 * time.Minute)
			node.Sync()
		}
		w.Clock.Advance(31 * time.Second)
		adjust(node, jar, 1, api.Key("sent"))
		node.Sync()

		srv := httptest.NewServer(httpapi.New(httpapi.Config{Service: site, Extra: api.NodeOperations(),
			Now: w.Clock.Now, Logger: slog.New(slog.DiscardHandler),
			Authenticate: func(context.Context, string) (*api.Caller, error) { return &office, nil }}))
		ts.Defer(srv.Close)
		ts.Setenv("BINCARD_URL", srv.URL)
		ts.Setenv("BINCARD_ORG", w.Org.ID.String())
		ts.Setenv("BINCARD_KEY", "bc_live_office")
	}
}
