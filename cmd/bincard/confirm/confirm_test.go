package confirm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/confirm"
	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
)

func importFile(t *testing.T, svc api.Service, kind intake.Kind, text string) {
	t.Helper()
	table, err := sheet.Read([]byte(text))
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
	importFile(t, w.Service, intake.Inbounds, "reference,line,sku,quantity,location,lot,sscc,order\n"+
		"A,10,OAT,5,WH-1,L1,340123450000000017,PO-1\nA,20,OAT,7,WH-1,L2,,PO-1\nB,10,MUG,3,WH-1,,,PO-1\n")
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
		got[r.Reference+" "+r.Line+" "+r.SKU+" "+r.Lot+" "+r.SSCC+" "+r.Order] += r.Quantity
	}
	require.Equal(t, map[string]int64{"A 10 OAT L1 340123450000000017 PO-1": 5, "A 20 OAT L2  PO-1": 7, "B 10 MUG   PO-1": 3}, got)
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
	if req.Spec.ID == api.LookUp.ID {
		return nil, api.Fail(api.NotFound, nil, "There is no such operation.")
	}
	res, err := p.Service.Do(ctx, req)
	if err == nil && req.Spec.ID == api.ReportMovements.ID {
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
