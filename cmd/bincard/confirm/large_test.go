package confirm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/confirm"
	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
	"bincard/views/export"
)

// largeFile returns lines of inbounds, ten of each. Some are serialized, some lots come on
// two pallets, and the lines of a document are not together.
func largeFile(documents int) string {
	var b strings.Builder
	b.WriteString("reference,line,sku,quantity,location,lot,expiry,serials,sscc\n")
	for i := range 10 * documents {
		document, line := i%documents, i/documents
		if line%5 == 4 {
			fmt.Fprintf(&b, "ASN-%03d,%d,SCA,2,WH-%d,,,SN-%d-a|SN-%d-b,%s\n", document, line, 1+document%2, i, i, sscc(i))
			continue
		}
		fmt.Fprintf(&b, "ASN-%03d,%d,OAT-%d,%d,WH-%d,L-%d,2027-01-31,,%s\n", document, line, i%7, 1+i%48, 1+document%2, i%211, sscc(i))
	}
	return b.String()
}

// sscc returns the SSCC of a pallet.
func sscc(pallet int) string {
	digits := fmt.Sprintf("34012345%09d", pallet)
	sum := 0
	for i := range digits {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			n *= 3
		}
		sum += n
	}
	return digits + fmt.Sprint((10-sum%10)%10)
}

// A large file is imported, all of it is received, and the ledger and the exported
// receipts agree with it line by line.
func TestReceipts_AgreeWithLargeFile(t *testing.T) {
	t.Parallel()
	documents := budget.LargeFile.Cases(t)
	text := largeFile(documents)

	w := ledgertest.Open(t)
	importFile(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Annex,warehouse\n")
	products := "sku,name,tracking\nSCA,Scale,serial\n"
	for i := range 7 {
		products += fmt.Sprintf("OAT-%d,Oat,lot\n", i)
	}
	importFile(t, w.Service, intake.Products, products)
	importFile(t, w.Service, intake.Inbounds, text)
	receiveAll(t, w.Service)

	file, err := sheet.Read([]byte(text))
	require.NoError(t, err)
	again, err := intake.Prepare(t.Context(), w.Service, intake.Inbounds, file, intake.Options{})
	require.NoError(t, err)
	require.Empty(t, again.Problems)
	require.Equal(t, []int{documents, documents, 0}, []int{again.Documents.Total, again.Documents.Existing, again.Steps()})
	require.Equal(t, "received", again.Documents.Known[0].Status)

	for _, format := range []export.Format{export.CSV, export.JSONLines} {
		x, err := confirm.New(t.Context(), w.Service, confirm.Query{Report: confirm.Receipts, Movements: api.ReportMovementsInput{}})
		require.NoError(t, err)
		var out bytes.Buffer
		n, err := export.WriteSource(t.Context(), &out, format, export.FromPages(confirm.Receipts.Columns(), x.Page))
		require.NoError(t, err)
		require.EqualValues(t, 10*documents, n)
		exported, err := sheet.Read(out.Bytes())
		require.NoError(t, err)
		require.Equal(t, linesOf(file), linesOf(exported))
	}

	onHand := quantities(file)
	many := int64(100)
	list, err := api.ListBalances.Call(t.Context(), w.Service, api.ListBalancesInput{Page: api.Page{Limit: &many}})
	require.NoError(t, err)
	require.Len(t, list.Items, len(onHand))
	for _, b := range list.Items {
		require.Equal(t, onHand[b.Product.SKU+" "+b.Location.Code], b.OnHand)
		require.Zero(t, b.Incoming)
	}
	require.Equal(t, len(onHand), w.Verify().Balances)
}

// receiveAll receives the open inbounds as announced.
func receiveAll(t *testing.T, svc api.Service) {
	t.Helper()
	many := int64(100)
	for {
		list, err := api.ListInbounds.Call(t.Context(), svc, api.ListInboundsInput{Status: api.InboundExpected, Page: api.Page{Limit: &many}})
		require.NoError(t, err)
		if len(list.Items) == 0 {
			return
		}
		for i := range list.Items {
			a := api.AnnouncedIn(list.Items[i].Metadata)
			in := api.ReceiveInboundInput{InboundID: list.Items[i].ID, Quantity: list.Items[i].ExpectedQuantity, NewLot: api.NewLot{LotCode: a.LotCode, BatchCode: a.BatchCode, ExpiresAt: a.ExpiresAt}}
			for _, serial := range a.SerialNumbers {
				in.Serials = append(in.Serials, api.SerialInput{SerialNumber: serial})
			}
			_, err := api.ReceiveInbound.Call(t.Context(), svc, in, api.By("Ada"))
			require.NoError(t, err)
		}
	}
}

// linesOf returns the lines of a file, by what the import and the export have in common.
func linesOf(table *sheet.Table) map[string]int {
	lines := map[string]int{}
	for _, r := range table.Rows {
		var cells []string
		for _, column := range []string{"reference", "line", "sku", "quantity", "location", "lot", "expiry", "serials", "sscc"} {
			cells = append(cells, table.Cell(r, column))
		}
		lines[strings.Join(cells, ",")]++
	}
	return lines
}

// quantities returns the sum of each product at each location.
func quantities(table *sheet.Table) map[string]int64 {
	sums := map[string]int64{}
	for _, r := range table.Rows {
		var n int64
		_, _ = fmt.Sscan(table.Cell(r, "quantity"), &n)
		sums[table.Cell(r, "sku")+" "+table.Cell(r, "location")] += n
	}
	return sums
}
