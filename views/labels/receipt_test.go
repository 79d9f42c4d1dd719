package labels_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/tuitest"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/session"
)

func TestOfReceipt_OneLabelForEachPackage(t *testing.T) {
	t.Parallel()
	units := []api.Unit{{UnitCode: "pallet", Factor: 480}, {UnitCode: "box", Factor: 12, Barcodes: []string{"14006381333938"}}}
	oat := count.Item{SKU: "OAT-1L", Units: units}
	lot := func(item count.Item, q int64) label.Label { return labels.OfLot(item, "L1", ends, q, tuitest.Noon) }
	box := label.Label{Kind: label.KindCase, SKU: "OAT-1L", GTIN: "14006381333938", Unit: "box", PerUnit: 12}
	piece := labels.OfProduct(oat, tuitest.Noon)
	plain := count.Item{SKU: "COF-500"}
	nameless := count.Item{SKU: "TEA-1", Units: []api.Unit{{UnitCode: "box", Factor: 6}}}
	camera := count.Item{SKU: "CAM-1"}
	for name, c := range map[string]struct {
		item  count.Item
		count count.Count
		want  []printing.Copies
	}{
		"boxes of a lot":         {oat, count.Count{Quantity: 48, Lot: "L1", ExpiresAt: ends}, []printing.Copies{{Label: lot(oat, 12), Count: 4}}},
		"with a rest":            {oat, count.Count{Quantity: 24, OverReceipt: 2, Lot: "L1", ExpiresAt: ends}, []printing.Copies{{Label: lot(oat, 12), Count: 2}, {Label: lot(oat, 2), Count: 1}}},
		"less than a box":        {oat, count.Count{Quantity: 5, Lot: "L1", ExpiresAt: ends}, []printing.Copies{{Label: lot(oat, 5), Count: 1}}},
		"a lot without packages": {plain, count.Count{Quantity: 48, Lot: "L1", ExpiresAt: ends}, []printing.Copies{{Label: lot(plain, 48), Count: 1}}},
		"boxes without lots":     {oat, count.Count{Quantity: 25}, []printing.Copies{{Label: box, Count: 2}, {Label: piece, Count: 1}}},
		"boxes without a GTIN":   {nameless, count.Count{Quantity: 12}, []printing.Copies{{Label: labels.OfProduct(nameless, tuitest.Noon), Count: 12}}},
		"pieces":                 {plain, count.Count{Quantity: 3}, []printing.Copies{{Label: labels.OfProduct(plain, tuitest.Noon), Count: 3}}},
		"serial numbers": {camera, count.Count{Quantity: 2, Serials: []string{"A", "B"}},
			[]printing.Copies{{Label: labels.OfSerial(camera, "A", "", time.Time{}, tuitest.Noon), Count: 1}, {Label: labels.OfSerial(camera, "B", "", time.Time{}, tuitest.Noon), Count: 1}}},
		"nothing": {oat, count.Count{}, nil},
	} {
		require.Equal(t, c.want, labels.OfReceipt(c.item, c.count, tuitest.Noon), name)
	}
	require.Equal(t, "WH-1", labels.OfLocation(session.Location{Code: "WH-1"}).Location)
}

// A lot that was received before has its date on the new labels too.
func TestAddExpiry_KnowsTheLot(t *testing.T) {
	t.Parallel()
	w := warehouse(t)
	item := count.ItemOf(&w.Oat)
	batch := labels.OfReceipt(item, count.Count{Quantity: 26, Lot: "L42-A"}, tuitest.Noon)
	labels.AddExpiry(t.Context(), w.Site, item, batch)
	require.Len(t, batch, 2)
	require.Equal(t, []time.Time{ends, ends}, []time.Time{batch[0].Label.Expires, batch[1].Label.Expires})
	other := labels.OfReceipt(item, count.Count{Quantity: 2, Lot: "NEW"}, tuitest.Noon)
	labels.AddExpiry(t.Context(), w.Site, item, other)
	require.Zero(t, other[0].Label.Expires)
}

func TestRoute_HasAllValues(t *testing.T) {
	t.Parallel()
	reg := tui.NewRegistry().Add(labels.ReceivedRoute, "", nil).Add(labels.Pattern, "", nil)
	for _, r := range []labels.Request{
		{Kind: label.KindLot, Subject: "A/B 1", Lot: "L&1?", Expires: ends, Quantity: 12, New: true, Now: tuitest.Noon},
		{Kind: label.KindSerial, Subject: "SN-1", SKU: "CAM-1", Now: tuitest.Noon},
		{Kind: label.KindCase, Subject: "OAT-1L", Unit: "box", Now: tuitest.Noon},
	} {
		_, route, err := reg.Find(r.Route())
		require.NoError(t, err)
		require.Equal(t, r, labels.RequestOf(route, tuitest.Noon))
	}
}
