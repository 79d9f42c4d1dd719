package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A key that expires leaves no key behind that lasts longer.
func TestCreateKey_ExpiresWithItsCreator(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	ends := w.Clock.Now().Add(time.Hour)
	short := api.As(w.Ledger, api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: []api.Scope{api.InventoryRead, api.Admin}, ExpiresAt: ends,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}, "")
	create := func(at *time.Time) (api.KeyResult, error) {
		return api.CreateKey.Call(t.Context(), short, api.CreateKeyInput{Label: "child", Scopes: []api.Scope{api.InventoryRead}, ExpiresAt: at})
	}
	made, err := create(nil)
	require.NoError(t, err)
	require.Equal(t, ends, made.Key.ExpiresAt.UTC())
	sooner, later := ends.Add(-time.Minute), ends.Add(time.Minute)
	made, err = create(&sooner)
	require.NoError(t, err)
	require.Equal(t, sooner, made.Key.ExpiresAt.UTC())
	_, err = create(&later)
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
}

// Operations return only the conflicts that they declare.
func TestConflicts_AreDeclared(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	out := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: oats.ID, LocationID: at.ID, RequestedQuantity: new(int64(5))})
	ledgertest.Refused(w, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: out.Outbound.ID, Quantity: new(int64(5))})
	require.Contains(t, api.AllocateOutbound.Conflicts, api.InsufficientStock)

	kit := ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "KIT", Name: "Kit", Components: []api.Component{{ProductID: oats.ID, Quantity: 1}}})
	ledgertest.Do(w, api.ArchiveProduct, api.ProductInput{ProductID: kit.ID})
	ledgertest.Refused(w, api.ProductArchived, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: kit.ID, LocationID: at.ID}, Quantity: 1})
	require.Contains(t, api.AssembleStock.Conflicts, api.ProductArchived)
}
