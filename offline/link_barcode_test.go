package offline_test

import (
	"testing"

	"bincard/server/api"

	"github.com/stretchr/testify/require"
)

// TestLinkBarcode_Offline requires that a barcode which is linked offline is found at
// once, and is linked at the service after the sync.
func TestLinkBarcode_Offline(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	p, err := api.CreateProduct.Call(t.Context(), d.svc, api.CreateProductInput{SKU: "A", Name: "A", Barcodes: []string{"4006381333931"}})
	require.NoError(t, err)
	d.waitDrained()
	d.link.cut.Store(true)
	six, key := int64(6), api.NewKey()
	_, err = api.LinkBarcode.Call(t.Context(), d.svc, api.LinkBarcodeInput{ProductID: p.ID, Barcode: "4012345678901", Factor: &six}, api.Key(key))
	require.NoError(t, err)
	found := call(d, api.LookUp, api.LookupInput{Code: "4012345678901"}).Matches
	require.Len(t, found, 1)
	require.EqualValues(t, 6, found[0].Unit.Factor)
	require.Equal(t, "A", d.work(key).Stock.SKU)
	_, err = api.LinkBarcode.Call(t.Context(), d.svc, api.LinkBarcodeInput{ProductID: p.ID, Barcode: "4012345678901"})
	require.True(t, api.HasCode(err, api.AlreadyExists), err)

	d.link.cut.Store(false)
	d.Resume()
	d.waitDrained()
	at, err := api.LookUp.Call(t.Context(), d.world.Service, api.LookupInput{Code: "4012345678901"})
	require.NoError(t, err)
	require.Len(t, at.Matches, 1)
	require.Equal(t, found[0].Unit, at.Matches[0].Unit)
	require.Equal(t, p.ID, at.Matches[0].Product.ID)
}

// TestUnlinkBarcode_Offline requires that a barcode which is unlinked offline is unknown at
// once, and is unlinked at the service after the sync.
func TestUnlinkBarcode_Offline(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	const code = "4006381333931"
	p, err := api.CreateProduct.Call(t.Context(), d.svc, api.CreateProductInput{SKU: "A", Name: "A", Barcodes: []string{code}})
	require.NoError(t, err)
	d.waitDrained()
	d.link.cut.Store(true)
	in, key := api.UnlinkBarcodeInput{ProductID: p.ID, Barcode: code, Reason: "wrong product"}, api.NewKey()
	_, err = api.UnlinkBarcode.Call(t.Context(), d.svc, in, api.Key(key))
	require.NoError(t, err)
	require.Empty(t, call(d, api.LookUp, api.LookupInput{Code: code}).Matches)
	require.Equal(t, "A", d.work(key).Stock.SKU)
	_, err = api.UnlinkBarcode.Call(t.Context(), d.svc, in)
	require.True(t, api.HasCode(err, api.NotFound), err)

	d.link.cut.Store(false)
	d.Resume()
	d.waitDrained()
	at, err := api.LookUp.Call(t.Context(), d.world.Service, api.LookupInput{Code: code})
	require.NoError(t, err)
	require.Empty(t, at.Matches)
}
