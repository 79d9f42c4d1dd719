package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
	"bincard/server/sheet"
	"bincard/server/testenv"
)

func TestImportDocuments_BadInput(t *testing.T) {
	t.Parallel()
	w := company(t)
	importTable(t, w.Service, intake.Stock, "sku,location,quantity,lot,expiry\nOAT,WH-1,5,L9,2027-05-05\n")
	head := "reference,sku,quantity,location,lot,expiry,serials,sscc,owner,gtin\n"
	for name, c := range map[string]struct {
		kind     intake.Kind
		text     string
		problems []string
	}{
		"columns": {intake.Inbounds, "reference,skuu,quantity\nA,MUG,1\n", []string{
			"line 1: the column location is missing; required: reference, quantity, location; optional: sku, gtin, line, lot, batch, expiry, serials, sscc, supplier, supplierReference, order, expectedAt, owner, channel, carrier",
			`line 1: the column "skuu" is unknown`,
			"line 1: the column sku is missing; it may be gtin instead"}},
		"no lines": {intake.Outbounds, "reference,sku,quantity,location\n,,,\n", []string{"the file has no lines below its header"}},
		"unknown names": {intake.Inbounds, head + "A,TEA,1,WH-1,,,,,,\nA,MUG,1,WH-9,,,,,,\nA,MUG,1,WH-1,,,,,Nobody,\nA,,1,WH-1,,,,,,\n,MUG,1,WH-1,,,,,,\n", []string{
			"line 2: sku: there is no product TEA; import the products first",
			"line 3: location: there is no location with the code or unique name WH-9",
			"line 4: owner: there is no owner with the code or unique name Nobody",
			"line 5: sku: is missing",
			"line 6: reference: is required"}},
		"quantities": {intake.Inbounds, head + "A,MUG,0,WH-1,,,,,,\nA,MUG,-4,WH-1,,,,,,\nA,MUG,2.5,WH-1,,,,,,\nA,MUG,,WH-1,,,,,,\nA,MUG,\"1,000\",WH-1,,,,,,\nA,MUG,99999999999999999,WH-1,,,,,,\n", []string{
			"line 2: quantity: must be at least 1, is 0", "line 3: quantity: must be at least 1, is -4",
			`line 4: quantity: must be a whole number without separators, is "2.5"`, "line 5: quantity: is missing",
			`line 6: quantity: must be a whole number without separators, is "1,000", which may be 1000 or a fraction`, "line 7: quantity: must be at most 9007199254740991, is 99999999999999999"}},
		"lots": {intake.Inbounds, head + "A,OAT,1,WH-1,L1,31.31.2026,,,,\nA,OAT,1,WH-1,L1,2026-02-30,,,,\nA,OAT,1,WH-1,,2026-12-31,,,,\nA,OAT,1,WH-1,L2,2026-12-31,,,,\nB,OAT,1,WH-1,L2,2026-12-30,,,,\nC,OAT,1,WH-1,L9,2027-05-06,,,,\nC,OAT,1,WH-1,l9,,,,,\n", []string{
			`line 2: expiry: must be a date like 2026-12-31, is "31.31.2026"`, `line 3: expiry: must be a date like 2026-12-31, is "2026-02-30"`,
			"line 4: lot: is missing: an expiration date and a batch need a lot",
			"line 6: expiry: is 2026-12-30, but line 5 has 2026-12-31 for lot L2; check the label",
			"line 8: lot: is l9, but line 7 calls it L9"}},
		"lots of the ledger": {intake.Inbounds, head + "C,OAT,1,WH-1,L9,2027-05-06,,,,\n", []string{
			"line 2: expiry: is 2027-05-06, but the ledger has 2027-05-05 for lot L9; check the label"}},
		"serials": {intake.Inbounds, head + "A,SCA,2,WH-1,,,S-1|S-2,,,\nB,SCA,1,WH-1,,,s-2,,,\nB,SCA,3,WH-1,,,S-4|S-5,,,\nB,MUG,1,WH-1,,,S-6,,,\nB,SCA,2,WH-1,,,S-7|S-7,,,\n", []string{
			"line 3: serials: s-2 of SCA is already on line 2", "line 4: serials: has 2 for a quantity of 3; enter one for each piece, or none",
			"line 5: serials: MUG is not serialized; remove them", "line 6: serials: S-7 appears twice"}},
		"numbers of labels": {intake.Inbounds, head + "A,MUG,1,WH-1,,,,340123450000000018,,\nA,MUG,1,WH-1,,,,3.40123E+17,,\nA,MUG,1,WH-1,,,,123,,\nA,,1,WH-1,,,,,,9521000000019\nA,,1,WH-1,,,,,,95210\nA,,1,WH-1,,,,,,4006381333931\nA,,1,WH-1,,,,,,19521000000015\nA,OAT,1,WH-1,,,,,,9521000000025\n", []string{
			"line 2: sscc: 340123450000000018 has a wrong check digit; copy it again from the label",
			"line 3: sscc: 3.40123E+17 is a number that the spreadsheet shortened; format the column as text and enter it again",
			`line 4: sscc: must have 18 digits, is "123"`,
			"line 5: gtin: 9521000000019 has a wrong check digit; copy it again",
			`line 6: gtin: must have 8, 12, 13 or 14 digits, is "95210"`,
			"line 7: gtin: there is no product with the GTIN 4006381333931; import the products first, or use the column sku",
			"line 8: gtin: 19521000000015 is a box of 12; enter the SKU and the number of pieces",
			"line 9: gtin: 9521000000025 is the GTIN of MUG, not of OAT"}},
		"one reference": {intake.Inbounds, head + "A,MUG,1,WH-1,,,,,,\nB,MUG,1,WH-1,,,,,,\nA,MUG,2,WH-1,,,,,,\nA,OAT,2,WH-2,,,,,,\na,OAT,2,,,,,,,\n", []string{
			"line 4: sku: MUG is already on line 2 of A; add the quantities, or number the lines in the column line",
			"line 5: location: is WH-2, but an earlier line of A has WH-1; use one reference for each location",
			"line 6: reference: is a, but line 2 has A"}},
		"texts":     {intake.Outbounds, "reference,sku,quantity,location,customer,line\nA\u200b,MUG,1,WH-1,,\nB,MUG,1,WH-1," + strings.Repeat("x", 256) + "," + strings.Repeat("1", 41) + "\n", []string{"line 2: reference: must not contain control or invisible characters, contains U+200B", "line 3: line: must have at most 40 characters, has 41", "line 3: customer: must have at most 255 characters, has 256"}},
		"no places": {intake.Transfers, "reference,sku,quantity,source,destination\nT,MUG,1,,\n", []string{"line 2: source: is missing", "line 2: destination: is missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := prepare(t, w.Service, c.kind, c.text)
			require.Equal(t, c.problems, texts(plan))
		})
	}
	require.Empty(t, inbounds(t, w.Service))
}

func TestImportInbounds_ReportsExistingSerials(t *testing.T) {
	t.Parallel()
	w := company(t)
	text := "reference,sku,quantity,location,serials\n%s,SCA,1,WH-1,S-1\n"
	importTable(t, w.Service, intake.Inbounds, fmt.Sprintf(text, "A"))
	_, err := api.ReceiveInbound.Call(t.Context(), w.Service, api.ReceiveInboundInput{InboundID: inbounds(t, w.Service)[0].ID, Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "S-1"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"line 2: serials: S-1 of SCA already exists (in_stock); check the label"}, texts(prepare(t, w.Service, intake.Inbounds, fmt.Sprintf(text, "B"))))
	require.Empty(t, texts(prepare(t, w.Service, intake.Inbounds, fmt.Sprintf(text, "A"))), "it was received from this file")
}

func TestImportDocuments_ChecksPlanLimit(t *testing.T) {
	t.Parallel()
	w := company(t)
	two := int64(2)
	w.Limit(api.Limits{BillableOperations: &two, Reports: true})
	text := "reference,sku,quantity,location\nA,MUG,1,WH-1\nB,MUG,1,WH-1\nC,MUG,1,WH-1\n"
	require.Equal(t, []string{"the plan allows 2 operations a month and 0 are used; the file needs 3 more"}, texts(prepare(t, w.Service, intake.Inbounds, text)))
	require.Empty(t, texts(prepare(t, w.Service, intake.Transfers, "reference,sku,quantity,source,destination\nA,MUG,1,WH-1,WH-2\nB,MUG,1,WH-1,WH-2\nC,MUG,1,WH-1,WH-2\n")))
}

// A plan lists the first problems and counts the others.
func TestPrepare_BoundsProblems(t *testing.T) {
	t.Parallel()
	w := company(t)
	plan := prepare(t, w.Service, intake.Outbounds, table("reference,sku,quantity,location", "O-%d,MUG,0,WH-1", 1000))
	require.Len(t, plan.Problems, 200)
	require.Equal(t, 1000, plan.ProblemCount())
	require.Equal(t, "line 2: quantity: must be at least 1, is 0", plan.Problems[0].String())
}

// An outbound has at most as many lines as the service accepts.
func TestImportOutbounds_ManyLines(t *testing.T) {
	t.Parallel()
	w := company(t)
	importTable(t, w.Service, intake.Outbounds, table("reference,line,sku,quantity,location", "A,%d,MUG,1,WH-1", 200))
	plan := prepare(t, w.Service, intake.Outbounds, table("reference,line,sku,quantity,location", "B,%d,MUG,1,WH-1", 250))
	require.Equal(t, []string{"line 202: reference: B has more than 200 lines; an outbound has at most 200"}, texts(plan))
}

// A reference with more inbounds than a lookup returns is compared as a whole.
func TestImportInbounds_ManyLines(t *testing.T) {
	t.Parallel()
	w := company(t)
	text := table("reference,line,sku,quantity,location", "A,%d,MUG,1,WH-1", 150)
	importTable(t, w.Service, intake.Inbounds, text)
	plan := prepare(t, w.Service, intake.Inbounds, text)
	require.Zero(t, plan.Steps())
	require.EqualValues(t, 150, plan.Documents.Known[0].Quantity)
}

// The check of many lines reports its progress to the end.
func TestPrepare_ManyLines(t *testing.T) {
	t.Parallel()
	lines := testenv.Lines.Cases(t)
	w := ledgertest.Open(t)
	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\n")
	importTable(t, w.Service, intake.Products, "sku,name\nMUG,Mug\n")
	var b strings.Builder
	b.WriteString("reference,line,sku,quantity,location\n")
	for i := range lines {
		fmt.Fprintf(&b, "PO-%d,%d,MUG,12,WH-1\n", i/20, i%20)
	}
	shown, total := 0, 0
	data, err := sheet.Read(strings.NewReader(b.String()))
	require.NoError(t, err)
	plan, err := intake.Prepare(t.Context(), w.Service, intake.Inbounds, data, intake.Options{Progress: func(done, of int) {
		require.GreaterOrEqual(t, done, shown)
		shown, total = done, of
	}})
	require.NoError(t, err)
	require.Empty(t, plan.Problems)
	require.Equal(t, lines, plan.Steps())
	require.Equal(t, []int{lines, lines}, []int{shown, total})
}

// Serial numbers are compared as they are: they are no GTINs.
func TestImportInbounds_SerialsAreNotPadded(t *testing.T) {
	t.Parallel()
	w := company(t)
	importTable(t, w.Service, intake.Inbounds, "reference,sku,quantity,location,serials\nA,SCA,2,WH-1,12345678|000012345678\n")
	require.Len(t, api.AnnouncedIn(inbounds(t, w.Service)[0].Metadata).SerialNumbers, 2)
}
