package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/count"
	"bincard/views/viewtest"
)

// A reference may have lines at several locations. A delivery here opens at once; others show
// their lines, where they are expected, and when.
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
	expect(s.Shop.ID, "PO-78")
	require.Equal(t, []string{"Receive PO-77  OAT-1L"}, labels(t, s, "PO-77"))
	elsewhere := labels(t, s, "PO-78")
	require.Len(t, elsewhere, 1)
	require.Regexp(t, `^Receive PO-78  OAT-1L \+1  ST-2  \S`, elsewhere[0], "and the day")
}

// labels returns the labels of where a code leads at the main warehouse.
func labels(t *testing.T, s *viewtest.Fixture, code string) (out []string) {
	t.Helper()
	found, err := s.Site(s.Service).Resolve(t.Context(), count.Label{Codes: []string{code}})
	require.NoError(t, err)
	for _, x := range found {
		out = append(out, x.Label)
	}
	return out
}

// Transfers of one reference may have several ways.
func TestResolve_TransfersOfSeveralWays(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixture(t)
	other := ledgertest.Do(s.World, api.CreateLocation, api.CreateLocationInput{Code: "WH-3", Name: "Depot", Type: api.Warehouse})
	plan := func(ref string, from, to api.Place) {
		s.Clock.Advance(time.Millisecond)
		ledgertest.Do(s.World, api.CreateTransfer, api.CreateTransferInput{ProductID: s.Oat.ID, Quantity: 5,
			SourceLocationID: from.ID, DestinationLocationID: to.ID,
			Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: ref}})
	}
	plan("TR-1", s.Main, s.Shop)
	plan("TR-1", s.Shop, other)
	plan("TR-2", s.Main, s.Shop)
	plan("TR-2", s.Main, other)
	plan("TR-2", s.Main, other)
	require.Equal(t, []string{"Ship TR-1  OAT-1L  WH-1 → ST-2"}, labels(t, s, "TR-1"))
	require.ElementsMatch(t, []string{"Ship TR-2  OAT-1L  WH-1 → ST-2", "Ship TR-2  OAT-1L +1  WH-1 → WH-3"}, labels(t, s, "TR-2"))
}
