package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/viewtest"
)

// A reference may have lines at several locations. A delivery here opens at once; others show
// where they are expected, and when.
func TestResolve_ReferenceAtSeveralLocations(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixture(t)
	due := s.Clock.Now().Add(48 * time.Hour)
	expect := func(location api.ID, ref string) {
		ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{
			ProductID:  s.Oat.ID,
			LocationID: location,
		},
			ExpectedQuantity: 5, ExpectedAt: &due, Reference: api.Reference{
				ReferenceType: "purchase_order",
				ReferenceID:   ref,
			}})
	}
	expect(s.Main.ID, "PO-77")
	expect(s.Shop.ID, "PO-77")
	expect(s.Shop.ID, "PO-78")
	resolve := func(code string) []session.Destination {
		out, err := s.Site(s.Service).Resolve(t.Context(), count.Label{Codes: []string{code}})
		require.NoError(t, err)
		require.Len(t, out, 1)
		return out
	}
	require.NotContains(t, resolve("PO-77")[0].Label, s.Shop.Code)
	require.Contains(t, resolve("PO-78")[0].Label, s.Shop.Code+"  ")
}
