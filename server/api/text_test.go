package api_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// Codes, names and references have no characters that are invisible or that a terminal
// obeys.
func TestCheck_Characters(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse(one)
	product := func(text string) map[string]string {
		return problems(t, &api.CreateProductInput{SKU: text, Name: text, Barcodes: []string{text}})
	}
	refused := map[string]string{"sku": "printable", "name": "printable", "barcodes[0]": "printable"}
	for _, r := range []rune{0, 7, '\t', '\n', '\r', 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x115f, 0x200b, 0x200d, 0x202e, 0x2800, 0x2028, 0x2029, 0x2066,
		0x3164, 0xfeff, 0xfdd0, 0xffa0, 0xffff, 0xe000, 0xe0041, 0x10ffff} {
		require.Equal(t, refused, product("a"+string(r)+"b"), "U+%04X", r)
	}
	for _, text := range []string{"A-1", "Grüße", "漢字", "日本", "×½€", "a b", "👍"} {
		require.Empty(t, product(text), text)
	}
	require.Equal(t, map[string]string{"sku": "printable", "barcodes[0]": "printable"}, product("☕\ufe0f"), "a name may choose how a symbol looks")

	adjust := func(reason, reference string) map[string]string {
		return problems(t, &api.AdjustStockInput{StockKey: api.StockKey{ProductID: id, LocationID: id}, InventoryState: api.OnHand, QuantityDelta: 1,
			Reason: reason, Reference: api.Reference{ReferenceID: reference}})
	}
	require.Empty(t, adjust("fell down\r\nthe stairs\t👨\u200d👩", ""), "a reason may have several lines")
	require.Equal(t, map[string]string{"reason": "printable"}, adjust("\x1b[2J", ""))
	require.Equal(t, map[string]string{"referenceId": "printable"}, adjust("x", "PO\u200b1"))
	require.Empty(t, problems(t, &api.UnlinkBarcodeInput{ProductID: id, Barcode: "4\u200b0", Reason: "wrong"}), "an old barcode can be removed")
	require.Empty(t, problems(t, &api.FulfillStockInput{StockKey: api.StockKey{ProductID: id, LocationID: id},
		SerialChoice: api.SerialChoice{SerialNumbers: []string{"S\u200b1"}}}), "an old serial can leave")
	require.Equal(t, map[string]string{"serials[0].serialNumber": "printable"}, problems(t, &api.ReceiveStockInput{
		StockKey: api.StockKey{ProductID: id, LocationID: id}, Serials: []api.SerialInput{{SerialNumber: "S\u200b1"}}}))
}

// A request from before the rule is decoded, so that the ledger finds its answer.
func TestDecode_LeavesCharactersToCheck(t *testing.T) {
	t.Parallel()
	in, err := api.CreateProduct.Spec.Decode(anyPath, nil, []byte(`{"sku":"A\u200b1","name":"x"}`))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"sku": "printable"}, problems(t, in))
}

// The text tags of all inputs are known classes, and reasons have the one for notes.
func TestInputs_TextClasses(t *testing.T) {
	t.Parallel()
	var check func(path string, typ reflect.Type)
	check = func(path string, typ reflect.Type) {
		for _, f := range reflect.VisibleFields(typ) {
			class := f.Tag.Get("text")
			require.True(t, slices.Contains([]string{"", "name", "note", "any"}, class), "%s.%s", path, f.Name)
			if f.Name == "Reason" && f.Type.Kind() == reflect.String {
				require.Equal(t, "note", class, "%s.%s", path, f.Name)
			}
			if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
				check(path+"."+f.Name, f.Type.Elem())
			}
		}
	}
	for _, spec := range api.Operations() {
		check(spec.ID, spec.Input())
	}
}
