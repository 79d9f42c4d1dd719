package intake

import (
	"strings"

	"bincard/server/sheet"
)

// german are the German names of the columns, without blanks and punctuation.
var german = map[string]string{
	"barcode":           "ean strichcode",
	"box barcode":       "kartonean kartonbarcode",
	"box factor":        "kartoninhalt kartonmenge stückprokarton stückjekarton",
	"carrier":           "spediteur spedition frachtführer",
	"channel":           "kanal vertriebskanal",
	"code":              "kürzel lagerortnr lagerortnummer",
	"customer":          "kunde kundenname",
	"destination":       "nach ziel ziellager ziellagerort",
	"expectedAt":        "erwartet erwartetam liefertermin lieferdatum",
	"expiry":            "mhd verfall verfallsdatum ablaufdatum mindesthaltbarkeitsdatum",
	"gtin":              "ean",
	"line":              "position positionsnr positionsnummer pos posnr zeile",
	"location":          "lagerort lager standort",
	"lot":               "charge chargennr chargennummer",
	"name":              "bezeichnung artikelbezeichnung",
	"order":             "auftrag auftragsnr auftragsnummer bestellung bestellnr bestellnummer",
	"owner":             "eigentümer eigentuemer",
	"quantity":          "menge anzahl stückzahl",
	"reference":         "referenz beleg belegnr belegnummer",
	"reorder point":     "meldebestand",
	"serials":           "seriennr seriennummer seriennummern",
	"shipAt":            "versandtermin versanddatum versandam",
	"sku":               "artikel artikelnr artikelnummer artnr",
	"source":            "von quelle quelllager",
	"sscc":              "nve palettennr palettennummer",
	"supplier":          "lieferant lieferantenname",
	"supplierReference": "lieferschein lieferscheinnr lieferscheinnummer",
	"tracking":          "verfolgung",
	"type":              "art typ",
	"unit":              "einheit mengeneinheit",
}

// ownOrder has the German names of a document's own order. Its number is the reference of a table
// without another one.
var ownOrder = map[Kind]string{
	Inbounds:  "bestellung bestellnr bestellnummer",
	Outbounds: "auftrag auftragsnr auftragsnummer",
}

// nameColumns tells a table of the kind which column each German name stands for.
func (k Kind) nameColumns(table *sheet.Table) {
	table.Aliases = map[string]string{}
	add := func(column, names string) {
		for _, name := range strings.Fields(names) {
			table.Aliases[name] = sheet.Fold(column)
		}
	}

	required, optional := k.Columns()
	for _, column := range append(required, optional...) {
		add(column, german[column])
	}
	if !table.Has("reference") {
		add("reference", ownOrder[k])
	}
}
