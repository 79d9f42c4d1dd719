package intake_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
)

// company opens a ledger with products and locations.
func company(t *testing.T) *ledgertest.World {
	t.Helper()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Annex,warehouse\n")
	importTable(t, w.Service, intake.Products, "sku,name,barcode,box factor,box barcode,tracking\nOAT,Oat,9521000000018,12,19521000000015,lot\n"+
		"MUG,Mug,9521000000025,,,\nSCA,Scale,,,,serial\n")
	return w
}

func texts(plan *intake.Plan) (list []string) {
	for _, p := range plan.Problems {
		list = append(list, p.String())
	}
	return list
}

func inbounds(t *testing.T, svc api.Service) []api.Inbound {
	t.Helper()
	many := int64(100)
	list := ledgertest.Call(t, svc, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: &many}})
	return list.Items
}

const delivery = "reference,line,sku,gtin,quantity,location,lot,batch,expiry,serials,sscc,supplier,supplierReference,order,expectedAt,carrier\n" +
	"ASN-1,10,OAT,,24,WH-1,L1,B1,2027-01-31,,340123450000000017,Nordic Foods,DN-7,PO-1,2026-04-02,Nord Freight\n" +
	"ASN-1,20,OAT,09521000000018,12,Main,L2,,2027-02-28,,(00)340123450000000017,,,,,\n" +
	"ASN-2,,SCA,,,WH-2,,,,S-1|S-2,,,,,,\n" +
	"ASN-1,30,,9521000000025,5,,,,,,,,,,,\n" +
	"asn-2,,SCA,,1,WH-2,,,,S-3,,,,,,\n"

func TestImportInbounds(t *testing.T) {
	t.Parallel()
	w := company(t)
	plan := prepare(t, w.Service, intake.Inbounds, strings.ReplaceAll(delivery, "asn", "ASN"))
	require.Empty(t, texts(plan))
	require.Equal(t, &intake.DocumentCount{Total: 2, New: 2}, plan.Documents)
	out, err := plan.Apply(t.Context(), w.Service)
	require.NoError(t, err)
	require.Equal(t, intake.Outcome{Applied: 4}, out, "rows with serial numbers are one line")

	found := map[string]api.Inbound{}
	for _, in := range inbounds(t, w.Service) {
		found[in.ReferenceID+" "+api.AnnouncedIn(in.Metadata).Line] = in
	}
	oat := found["ASN-1 10"]
	require.EqualValues(t, 24, oat.ExpectedQuantity)
	require.Equal(t, []string{"Nordic Foods", "DN-7", "PO-1", "purchase_order", "WH-1", "OAT"},
		[]string{oat.SupplierName, oat.SupplierReference, oat.ExternalOrderID, oat.ReferenceType, oat.Location.Code, oat.Product.SKU})
	require.Equal(t, "2026-04-02T00:00:00Z", oat.ExpectedAt.Format("2006-01-02T15:04:05Z"))
	a := api.AnnouncedIn(oat.Metadata)
	require.Equal(t, []string{"L1", "B1", "340123450000000017"}, []string{a.LotCode, a.BatchCode, a.SSCC})
	require.Equal(t, "2027-01-31", a.ExpiresAt.Format("2006-01-02"))
	require.Equal(t, "Nordic Foods", found["ASN-1 30"].SupplierName, "the header is of the whole document")
	require.Equal(t, "Nord Freight", found["ASN-1 30"].Carrier)
	require.Equal(t, []string{"S-1", "S-2", "S-3"}, api.AnnouncedIn(found["ASN-2 "].Metadata).SerialNumbers)
	require.EqualValues(t, 3, found["ASN-2 "].ExpectedQuantity)

	again := prepare(t, w.Service, intake.Inbounds, strings.ReplaceAll(delivery, "asn", "ASN"))
	require.Empty(t, texts(again))
	require.Zero(t, again.Steps())
	require.Equal(t, 2, again.Documents.Existing)
	require.Equal(t, intake.KnownDocument{Line: 2, Reference: "ASN-1", Status: "expected", Quantity: 41}, again.Documents.Known[0])
}

// A document that differs is reported with the differences, and stops the import.
func TestImportInbounds_Differs(t *testing.T) {
	t.Parallel()
	w := company(t)
	head := "reference,sku,quantity,location,lot,supplier\n"
	importTable(t, w.Service, intake.Inbounds, head+"A,MUG,5,WH-1,,Nord\nA,OAT,12,WH-1,L1,Nord\n")
	changed := head + "A,MUG,7,WH-2,,Nord\nA,OAT,12,WH-2,L2,Nord\nB,MUG,1,WH-1,,\n"
	plan := prepare(t, w.Service, intake.Inbounds, changed)
	require.Equal(t, []string{"line 2: reference: A already exists and differs: location WH-1, in the file WH-2; MUG has 5, in the file 7; " +
		"OAT lot L2 is only in the file (12); OAT lot L1 is not in the file (12). An import does not change it: cancel it first, or use another reference"}, texts(plan))
	require.Equal(t, &intake.DocumentCount{Total: 2, New: 1, Differ: 1}, plan.Documents)
	_, err := plan.Apply(t.Context(), w.Service)
	require.Error(t, err)

	table, err := sheet.Read(strings.NewReader(changed))
	require.NoError(t, err)
	plan, err = intake.Prepare(t.Context(), w.Service, intake.Inbounds, table, intake.Options{OnlyNew: true})
	require.NoError(t, err)
	require.Empty(t, texts(plan))
	require.Contains(t, plan.Text("f"), "f: line 2: skipped: A already exists and differs: ")
	require.Contains(t, plan.Text("f"), "f: 3 lines of 2 inbounds, 1 skipped")
	_, err = plan.Apply(t.Context(), w.Service)
	require.NoError(t, err)
	require.Len(t, inbounds(t, w.Service), 3)

	// After it was canceled, the changed one is imported. The canceled one is not.
	for _, in := range inbounds(t, w.Service) {
		if in.ReferenceID == "A" {
			ledgertest.Call(t, w.Service, api.CancelInbound, api.InboundInput{InboundID: in.ID})
		}
	}
	first := prepare(t, w.Service, intake.Inbounds, head+"A,MUG,5,WH-1,,Nord\nA,OAT,12,WH-1,L1,Nord\n")
	require.Zero(t, first.Steps())
	require.Equal(t, "f: line 2: A is already canceled, 0 of 17\nf: 2 lines of 1 inbound, 1 already there", first.Text("f"))
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Inbounds, changed))
	require.Zero(t, prepare(t, w.Service, intake.Inbounds, changed).Steps())
}

// Dates without a time are due days. ERPs write them in several forms.
func TestImport_DueDays(t *testing.T) {
	t.Parallel()
	w := company(t)
	due := map[string]string{"A": "2026-11-23", "B": "23.11.2026", "C": "23/11/2026", "D": "11/23/2026", "E": "20261123", "F": "2026-11-23T00:00:00Z"}
	file := "reference,sku,quantity,location,expectedAt\n"
	for reference, text := range due {
		file += reference + ",MUG,1,WH-1," + text + "\n"
	}
	importTable(t, w.Service, intake.Inbounds, file)
	zone := time.FixedZone("", -5*60*60)
	for _, in := range inbounds(t, w.Service) {
		require.Equal(t, "2026-11-23T00:00:00Z", in.ExpectedAt.Format(time.RFC3339))
		want := "2026-11-24T04:59:59Z"
		if in.ReferenceID == "F" {
			want = "2026-11-23T00:00:00Z"
		}
		require.Equal(t, want, in.Due(zone).UTC().Format(time.RFC3339), in.ReferenceID)
	}
	importTable(t, w.Service, intake.Outbounds, "reference,sku,quantity,location,shipAt\nA,MUG,1,WH-1,2026-11-23\n")
	order := ledgertest.Do(w, api.ListOutbounds, api.ListOutboundsInput{}).Items[0]
	require.Equal(t, "2026-11-24T04:59:59Z", order.Due(zone).UTC().Format(time.RFC3339))
	require.Zero(t, prepare(t, w.Service, intake.Inbounds, file).Steps())
	bad := prepare(t, w.Service, intake.Inbounds, "reference,sku,quantity,location,expectedAt\nG,MUG,1,WH-1,03/04/2026\n")
	require.Equal(t, []string{`line 2: expectedAt: must be a date like 2026-12-31, is "03/04/2026"`}, texts(bad))
}

func TestImportInbounds_FinishesInterruptedImport(t *testing.T) {
	t.Parallel()
	w := company(t)
	text := "reference,sku,quantity,location,lot\n"
	for i := range 30 {
		text += fmt.Sprintf("A,OAT,12,WH-1,L%02d\n", i)
	}
	_, err := prepare(t, w.Service, intake.Inbounds, text).Apply(t.Context(), &failing{Service: w.Service, left: 11})
	require.Error(t, err)
	require.Len(t, inbounds(t, w.Service), 11)
	changed := prepare(t, w.Service, intake.Inbounds, text+"A,MUG,1,WH-1,\n")
	require.Len(t, changed.Problems, 1, "the rest of another version does not finish it")

	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n")
	lines[1], lines[20] = lines[20], lines[1] // the order does not matter
	plan := prepare(t, w.Service, intake.Inbounds, strings.Join(lines, ""))
	require.Empty(t, texts(plan))
	require.Equal(t, 19, plan.Steps())
	_, err = plan.Apply(t.Context(), w.Service)
	require.NoError(t, err)
	require.Len(t, inbounds(t, w.Service), 30)
	require.Zero(t, prepare(t, w.Service, intake.Inbounds, text).Steps())
}

func TestImportInbounds_ReportsReceived(t *testing.T) {
	t.Parallel()
	w := company(t)
	text := "reference,sku,quantity,location\nA,MUG,5,WH-1\n"
	importTable(t, w.Service, intake.Inbounds, text)
	ledgertest.Call(t, w.Service, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: inbounds(t, w.Service)[0].ID, Quantity: 3})
	require.Equal(t, "f: line 2: A is already partially received, 3 of 5\nf: 1 line of 1 inbound, 1 already there, 0 imported.",
		prepare(t, w.Service, intake.Inbounds, text).ResultText("f", intake.Outcome{}))
}

func TestImportInbounds_ManySerials(t *testing.T) {
	t.Parallel()
	w := company(t)
	text := "reference,sku,quantity,location,serials,sscc\n"
	for i := range 1500 {
		text += fmt.Sprintf("A,SCA,1,WH-1,SERIAL-NUMBER-%05d,340123450000000017\n", i)
	}
	importTable(t, w.Service, intake.Inbounds, text)
	all := inbounds(t, w.Service)
	require.Len(t, all, 3, "the serial numbers of an inbound fit into its metadata")
	var total int64
	for _, in := range all {
		require.Len(t, api.AnnouncedIn(in.Metadata).SerialNumbers, int(in.ExpectedQuantity))
		total += in.ExpectedQuantity
	}
	require.EqualValues(t, 1500, total)
	require.Len(t, api.FindSSCC(all, "340123450000000017"), 3)
	require.Zero(t, prepare(t, w.Service, intake.Inbounds, text).Steps())
	require.Len(t, prepare(t, w.Service, intake.Inbounds, strings.Replace(text, "00007", "99999", 1)).Problems, 1)
}

func TestImportOutboundsAndTransfers(t *testing.T) {
	t.Parallel()
	w := company(t)
	orders := "reference,line,sku,quantity,location,customer,shipAt\nSO-1,1,MUG,2,WH-1,Ada,2026-04-01\nSO-1,2,MUG,3,WH-1,,\nSO-2,,OAT,1,WH-2,Eve,\n"
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Outbounds, orders))
	list := ledgertest.Call(t, w.Service, api.ListOutbounds, api.ListOutboundsInput{})
	require.Len(t, list.Items, 2)
	order := list.Items[1]
	if order.ReferenceID != "SO-1" {
		order = list.Items[0]
	}
	require.Len(t, order.Lines, 2)
	require.Equal(t, []string{"1", "2"}, api.AnnouncedIn(order.Metadata).Lines)
	require.Equal(t, "Ada", order.CustomerName)
	require.Zero(t, prepare(t, w.Service, intake.Outbounds, orders).Steps())
	require.Contains(t, texts(prepare(t, w.Service, intake.Outbounds, strings.Replace(orders, "Ada", "Bob", 1)))[0], "customer Ada, in the file Bob")
	require.Contains(t, texts(prepare(t, w.Service, intake.Outbounds, strings.Replace(orders, "MUG,3", "MUG,4", 1)))[0], "MUG line 2 has 3, in the file 4")

	moves := `{"reference":"TR-1","sku":"MUG","quantity":4,"source":"WH-1","destination":"WH-2"}` + "\n" +
		`{"reference":"TR-1","sku":"OAT","quantity":6.0,"source":"WH-1","destination":"WH-2"}`
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Transfers, moves))
	require.Zero(t, prepare(t, w.Service, intake.Transfers, moves).Steps())
	require.Contains(t, texts(prepare(t, w.Service, intake.Transfers, strings.ReplaceAll(moves, `:4`, `:5`)))[0], "MUG has 4, in the file 5")
	require.Equal(t, []string{"line 2: destination: must differ from the source, is WH-1 too"},
		texts(prepare(t, w.Service, intake.Transfers, "reference,sku,quantity,source,destination\nT,MUG,1,WH-1,Main\n")))
}

// ordered reports an outbound that is created while another one of the product is, and holds
// the first one until one of another product comes.
type ordered struct {
	api.Service
	mu      sync.Mutex
	running map[api.ID]bool
	overlap int
	other   chan struct{}
}

func (o *ordered) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	in, ok := req.Input.(*api.CreateOutboundInput)
	if !ok {
		return o.Service.Do(ctx, req)
	}
	product := in.Lines[0].ProductID
	o.mu.Lock()
	if o.running[product] {
		o.overlap++
	}
	o.running[product] = true
	o.mu.Unlock()
	if in.ReferenceID == "SO-9" {
		close(o.other)
	} else {
		<-o.other
	}
	defer func() {
		o.mu.Lock()
		o.running[product] = false
		o.mu.Unlock()
	}()
	return o.Service.Do(ctx, req)
}

// Orders that compete for stock get it by ship date, then in the order of the file. Others are
// created at the same time.
func TestImportOutbounds_ScarceStockGoesToTheFirstDue(t *testing.T) {
	t.Parallel()
	w := company(t)
	importTable(t, w.Service, intake.Stock, "sku,location,quantity\nMUG,WH-1,30\n")
	file := "reference,sku,quantity,location,shipAt\n"
	for i := range 6 {
		file += fmt.Sprintf("SO-%d,MUG,10,WH-1,2026-04-%02d\n", i+1, 20-i)
	}
	file += "SO-7,MUG,10,WH-1,\nSO-8,MUG,5,WH-1,2026-04-15\nSO-9,OAT,1,WH-1,2026-04-30\n"
	plan := prepare(t, w.Service, intake.Outbounds, file)
	require.Empty(t, texts(plan))
	svc := &ordered{Service: w.Service, running: map[api.ID]bool{}, other: make(chan struct{})}
	out, err := plan.Apply(t.Context(), svc)
	require.NoError(t, err)
	require.Equal(t, intake.Outcome{Applied: 9}, out)
	require.Zero(t, svc.overlap)
	list := ledgertest.Call(t, w.Service, api.ListOutbounds, api.ListOutboundsInput{})
	allocated := map[string]int64{}
	for _, o := range list.Items {
		if o.AllocatedQuantity > 0 {
			allocated[o.ReferenceID] = o.AllocatedQuantity
		}
	}
	require.Equal(t, map[string]int64{"SO-6": 10, "SO-8": 5, "SO-5": 10, "SO-4": 5}, allocated)
}

// A file with more orders than are in memory at once is ordered by ship date as a whole.
func TestImportOutbounds_ManyByShipDate(t *testing.T) {
	t.Parallel()
	w := company(t)
	importTable(t, w.Service, intake.Stock, "sku,location,quantity\nMUG,WH-1,2\n")
	file := table("reference,sku,quantity,location,shipAt", "LATER-%d,MUG,1,WH-1,2026-05-01", 500) +
		"SOON,MUG,1,WH-1,2026-04-02\nFIRST,MUG,1,WH-1,2026-04-01\n"
	importTable(t, w.Service, intake.Outbounds, file)
	var allocated []string
	for _, o := range ledgertest.Do(w, api.ListOutbounds, api.ListOutboundsInput{Status: api.OutboundAllocated}).Items {
		allocated = append(allocated, o.ReferenceID)
	}
	require.ElementsMatch(t, []string{"FIRST", "SOON"}, allocated)
}
