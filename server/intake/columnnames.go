package intake

// translated are the German and the Spanish names of the columns, without blanks and punctuation.
var translated = map[string]string{
	"barcode":           "ean strichcode códigodebarras codigodebarras",
	"box barcode":       "kartonean kartonbarcode códigodecaja",
	"box factor":        "kartoninhalt kartonmenge stückprokarton stückjekarton piezasporcaja contenidocaja",
	"carrier":           "spediteur spedition frachtführer transportista paquetería",
	"channel":           "kanal vertriebskanal canal",
	"code":              "kürzel lagerortnr lagerortnummer clave código codigo",
	"customer":          "kunde kundenname cliente",
	"destination":       "nach ziel ziellager ziellagerort destino",
	"expectedAt":        "erwartet erwartetam liefertermin lieferdatum fechaesperada fechadeentrega",
	"expiry":            "mhd verfall verfallsdatum ablaufdatum mindesthaltbarkeitsdatum caducidad vencimiento fechadecaducidad",
	"gtin":              "ean",
	"line":              "position positionsnr positionsnummer pos posnr zeile línea linea renglón partida",
	"location":          "lagerort lager standort ubicación ubicacion almacén almacen bodega",
	"lot":               "charge chargennr chargennummer lote",
	"name":              "bezeichnung artikelbezeichnung nombre descripción",
	"order":             "auftrag auftragsnr auftragsnummer bestellung bestellnr bestellnummer pedido orden ordendecompra",
	"owner":             "eigentümer eigentuemer propietario dueño",
	"quantity":          "menge anzahl stückzahl cantidad",
	"reference":         "referenz beleg belegnr belegnummer referencia folio",
	"reorder point":     "meldebestand puntodereorden",
	"serials":           "seriennr seriennummer seriennummern series númerosdeserie",
	"shelf":             "lagerplatz lagerplätze estante estantes",
	"shipAt":            "versandtermin versanddatum versandam fechadeenvío",
	"sku":               "artikel artikelnr artikelnummer artnr artículo articulo clavedeartículo",
	"source":            "von quelle quelllager origen",
	"sscc":              "nve palettennr palettennummer",
	"supplier":          "lieferant lieferantenname proveedor",
	"supplierReference": "lieferschein lieferscheinnr lieferscheinnummer remisión notadeentrega",
	"tracking":          "verfolgung seguimiento",
	"type":              "art typ tipo",
	"unit":              "einheit mengeneinheit unidad",
}

// ownOrder has the names of a document's own order in these languages. Its number is the reference
// of a table without another one.
var ownOrder = map[Kind]string{
	Inbounds:  "bestellung bestellnr bestellnummer orden ordendecompra",
	Outbounds: "auftrag auftragsnr auftragsnummer pedido",
}
