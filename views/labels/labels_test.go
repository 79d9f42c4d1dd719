package labels_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/scan"
	"bincard/tui/tuitest"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/viewtest"
)

var ends = time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)

// warehouse returns a warehouse with stock of lots and serial numbers.
func warehouse(t *testing.T) *viewtest.Warehouse {
	t.Helper()
	w := viewtest.NewWarehouse(t)
	for _, in := range []struct {
		product  api.Product
		quantity int64
		more     api.ReceiveInboundInput
	}{
		{w.Oat, 24, api.ReceiveInboundInput{NewLot: api.NewLot{LotCode: "L42-A", ExpiresAt: &ends}}},
		{w.Soy, 24, api.ReceiveInboundInput{NewLot: api.NewLot{LotCode: "L42-A"}}},
		{w.Camera, 1, api.ReceiveInboundInput{Serials: []api.SerialInput{{SerialNumber: "CAM-0001"}}}},
	} {
		in.more.InboundID, in.more.Quantity = w.Inbound("PO-"+in.product.SKU, in.product, in.quantity, time.Hour).ID, in.quantity
		ledgertest.Do(w.World, api.ReceiveInbound, in.more)
	}
	return w
}

// scanned returns what the scanner reads from the main barcode of a label.
func scanned(t *testing.T, l label.Label) count.Label {
	t.Helper()
	codes, err := label.Encode(l, tuitest.Noon)
	require.NoError(t, err)
	raw := "]d1" + codes.Main.Plain
	if codes.Main.IsGS1() {
		raw = "]d2" + codes.Main.ElementString()
	}
	return count.ParseLabel(nil, scan.Parse(raw, tuitest.Noon))
}

// What is printed is found again when it is scanned, with or without a GTIN.
func TestMake_ScansBack(t *testing.T) {
	t.Parallel()
	w := warehouse(t)
	made := func(r labels.Request) label.Label {
		t.Helper()
		r.Now = tuitest.Noon
		l, err := labels.Make(t.Context(), w.Site, r)
		require.NoError(t, err)
		return l
	}
	for _, c := range []struct {
		request labels.Request
		item    api.Product
		want    count.Label
	}{
		{labels.Request{Kind: label.KindLot, Subject: "OAT-1L", Lot: "L42-A", Quantity: 24}, w.Oat, count.Label{Lot: "L42-A", ExpiresAt: ends, Quantity: 24, HasQuantity: true}},
		{labels.Request{Kind: label.KindLot, Subject: w.OatUnit, Lot: "l42-a"}, w.Oat, count.Label{Lot: "L42-A", ExpiresAt: ends}},
		{labels.Request{Kind: label.KindLot, Subject: "SOY-1L", Lot: "L42-A", Quantity: 24}, w.Soy, count.Label{Lot: "L42-A", Quantity: 24, HasQuantity: true}},
		{labels.Request{Kind: label.KindLot, Subject: "SOY-1L", Lot: "L99", Expires: ends, New: true}, w.Soy, count.Label{Lot: "L99", ExpiresAt: ends}},
		{labels.Request{Kind: label.KindSerial, Subject: "CAM-0001"}, w.Camera, count.Label{Serial: "CAM-0001"}},
		{labels.Request{Kind: label.KindSerial, Subject: "CAM-0002", SKU: "CAM-1", New: true}, w.Camera, count.Label{Serial: "CAM-0002"}},
		{labels.Request{Kind: label.KindProduct, Subject: "COF-500"}, w.Coffee, count.Label{}},
		{labels.Request{Kind: label.KindProduct, Subject: "OAT-1L"}, w.Oat, count.Label{}},
		{labels.Request{Kind: label.KindCase, Subject: "OAT-1L", Lot: "L42-A"}, w.Oat, count.Label{Lot: "L42-A", ExpiresAt: ends}},
		// A damaged label is scanned to print it again.
		{labels.Request{Kind: label.KindLot, Subject: "]d201" + w.OatBox + "172703313024\x1d10L42-A"}, w.Oat, count.Label{Lot: "L42-A", ExpiresAt: ends, Quantity: 24, HasQuantity: true}},
		{labels.Request{Kind: label.KindSerial, Subject: "]d2240CAM-1\x1d21CAM-0001"}, w.Camera, count.Label{Serial: "CAM-0001"}},
	} {
		l := made(c.request)
		got := scanned(t, l)
		item, err := w.Site.FindItem(t.Context(), got)
		require.NoError(t, err)
		require.Equal(t, c.item.ID, item.ID)
		got.Scan, got.Codes = scan.Scan{}, nil
		require.Equal(t, c.want, got, l)
	}
	box := made(labels.Request{Kind: label.KindCase, Subject: "OAT-1L"})
	require.Equal(t, label.Label{Kind: label.KindCase, SKU: "OAT-1L", Name: "Oat milk 1 l", GTIN: w.OatBox, Unit: "box", PerUnit: 12}, box)
	item := count.ItemOf(&w.Oat)
	unit, factor, ok := item.MatchCode(nil, scanned(t, box).Codes...)
	require.True(t, ok)
	require.Equal(t, "box", unit)
	require.Equal(t, int64(12), factor)
	require.Equal(t, "WH-2", scanned(t, made(labels.Request{Kind: label.KindLocation, Subject: "wh-2"})).Codes[0])
}

func TestMake_DocumentsOpenWhenScanned(t *testing.T) {
	t.Parallel()
	w := warehouse(t)
	w.Transfer("TR-311", w.Oat, w.Main, w.Depot, 12)
	unnamed := ledgertest.Do(w.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: w.Oat.ID, LocationID: w.Main.ID}, ExpectedQuantity: 5}).Inbound
	for ref, want := range map[string]label.Label{
		"PO-OAT-1L":         {Document: "Inbound", Party: "Nordic Foods", Reference: "PO-OAT-1L"},
		"TR-311":            {Document: "Transfer", Party: "WH-1 → WH-2", Reference: "TR-311"},
		unnamed.ID.String(): {Document: "Inbound", Reference: names.Inbound(&unnamed)},
	} {
		l, err := labels.Make(t.Context(), w.Site, labels.Request{Kind: label.KindDocument, Subject: ref, Now: tuitest.Noon})
		require.NoError(t, err)
		want.Kind = label.KindDocument
		require.Equal(t, want, l)
		found, err := w.Site.Resolve(t.Context(), scanned(t, l))
		require.NoError(t, err)
		require.NotEmpty(t, found[0].Route)
	}
}

// The label of a lot without a GTIN counts on the line of its product, not on the current
// one.
func TestMake_CountsOnItsLine(t *testing.T) {
	t.Parallel()
	w := warehouse(t)
	l, err := labels.Make(t.Context(), w.Site, labels.Request{Kind: label.KindLot, Subject: "SOY-1L", Lot: "L42-A", Quantity: 6, Now: tuitest.Noon})
	require.NoError(t, err)
	m := count.ScanMatcher{Lines: []*count.Line{{Key: "1", Item: count.ItemOf(&w.Oat), Pending: 24}, {Key: "2", Item: count.ItemOf(&w.Soy), Pending: 24}}, Incoming: true}
	out := m.Scan(scanned(t, l))
	require.NoError(t, out.Err)
	require.Equal(t, count.Count{}, m.Lines[0].Count)
	require.Equal(t, count.Count{Quantity: 6, Lot: "L42-A"}, m.Lines[1].Count)
}

func TestMake_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := warehouse(t)
	for want, r := range map[string]labels.Request{
		"There is no product NONE-1":                          {Kind: label.KindProduct, Subject: "NONE-1"},
		"Which lot of OAT-1L?":                                {Kind: label.KindLot, Subject: "OAT-1L"},
		"OAT-1L has no lot L99. Check the lot":                {Kind: label.KindLot, Subject: "OAT-1L", Lot: "L99"},
		"Lot L42-A of OAT-1L expires 2027-03-31, not 2027-04": {Kind: label.KindLot, Subject: "OAT-1L", Lot: "L42-A", Expires: ends.AddDate(0, 0, 1)},
		"There is no serial number SN-9":                      {Kind: label.KindSerial, Subject: "SN-9"},
		"CAM-1 has no serial number SN-9":                     {Kind: label.KindSerial, Subject: "SN-9", SKU: "CAM-1"},
		"SOY-1L has no package with a GTIN":                   {Kind: label.KindCase, Subject: "SOY-1L"},
		"OAT-1L has no package pallet with a GTIN":            {Kind: label.KindCase, Subject: "OAT-1L", Unit: "pallet"},
		"(30)":                      {Kind: label.KindLot, Subject: "]d201" + w.OatBox + "302410L42-A"},
		"There is no location WH-9": {Kind: label.KindLocation, Subject: "WH-9"},
		"There is no document PO-9": {Kind: label.KindDocument, Subject: "PO-9"},
	} {
		r.Now = tuitest.Noon
		_, err := labels.Make(t.Context(), w.Site, r)
		require.ErrorContains(t, err, want)
	}
}

// A service with only the documented operations has no lots to check.
func TestMake_WithDocumentedOperations(t *testing.T) {
	t.Parallel()
	w := viewtest.NewMinimalWarehouse(t)
	w.Inbound("PO-1", w.Oat, 24, time.Hour)
	ctx := context.Background()
	l, err := labels.Make(ctx, w.Site, labels.Request{Kind: label.KindLot, Subject: "OAT-1L", Lot: "L42-A", Now: tuitest.Noon})
	require.NoError(t, err)
	require.Equal(t, label.Label{Kind: label.KindLot, SKU: "OAT-1L", Name: "Oat milk 1 l", Lot: "L42-A"}, l)
	l, err = labels.Make(ctx, w.Site, labels.Request{Kind: label.KindDocument, Subject: "PO-1", Now: tuitest.Noon})
	require.NoError(t, err)
	require.Equal(t, "PO-1", l.Reference)
}

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

func TestRegisterPallet_KeepsWhatItsLabelSays(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 60, "L1")
	const sscc = "340123450000000017"
	ctx := t.Context()
	none := label.Label{Kind: label.KindPallet, SSCC: sscc}
	require.NoError(t, labels.RegisterPallet(ctx, h.Site, none), "a label without contents")
	require.NoError(t, labels.RegisterPallet(ctx, h.Site, label.Label{Kind: label.KindPallet, SSCC: sscc, SKU: "OAT-1L", Quantity: 48}), "without the lot")
	_, err := session.Call(ctx, h.Site, api.GetPlate, api.PlateInput{SSCC: sscc})
	require.True(t, api.HasCode(err, api.NotFound))
	contents := label.Label{Kind: label.KindPallet, SSCC: sscc, SKU: "OAT-1L", Lot: "L1", Quantity: 48}
	require.NoError(t, labels.RegisterPallet(ctx, h.Site, contents))
	p, err := session.Call(ctx, h.Site, api.GetPlate, api.PlateInput{SSCC: sscc})
	require.NoError(t, err)
	require.Equal(t, "L1", p.Lines[0].LotCode)
	require.EqualValues(t, 48, p.Lines[0].Left)
	require.Error(t, labels.RegisterPallet(ctx, h.Site, contents), "its number is in use")
	minimal := viewtest.NewMinimalWarehouse(t)
	minimal.Receive(minimal.Oat.ID, minimal.Main.ID, 60, "L1")
	require.NoError(t, labels.RegisterPallet(ctx, minimal.Site, contents))
}
