package demo

import (
	"fmt"
	"strings"
)

// barcodeSheet returns a page of sample scans.
func (w *generator) barcodeSheet() string {
	oat, soy, coffee, scale := w.find("OAT-1L"), w.find("SOY-1L"), w.find("COF-500"), w.find("SCA-5")
	next := fmt.Sprintf("%s%06d", scale.SKU[:3], w.serials+1)
	rows := [][2]string{
		{"Oat milk 1 l, one unit (EAN-13)", oat.ean},
		{"Oat milk 1 l, a box of 12 (ITF-14)", oat.box},
		{"Oat milk 1 l with lot and expiration (GS1)", fmt.Sprintf("(01)0%s(17)%s(10)%s", oat.ean, oat.expiry, oat.lot)},
		{"Oat milk 1 l, a new lot, 24 units (GS1)", fmt.Sprintf("(01)0%s(17)%s(30)24(10)L999-N", oat.ean, w.now.AddDate(0, 9, 0).Format("060102"))},
		{"Soy drink 1 l (EAN-13)", soy.ean},
		{"Coffee beans 500 g with its lot (GS1)", fmt.Sprintf("(01)0%s(17)%s(10)%s", coffee.ean, coffee.expiry, coffee.lot)},
		{"Kitchen scale with a new serial number (GS1)", fmt.Sprintf("(01)0%s(21)%s", scale.ean, next)},
		{"The same as a GS1 Digital Link", fmt.Sprintf("https://id.example.com/01/0%s/21/%s", scale.ean, next)},
		{"A misread: wrong check digit", oat.ean[:12] + string('0'+(oat.ean[12]-'0'+1)%10)},
		{"The main warehouse", w.main.Code},
		{"The store", w.store.Code},
	}

	var b strings.Builder
	fmt.Fprintf(&b, "%s: codes to scan or type on any screen\n\n", Company)
	for _, r := range rows {
		fmt.Fprintf(&b, "  %s\n      %s\n", r[0], r[1]) // a code on its own line can be copied whole
	}

	b.WriteString("\nAny SKU or document reference in the lists works too.\n")

	return b.String()
}
