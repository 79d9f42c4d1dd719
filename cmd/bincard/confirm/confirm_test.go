package confirm_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/confirm"
	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
	"bincard/server/testenv"
	"bincard/views/export"
)

func importFile(t *testing.T, svc api.Service, kind intake.Kind, text string) {
	t.Helper()
	table, err := sheet.Read(strings.NewReader(text))
	require.NoError(t, err)
	plan, err := intake.Prepare(t.Context(), svc, kind, table, intake.Options{})
	require.NoError(t, err)
	require.Empty(t, plan.Problems)
	_, err = plan.Apply(t.Context(), svc)
	require.NoError(t, err)
}

// company opens a ledger with products, locations and three inbounds, which are received.
func company(t *testing.T) (*ledgertest.World, []api.Inbound) {
	t.Helper()
	w := ledgertest.Open(t)
	importFile(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\n")
	importFile(t, w.Service, intake.Products, "sku,name,tracking\nMUG,Mug,\nOAT,Oat,lot\n")
	importFile(t, w.Service, intake.Inbounds, "reference,line,sku,quantity,location,lot,sscc,order,carrier\n"+
		"A,10,OAT,5,WH-1,L1,340123450000000017,PO-1,DHL\nA,20,OAT,7,WH-1,L2,,PO-1,DHL\nB,10,MUG,3,WH-1,,,PO-1,\n")
	list, err := api.ListInbounds.Call(t.Context(), w.Service, api.ListInboundsInput{})
	require.NoError(t, err)
	for i := range list.Items {
		in := &list.Items[i]
		w.Clock.Advance(time.Minute)
		_, err := api.ReceiveInbound.Call(t.Context(), w.Service, api.ReceiveInboundInput{InboundID: in.ID, Quantity: in.ExpectedQuantity,
			NewLot: api.NewLot{LotCode: api.AnnouncedIn(in.Metadata).LotCode}})
		require.NoError(t, err)
	}
	return w, list.Items
}

func rows(t *testing.T, svc api.Service, q confirm.Query) (all []confirm.Row) {
	t.Helper()
	x, err := confirm.New(t.Context(), svc, q)
	require.NoError(t, err)
	for cursor := ""; ; {
		page, next, err := x.Page(t.Context(), cursor)
		require.NoError(t, err)
		all = append(all, page...)
		if next == nil {
			return all
		}
		cursor = *next
	}
}

// Each receipt has the line and the pallet of its own inbound, also if several are of one
// product.
func TestReceipts_HaveTheirLines(t *testing.T) {
	t.Parallel()
	w, _ := company(t)
	two := int64(2)
	got := map[string]int64{}
	for _, r := range rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Movements: api.ReportMovementsInput{Limit: &two}}) {
		got[r.Reference+" "+r.Line+" "+r.SKU+" "+r.Lot+" "+r.SSCC+" "+r.Order+" "+r.Carrier] += r.Quantity
	}
	require.Equal(t, map[string]int64{"A 10 OAT L1 340123450000000017 PO-1 DHL": 5, "A 20 OAT L2  PO-1 DHL": 7, "B 10 MUG   PO-1 ": 3}, got)
}

// Programs read the columns by position, and the JSON as text.
func TestReceipts_OrderOfColumns(t *testing.T) {
	t.Parallel()
	w, _ := company(t)
	write := func(format export.Format) string {
		x, err := confirm.New(t.Context(), w.Service, confirm.Query{Report: confirm.Receipts, Reference: "A"})
		require.NoError(t, err)
		var out strings.Builder
		_, err = export.WriteSource(t.Context(), nil, &out, format, export.FromPages(confirm.Receipts.Columns(), x.Page))
		require.NoError(t, err)
		return out.String()
	}
	csv := write(export.CSV)
	require.True(t, strings.HasPrefix(csv, "document,reference,line,sku,quantity,location,source,destination,lot,expiry,serials,order,owner,"+
		"channel,operator,device,documentId,movementId,receivedAt,sscc,supplier,supplierReference,extra,carrier\n"), csv)
	require.Contains(t, csv, ",340123450000000017,,,,DHL\n")
	require.Contains(t, write(export.JSONLines), `"sscc":"340123450000000017","carrier":"DHL","order":"PO-1"`)
}

func TestReceipts_Filters(t *testing.T) {
	t.Parallel()
	w, _ := company(t)
	require.Len(t, rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Reference: "a"}), 2)
	require.Len(t, rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Order: "PO-1"}), 3)
	require.Len(t, rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Order: "PO-1", Reference: "B"}), 1)
	until := ledgertest.Start.Add(90 * time.Second)
	require.Len(t, rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Movements: api.ReportMovementsInput{CreatedTo: &until}}), 1)
	require.Len(t, rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Order: "PO-1", Movements: api.ReportMovementsInput{CreatedFrom: &until}}), 2)
	_, err := confirm.New(t.Context(), w.Service, confirm.Query{Report: confirm.Receipts, Reference: "PO-1"})
	require.ErrorContains(t, err, "there is no document with the reference PO-1 for receipts")
	require.Empty(t, rows(t, w.Service, confirm.Query{Report: confirm.Shipments}))
}

// What came over the expected quantity belongs to the inbound too. Other stock that came in
// does not.
func TestReceipts_IncludeOverReceipts(t *testing.T) {
	t.Parallel()
	w, list := company(t)
	four := int64(4)
	for _, reference := range []api.Reference{{ReferenceType: "inbound", ReferenceID: list[0].ID.String()}, {ReferenceType: "import", ReferenceID: "x"}} {
		_, err := api.ReceiveStock.Call(t.Context(), w.Service, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: list[0].ProductID, LocationID: list[0].LocationID},
			Quantity: &four, Reason: "extra", Reference: reference, NewLot: api.NewLot{LotCode: api.AnnouncedIn(list[0].Metadata).LotCode}})
		require.NoError(t, err)
	}
	all := rows(t, w.Service, confirm.Query{Report: confirm.Receipts, Reference: list[0].ReferenceID})
	var extra []confirm.Row
	for _, r := range all {
		if r.Extra {
			extra = append(extra, r)
		}
	}
	require.Len(t, extra, 1)
	require.EqualValues(t, 4, extra[0].Quantity)
	require.Equal(t, list[0].ID.String(), extra[0].DocumentID)
}

// A plain service names no document in a movement, and looks up nothing.
type plain struct{ api.Service }

func (p plain) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.ID == api.LookUp.Spec.ID {
		return nil, api.Fail(api.NotFound, nil, "There is no such operation.")
	}
	res, err := p.Service.Do(ctx, req)
	if err == nil && req.Spec.ID == api.ReportMovements.Spec.ID {
		for i := range res.Output.(*api.List[api.MovementRow]).Items {
			res.Output.(*api.List[api.MovementRow]).Items[i].DocumentID = api.ID{}
		}
	}
	return res, err
}

func TestReceipts_PlainService(t *testing.T) {
	t.Parallel()
	w, _ := company(t)
	all := rows(t, plain{w.Service}, confirm.Query{Report: confirm.Receipts, Reference: "A"})
	require.Len(t, all, 2)
	require.Equal(t, []string{"A", "", ""}, []string{all[0].Reference, all[0].Line, all[0].DocumentID})
	require.NotEmpty(t, all[0].Lot)
}

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
	documents := testenv.LargeFile.Cases(t)
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

	file, err := sheet.Read(strings.NewReader(text))
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
		n, err := export.WriteSource(t.Context(), nil, &out, format, export.FromPages(confirm.Receipts.Columns(), x.Page))
		require.NoError(t, err)
		require.EqualValues(t, 10*documents, n)
		exported, err := sheet.Read(&out)
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
	for i := range table.Len() {
		var cells []string
		for _, column := range []string{"reference", "line", "sku", "quantity", "location", "lot", "expiry", "serials", "sscc"} {
			cells = append(cells, cell(table, i, column))
		}
		lines[strings.Join(cells, ",")]++
	}
	return lines
}

// cell returns the cell of a row in a column, or empty if there is no such column.
func cell(table *sheet.Table, row int, column string) string {
	if at := table.Index(column); at >= 0 {
		return table.Row(row).Cells[at]
	}
	return ""
}

// quantities returns the sum of each product at each location.
func quantities(table *sheet.Table) map[string]int64 {
	sums := map[string]int64{}
	for i := range table.Len() {
		var n int64
		_, _ = fmt.Sscan(cell(table, i, "quantity"), &n)
		sums[cell(table, i, "sku")+" "+cell(table, i, "location")] += n
	}
	return sums
}
