package names_test

import (
	"testing"

	"bincard/views/names"

	"github.com/stretchr/testify/require"
)

func TestDraft_HasNoRoutes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ route, saved, full, short string }{
		{"receive/0199", "Wareneingang › PO-1", "Receive › PO-1", "PO-1"},
		{"receive-transfer/0199", "Receive TR › TR-1", "Receive TR › TR-1", "TR-1"},
		{"count/WH-1", "", "Count › WH-1", "Count › WH-1"},
		{"adjust/OAT-1L@WH-1", "Korrigieren › OAT-1L@WH-1", "Adjust › OAT-1L@WH-1", "Adjust › OAT-1L@WH-1"},
		{"adjust", "Adjust", "Adjust", "Adjust"},
		{"receive/new", "", "Add a delivery", "Add a delivery"},
		{"receive/new?sku=ZED-1", "", "Add a delivery › ZED-1", "Add a delivery › ZED-1"},
		{"receive/new", "Wareneingang › neue Lieferung  ZED-1", "Add a delivery › ZED-1", "Add a delivery › ZED-1"},
		{"products/new", "Artikel Tea green", "Create a product › Tea green", "Create a product › Tea green"},
		{"locations/new", "location", "Create a location", "Create a location"},
		{"reservations/new", "", "Reserve stock", "Reserve stock"},
		{"elsewhere/1", "", "elsewhere/1", "elsewhere/1"},
	} {
		require.Equal(t, c.full, names.Draft(nil, c.route, c.saved), c.route)
		require.Equal(t, c.short, names.DraftShort(nil, c.route, c.saved), c.route)
	}
}
