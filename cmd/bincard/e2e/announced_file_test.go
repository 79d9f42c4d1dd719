package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/sheet"
)

// An announcedLine is a line of a file of deliveries.
type announcedLine struct {
	number   int
	product  int // index into announcedProducts
	quantity int64
	lot      string
	serials  []string
	pallet   string // its SSCC; "" if it is loose
}

// An announcedProduct is a product of the deliveries.
type announcedProduct struct{ sku, barcode, tracking string }

// announcedProducts are three products by lot, two that are not tracked and one by serial
// number.
var announcedProducts = []announcedProduct{
	{"TEA-1", withCheckDigit("952130001001"), "lot"}, {"TEA-2", withCheckDigit("952130001002"), "lot"}, {"TEA-3", withCheckDigit("952130001003"), "lot"},
	{"CUP-1", withCheckDigit("952130001004"), ""}, {"CUP-2", withCheckDigit("952130001005"), ""},
	{"KETTLE", withCheckDigit("952130001006"), "serial"},
}

// An announcedDelivery is the lines with one reference. Every fourth delivery is loose; the
// others are on pallets with up to three lines each.
type announcedDelivery struct {
	reference, location string
	lines               []announcedLine
}

// announcedDeliveries returns n deliveries with 12 or 13 lines each.
func announcedDeliveries(n int) []announcedDelivery {
	all := make([]announcedDelivery, n)
	for i := range n * 25 / 2 {
		d, k := &all[i%n], i/n
		if k == 0 {
			*d = announcedDelivery{reference: fmt.Sprintf("ASN-%03d", i), location: []string{"WH-1", "ST-1"}[i/4%2]}
		}
		l := announcedLine{number: k + 1, product: (i%n + k) % len(announcedProducts), quantity: int64(1 + (7*i)%48)}
		switch announcedProducts[l.product].tracking {
		case "lot":
			l.lot = fmt.Sprintf("L%d-%d", k, i%17)
		case "serial":
			l.quantity = 2
			l.serials = []string{fmt.Sprintf("K%05d-A", i), fmt.Sprintf("K%05d-B", i)}
		}
		if i%n%4 != 3 {
			l.pallet = withCheckDigit(fmt.Sprintf("3952130%010d", i%n*10+k/3))
		}
		d.lines = append(d.lines, l)
	}
	return all
}

// announcedFile writes deliveries as a file. The lines of a delivery are not together.
func announcedFile(all []announcedDelivery) string {
	var b strings.Builder
	b.WriteString("reference,line,sku,quantity,location,lot,expiry,serials,sscc\n")
	for k := range all[0].lines {
		for _, d := range all {
			if k >= len(d.lines) {
				continue
			}
			l, expires := d.lines[k], ""
			if l.lot != "" {
				expires = expiry("2006-01-02")
			}
			fmt.Fprintf(&b, "%s,%d,%s,%d,%s,%s,%s,%s,%s\n", d.reference, l.number, announcedProducts[l.product].sku, l.quantity, d.location,
				l.lot, expires, strings.Join(l.serials, "|"), l.pallet)
		}
	}
	return b.String()
}

// tableLines returns the cells of the rows of a table that keep accepts, sorted.
func tableLines(t *testing.T, text string, keep func(cell func(column string) string) bool, columns ...string) (lines []string) {
	t.Helper()
	table, err := sheet.Read([]byte(text))
	require.NoError(t, err)
	require.Empty(t, table.Problems)
	for _, r := range table.Rows {
		cell := func(column string) string { return table.Cell(r, column) }
		if keep != nil && !keep(cell) {
			continue
		}
		var cells []string
		for _, column := range columns {
			cells = append(cells, strings.ReplaceAll(cell(column), " ", "|")) // between serial numbers
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	slices.Sort(lines)
	return lines
}
