package intake_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
)

func prepare(t *testing.T, svc api.Service, kind intake.Kind, text string) *intake.Plan {
	t.Helper()
	table, err := sheet.Read(strings.NewReader(text))
	require.NoError(t, err)
	plan, err := intake.Prepare(t.Context(), svc, kind, table, intake.Options{})
	require.NoError(t, err)
	return plan
}

func importTable(t *testing.T, svc api.Service, kind intake.Kind, text string) intake.Outcome {
	t.Helper()
	plan := prepare(t, svc, kind, text)
	require.Empty(t, plan.Problems)
	out, err := plan.Apply(t.Context(), svc)
	require.NoError(t, err)
	return out
}

// table returns a table of n lines below the header.
func table(head, line string, n int) string {
	var b strings.Builder
	b.WriteString(head + "\n")
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

// A failing service rejects all writes after a number of them.
type failing struct {
	api.Service
	mu   sync.Mutex
	left int
}

func (f *failing) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Writes() && !f.spend() {
		return nil, api.Fail(api.Unavailable, nil, "The service cannot be reached.")
	}
	return f.Service.Do(ctx, req)
}

func (f *failing) spend() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left--
	return f.left >= 0
}

func TestApply_FinishesInterruptedImport(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\n")
	for kind, text := range map[intake.Kind]string{intake.Products: table("sku,name", "S-%03d,Thing", 250)} {
		plan := prepare(t, w.Service, kind, text)
		out, err := plan.Apply(t.Context(), &failing{Service: w.Service, left: 120})
		var at *intake.StoppedError
		require.ErrorAs(t, err, &at)
		require.Equal(t, intake.Outcome{Applied: 120}, out)
		require.LessOrEqual(t, at.Line, 122, "the error has the first failed line")
	}
	require.Equal(t, intake.Outcome{Applied: 130}, importTable(t, w.Service, intake.Products, table("sku,name", "S-%03d,Thing", 250)))

	stock := table("sku,location,quantity,lot", "S-%03d,WH-1,5,L1", 250)
	_, err := prepare(t, w.Service, intake.Stock, stock).Apply(t.Context(), &failing{Service: w.Service, left: 99})
	require.Error(t, err)
	require.Equal(t, intake.Outcome{Applied: 151, Repeated: 99}, importTable(t, w.Service, intake.Stock, stock))
	require.Equal(t, intake.Outcome{Repeated: 250}, importTable(t, w.Service, intake.Stock, stock))
	require.Equal(t, 250, w.Verify().Balances)
	list := ledgertest.Call(t, w.Service, api.ListBalances, api.ListBalancesInput{})
	for _, b := range list.Items {
		require.EqualValues(t, 5, b.OnHand)
	}
}

// A usingUp service does other work with the key of each line before the line is imported.
type usingUp struct {
	api.Service
	product, location api.ID
}

func (u usingUp) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if strings.HasPrefix(req.IdempotencyKey, "import-") {
		in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: u.product, LocationID: u.location}, InventoryState: api.OnHand,
			QuantityDelta: 1, Reason: "other work"}
		if _, err := api.AdjustStock.Call(ctx, u.Service, in, api.Key(req.IdempotencyKey)); err != nil {
			return nil, err
		}
	}
	return u.Service.Do(ctx, req)
}

// The keys of a file are known to whoever has it. An import does not stop because somebody has
// used them, and its lines are imported once.
func TestApply_KeysAreUsedUp(t *testing.T) {
	t.Parallel()
	for kind, text := range map[intake.Kind]string{
		intake.Products:  "sku,name\nA,a\nB,b\n",
		intake.Locations: "code,name,type\nWH-8,Eight,warehouse\nWH-9,Nine,warehouse\n",
		intake.Inbounds:  "reference,sku,quantity,location\nASN-1,MUG,5,WH-1\nASN-1,OAT,5,WH-1\n",
		intake.Outbounds: "reference,sku,quantity,location\nSO-1,MUG,5,WH-1\nSO-2,MUG,5,WH-1\n",
		intake.Transfers: "reference,sku,quantity,source,destination\nTR-1,MUG,5,WH-1,WH-2\nTR-1,OAT,5,WH-1,WH-2\n",
		intake.Stock:     "sku,location,quantity\nMUG,WH-1,5\n",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			w := company(t)
			svc := usingUp{w.Service, w.Product("CUP", api.TrackNone).ID, w.Location("WH-3").ID}
			plan := prepare(t, svc, kind, text)
			require.Empty(t, plan.Problems)
			out, err := plan.Apply(t.Context(), svc)
			if kind == intake.Stock { // only the key shows that a line was imported
				require.ErrorContains(t, err, "line 2: IDEMPOTENCY_KEY_REUSED: Another entry used the key of this line. Add an empty line")
				require.Equal(t, intake.Outcome{Applied: 1}, importTable(t, w.Service, kind, text+"\n"))
				return
			}
			require.NoError(t, err)
			require.Equal(t, intake.Outcome{Applied: 2}, out)
			require.Zero(t, prepare(t, w.Service, kind, text).Steps())
		})
	}
}

func TestApply_RejectsPlanWithProblems(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	plan := prepare(t, w.Service, intake.Products, "sku,name\nA,a\nB,\n")
	require.Len(t, plan.Problems, 1)
	_, err := plan.Apply(t.Context(), w.Service)
	require.Error(t, err)
	list := ledgertest.Call(t, w.Service, api.ListProducts, api.ListProductsInput{})
	require.Empty(t, list.Items)
}

func TestApply_CorrectsWhatDiffers(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	change := func(kind intake.Kind, text string) (*intake.Plan, intake.Outcome) {
		t.Helper()
		table, err := sheet.Read(strings.NewReader(text))
		require.NoError(t, err)
		plan, err := intake.Prepare(t.Context(), w.Service, kind, table, intake.Options{Change: true})
		require.NoError(t, err)
		if len(plan.Problems) > 0 {
			return plan, intake.Outcome{}
		}
		out, err := plan.Apply(t.Context(), w.Service)
		require.NoError(t, err)
		return plan, out
	}
	product := func() api.Product {
		p := ledgertest.Call(t, w.Service, api.ListProducts, api.ListProductsInput{SKU: "MILK"}).Items[0]
		p.ID, p.OrganizationID, p.CreatedAt, p.UpdatedAt = api.NoID, api.NoID, time.Time{}, time.Time{}
		return p
	}

	const head = "sku,name,barcode,unit,box factor,box barcode,tracking,reorder point\n"
	importTable(t, w.Service, intake.Products, head+"MILK,Milk,m-1,piece,,,none,5\nTEA,Tea,t-1,,,,,\n")
	text := head + "milk,Milk 1 l,m-1|m-2,,12,24006381333935,lot,\nTEA,Tea,t-1,,,,,\nNEW,New,,,,,,\n"
	plan, out := change(intake.Products, text)
	require.Equal(t, []int{1, 1, 1}, []int{plan.New(), plan.Changed, plan.Unchanged})
	require.Equal(t, 2, out.Applied)
	five := int64(5)
	want := api.Product{Environment: api.Live, SKU: "MILK", Name: "Milk 1 l", Barcodes: []string{"m-1", "m-2"}, BaseUnitCode: "piece",
		Units:    []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"24006381333935"}}},
		Tracking: api.TrackLot, Components: []api.Component{}, ReorderPoint: &five, Status: api.Active, Version: 4}
	want.Environment = product().Environment
	require.Equal(t, want, product(), "empty cells change nothing")

	plan, out = change(intake.Products, text)
	require.Equal(t, []int{0, 0, 3, 0}, []int{plan.New(), plan.Changed, plan.Unchanged, out.Applied})
	ledgertest.Call(t, w.Service, api.ChangeProduct, api.ChangeProductInput{ProductID: ledgertest.Call(t, w.Service, api.ListProducts,
		api.ListProductsInput{SKU: "MILK"}).Items[0].ID, Name: "Wrong", Units: []api.Unit{{UnitCode: "box", Factor: 10, Barcodes: []string{"24006381333935"}}}})
	plan, _ = change(intake.Products, text)
	require.Equal(t, 1, plan.Changed, "the same file corrects what was changed after its import")
	want.Version = 6
	require.Equal(t, want, product())

	plan, _ = change(intake.Products, head+"MILK,Milk 1 l,t-1,,,,,\n")
	require.Len(t, plan.Problems, 1)
	require.Contains(t, plan.Problems[0].Message, "already belongs to TEA")

	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Depot,warehouse\n")
	plan, _ = change(intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Shop,store\n")
	require.Equal(t, []int{0, 1, 1}, []int{plan.New(), plan.Changed, plan.Unchanged})
	require.Equal(t, "Shop", ledgertest.Call(t, w.Service, api.ListLocations, api.ListPlacesInput{Code: "WH-2"}).Items[0].Name)
}

func TestPrepare_RejectsEmptyBox(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	plan := prepare(t, w.Service, intake.Products, "sku,name,box factor\nA,a,0\n")
	require.Len(t, plan.Problems, 1)
	require.Contains(t, plan.Problems[0].String(), "must be at least 1, is 0")
}

// Programs write whole numbers with decimals, which leave no doubt what separates what.
func TestPrepare_NumbersWithDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"60,00": 60, "60.0": 60, "1.200,00": 1200, "1,200.00": 1200, "1200,0": 1200, "1.234.567,0": 1_234_567,
		"1.200": 0, "1,200": 0, "60,50": 0, "60,000": 0, "1.20,00": 0, "1,200,00": 0, ",00": 0} {
		w := ledgertest.Open(t)
		w.Product("MUG", "")
		w.Location("WH-1")
		plan := prepare(t, w.Service, intake.Stock, "sku;location;quantity\nMUG;WH-1;"+text+"\n")
		require.Equal(t, want == 0, len(plan.Problems) > 0, text)
		if want == 0 {
			continue
		}
		_, err := plan.Apply(t.Context(), w.Service)
		require.NoError(t, err)
		require.Equal(t, want, ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{}).Items[0].OnHand, text)
	}
}

// A number is ambiguous if what separates its digits may begin decimals.
func TestPrepare_AmbiguousNumbers(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Product("MUG", "")
	w.Location("WH-1")
	plan := prepare(t, w.Service, intake.Stock, "sku;location;quantity\nMUG;WH-1;1.200\nMUG;WH-1;60,000\nMUG;WH-1;60,50\n")
	require.Equal(t, []string{
		`line 2: quantity: must be a whole number without separators, is "1.200", which may be 1200 or a fraction`,
		`line 3: quantity: must be a whole number without separators, is "60,000", which may be 60000 or a fraction`,
		`line 4: quantity: must be a whole number without separators, is "60,50"`,
	}, texts(plan))
}

// German programs name the columns in German, and problems name them as the file does.
func TestPrepare_GermanColumns(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "Lagerort-Nr.;Bezeichnung;Art\nHH-1;Hamburg;warehouse\nB-2;Berlin;warehouse\n")
	importTable(t, w.Service, intake.Products, "Artikel-Nr.;Bezeichnung;EAN;Einheit;Kartoninhalt;Karton-EAN;Verfolgung;Meldebestand\n"+
		"OAT;Hafermilch;9521000000018;Stk;12;19521000000015;lot;36,00\nMUG;Tasse;;;;;;\n")
	importTable(t, w.Service, intake.Stock, "Artikel;Lagerort;Menge;Charge;MHD;Eigentümer;Kanal\nOAT;HH-1;1.200,00;L1;31.03.2027;;\n")
	importTable(t, w.Service, intake.Inbounds, "Referenz;Position;EAN;Menge;Lagerort;Charge;Verfallsdatum;Lieferant;Lieferschein-Nr.;Auftrag;Liefertermin;NVE\n"+
		"PO-1;10;9521000000018;60,00;HH-1;L2;30.04.2027;Müller;LS-7;A-1;01.03.2027;340123450000000017\n")
	importTable(t, w.Service, intake.Outbounds, "Beleg-Nr.;Artikelnummer;Menge;Lager;Kunde;Versandtermin\nSO-1;OAT;5;HH-1;Schulz;02.03.2027\n")
	importTable(t, w.Service, intake.Transfers, "Referenz;Artikel;Menge;Von;Nach\nTR-1;OAT;5;HH-1;B-2\n")

	in := ledgertest.Do(w, api.ListInbounds, api.ListInboundsInput{}).Items[0]
	require.Equal(t, []string{"PO-1", "Müller", "LS-7", "A-1"}, []string{in.ReferenceID, in.SupplierName, in.SupplierReference, in.ExternalOrderID})
	require.EqualValues(t, 60, in.ExpectedQuantity)
	require.Equal(t, "2027-03-01", in.ExpectedAt.Format(time.DateOnly))
	announced := api.AnnouncedIn(in.Metadata)
	require.Equal(t, []string{"10", "L2", "340123450000000017"}, []string{announced.Line, announced.LotCode, announced.SSCC})

	require.Equal(t, []string{
		"line 2: Menge: must be at least 1, is 0",
		"line 3: MHD: is 2027-04-01, but the ledger has 2027-03-31 for lot L1; check the label",
		"line 4: Artikel: there is no product TEE; import the products first",
	}, texts(prepare(t, w.Service, intake.Inbounds,
		"Referenz;Artikel;Menge;Lagerort;Charge;MHD\nPO-2;MUG;0;HH-1;;\nPO-3;OAT;5;HH-1;L1;1.4.2027\nPO-4;TEE;1;HH-1;;\n")))
	require.Equal(t, []string{"line 1: the column Artikel appears twice, also as SKU", `line 1: the column "Kunde" is unknown; allowed: ` +
		"reference, quantity, location, sku, gtin, line, lot, batch, expiry, serials, sscc, supplier, supplierReference, order, expectedAt, owner, channel, carrier"},
		texts(prepare(t, w.Service, intake.Inbounds, "Referenz;SKU;Artikel;Menge;Lagerort;Kunde\nPO-2;MUG;MUG;1;HH-1;\n")))
}

// The number of the document's own order identifies it, unless another column does.
func TestPrepare_SpanishWorkbook(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "Clave,Nombre,Tipo\nHH-1,Central,warehouse\n")
	importTable(t, w.Service, intake.Products, "Artículo,Descripción,Seguimiento\nLECHE,Leche de avena,lot\n")
	f := excelize.NewFile()
	for i, row := range [][]any{{"Folio", "Artículo", "Cantidad", "Almacén", "Lote", "Caducidad", "Proveedor"},
		{"OC-1", "LECHE", 12, "HH-1", "L1", time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC), "Lácteos"}, {"OC-2", "LECHE", 0, "HH-1", "", "", ""}} {
		require.NoError(t, f.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &row))
	}
	require.NoError(t, f.SetSheetName("Sheet1", "Compras"))
	file, err := f.WriteToBuffer()
	require.NoError(t, err)
	require.Equal(t, []string{"sheet Compras, row 3: Cantidad: must be at least 1, is 0"},
		texts(prepare(t, w.Service, intake.Inbounds, file.String())))

	require.NoError(t, f.RemoveRow("Compras", 3))
	file, err = f.WriteToBuffer()
	require.NoError(t, err)
	importTable(t, w.Service, intake.Inbounds, file.String())
	in := ledgertest.Do(w, api.ListInbounds, api.ListInboundsInput{}).Items[0]
	announced := api.AnnouncedIn(in.Metadata)
	require.Equal(t, []string{"OC-1", "Lácteos", "L1", "2027-03-31"},
		[]string{in.ReferenceID, in.SupplierName, announced.LotCode, announced.ExpiresAt.Format(time.DateOnly)})
}

func TestPrepare_GermanOrderIsTheReference(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "code,name,type\nHH-1,Hamburg,warehouse\n")
	importTable(t, w.Service, intake.Products, "sku,name\nOAT,Oat\n")
	importTable(t, w.Service, intake.Inbounds, "Bestellnummer;Artikel;Menge;Lagerort;Auftrag\nPO-1;OAT;6;HH-1;A-1\n")
	importTable(t, w.Service, intake.Inbounds, "Referenz;Artikel;Menge;Lagerort;Bestellnummer\nPO-2;OAT;6;HH-1;B-2\n")
	importTable(t, w.Service, intake.Outbounds, "Auftrags-Nr.;Artikel;Menge;Lager;Bestell-Nr.\nSO-1;OAT;5;HH-1;B-3\n")
	var orders []string
	for _, in := range ledgertest.Do(w, api.ListInbounds, api.ListInboundsInput{}).Items {
		orders = append(orders, in.ReferenceID+" "+in.ExternalOrderID)
	}
	out := ledgertest.Do(w, api.ListOutbounds, api.ListOutboundsInput{}).Items[0]
	require.ElementsMatch(t, []string{"PO-1 A-1", "PO-2 B-2"}, orders)
	require.Equal(t, []string{"SO-1", "B-3"}, []string{out.ReferenceID, out.ExternalOrderID})
}

func TestPrepare_LotsMustAgree(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Main,warehouse\n")
	importTable(t, w.Service, intake.Products, "sku,name,tracking\nOAT,Oat,lot\nSCA,Scale,serial\n")
	importTable(t, w.Service, intake.Stock, "sku,location,quantity,lot,expiry\nOAT,WH-1,5,L1,2027-01-31\n")
	plan := prepare(t, w.Service, intake.Stock, "sku,location,quantity,lot,expiry\nOAT,WH-2,5,L1,2027-02-28\n"+
		"OAT,WH-2,5,l1,\nOAT,WH-2,5,L2,2027-03-31\nOAT,WH-1,5,L2,2027-04-30\nSCA,WH-1,5,,\nOAT,Main,5,L4,\nOAT,WH-2,5,,2027-01-31\n")
	var problems []string
	for _, p := range plan.Problems {
		problems = append(problems, p.String())
	}
	require.Equal(t, []string{
		"line 2: expiry: is 2027-02-28, but the ledger has 2027-01-31 for lot L1; check the label",
		"line 3: lot: is l1, but the ledger calls it L1",
		"line 5: expiry: is 2027-04-30, but line 4 has 2027-03-31 for lot L2; check the label",
		"line 6: sku: SCA is serialized; receive it in the terminal",
		"line 7: location: there is no location with the code or unique name Main",
		"line 8: lot: is missing: OAT is tracked by lot",
	}, problems)
}

// A large table is not in memory: neither its rows nor its operations. The test is not
// parallel, since it measures the memory of the process.
func TestPrepare_HoldsNoRows(t *testing.T) {
	w := ledgertest.Open(t)
	const n = 8000 // so that the file is too large for the memory
	text := table("sku,name,barcode", "S-%05d,"+strings.Repeat("long name ", 15)+",2000%[1]d", n)
	prepare(t, w.Service, intake.Products, text[:len(text)/4]+"\n") // fills caches
	before, most := heapBytes(), int64(0)
	table, err := sheet.Read(strings.NewReader(text))
	require.NoError(t, err)
	plan, err := intake.Prepare(t.Context(), w.Service, intake.Products, table, intake.Options{Progress: func(done, _ int) {
		if done%(n/4) == 0 {
			most = max(most, heapBytes())
		}
	}})
	require.NoError(t, err)
	require.Equal(t, n, plan.Steps())
	require.Less(t, most-before, int64(len(text)), "while the table is checked")
	require.Less(t, heapBytes()-before, int64(len(text)/8), "until it is applied")
	runtime.KeepAlive(plan)
	runtime.KeepAlive(text)
}

// heapBytes returns the memory in use.
func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestPrepare_ChecksPlanLimit(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	two := int64(2)
	w.Limit(api.Limits{ActiveProducts: &two, Reports: true})
	plan := prepare(t, w.Service, intake.Products, "sku,name\nA,a\nB,b\nC,c\n")
	require.Len(t, plan.Problems, 1)
	require.Contains(t, plan.Problems[0].Message, "the plan allows 2 active products and there are 0; the file adds 3 more")
}
