package demo

import (
	"fmt"

	"bincard/server/api"
)

// A family is a group of products that differ by variety and size.
type family struct {
	code, name string
	varieties  [][2]string // code, name
	sizes      [][2]string
	box        int64
	tracking   api.Tracking
}

var families = []family{
	{"OAT", "Oat milk", [][2]string{{"", ""}, {"B", "barista"}, {"V", "vanilla"}}, [][2]string{{"250", "250 ml"}, {"1L", "1 l"}}, 12, api.TrackLot},
	{"SOY", "Soy drink", [][2]string{{"", ""}, {"C", "chocolate"}}, [][2]string{{"250", "250 ml"}, {"1L", "1 l"}}, 12, api.TrackLot},
	{"COF", "Coffee beans", [][2]string{{"", ""}, {"D", "dark roast"}, {"E", "espresso"}, {"F", "decaf"}}, [][2]string{{"250", "250 g"}, {"500", "500 g"}, {"1K", "1 kg"}}, 6, api.TrackLot},
	{"TEA", "Tea", [][2]string{{"EG", "Earl Grey"}, {"GR", "green"}, {"RB", "rooibos"}, {"MI", "mint"}, {"CH", "chai"}}, [][2]string{{"20", "20 bags"}, {"100", "100 bags"}}, 24, api.TrackLot},
	{"CHO", "Chocolate", [][2]string{{"M", "milk"}, {"D", "dark 70 %"}, {"H", "hazelnut"}, {"S", "sea salt"}}, [][2]string{{"50", "50 g"}, {"100", "100 g"}}, 20, api.TrackLot},
	{"PAS", "Pasta", [][2]string{{"SP", "spaghetti"}, {"PE", "penne"}, {"FU", "fusilli"}, {"LA", "lasagne"}}, [][2]string{{"500", "500 g"}, {"1K", "1 kg"}}, 12, api.TrackLot},
	{"RIC", "Rice", [][2]string{{"BA", "basmati"}, {"JA", "jasmine"}, {"AR", "arborio"}}, [][2]string{{"500", "500 g"}, {"1K", "1 kg"}, {"5K", "5 kg"}}, 10, api.TrackNone},
	{"OIL", "Olive oil", [][2]string{{"", ""}, {"X", "extra virgin"}}, [][2]string{{"250", "250 ml"}, {"500", "500 ml"}, {"1L", "1 l"}}, 6, api.TrackLot},
	{"TOM", "Tomatoes", [][2]string{{"W", "whole"}, {"C", "chopped"}, {"P", "passata"}}, [][2]string{{"400", "400 g"}, {"800", "800 g"}}, 12, api.TrackNone},
	{"BEA", "Beans", [][2]string{{"K", "kidney"}, {"B", "black"}, {"C", "chick peas"}, {"L", "lentils"}}, [][2]string{{"400", "400 g"}}, 12, api.TrackNone},
	{"CRK", "Crackers", [][2]string{{"", ""}, {"R", "rye"}, {"S", "sesame"}}, [][2]string{{"150", "150 g"}, {"300", "300 g"}}, 16, api.TrackLot},
	{"JAM", "Jam", [][2]string{{"ST", "strawberry"}, {"AP", "apricot"}, {"BL", "blueberry"}, {"RA", "raspberry"}}, [][2]string{{"200", "200 g"}, {"400", "400 g"}}, 12, api.TrackLot},
	{"HON", "Honey", [][2]string{{"", ""}, {"A", "acacia"}, {"F", "forest"}}, [][2]string{{"250", "250 g"}, {"500", "500 g"}}, 12, api.TrackLot},
	{"WAT", "Water", [][2]string{{"S", "still"}, {"C", "sparkling"}}, [][2]string{{"500", "500 ml"}, {"1L", "1.5 l"}}, 24, api.TrackNone},
	{"JUI", "Juice", [][2]string{{"A", "apple"}, {"O", "orange"}, {"G", "grape"}, {"C", "carrot"}}, [][2]string{{"250", "250 ml"}, {"1L", "1 l"}}, 12, api.TrackLot},
	{"SOA", "Soap", [][2]string{{"L", "lavender"}, {"O", "olive"}, {"C", "citrus"}}, [][2]string{{"100", "100 g"}, {"300", "300 ml"}}, 24, api.TrackNone},
	{"TOW", "Tea towel", [][2]string{{"B", "blue"}, {"G", "grey"}, {"R", "red"}}, [][2]string{{"1", "single"}, {"3", "set of 3"}}, 10, api.TrackNone},
	{"MUG", "Mug", [][2]string{{"W", "white"}, {"B", "black"}, {"G", "green"}, {"Y", "yellow"}}, [][2]string{{"250", "250 ml"}, {"400", "400 ml"}}, 6, api.TrackNone},
	{"GLA", "Glass jar", [][2]string{{"", ""}, {"C", "with clip"}}, [][2]string{{"500", "500 ml"}, {"1L", "1 l"}, {"2L", "2 l"}}, 6, api.TrackNone},
	{"CAN", "Candle", [][2]string{{"V", "vanilla"}, {"P", "pine"}, {"U", "unscented"}}, [][2]string{{"S", "small"}, {"L", "large"}}, 12, api.TrackNone},
	{"FLO", "Flour", [][2]string{{"W", "wheat"}, {"R", "rye"}, {"S", "spelt"}}, [][2]string{{"1K", "1 kg"}, {"5K", "5 kg"}}, 10, api.TrackLot},
	{"SUG", "Sugar", [][2]string{{"W", "white"}, {"C", "cane"}}, [][2]string{{"500", "500 g"}, {"1K", "1 kg"}}, 10, api.TrackNone},
	{"NUT", "Nuts", [][2]string{{"A", "almonds"}, {"C", "cashews"}, {"W", "walnuts"}, {"M", "mixed"}}, [][2]string{{"150", "150 g"}, {"500", "500 g"}}, 12, api.TrackLot},
	{"SPI", "Spice", [][2]string{{"PE", "pepper"}, {"PA", "paprika"}, {"CU", "cumin"}, {"CI", "cinnamon"}}, [][2]string{{"40", "40 g"}, {"200", "200 g"}}, 12, api.TrackNone},
	{"BIS", "Biscuits", [][2]string{{"B", "butter"}, {"G", "ginger"}, {"O", "oat"}, {"L", "lemon"}}, [][2]string{{"150", "150 g"}, {"300", "300 g"}, {"600", "tin 600 g"}}, 12, api.TrackLot},
	{"GRA", "Granola", [][2]string{{"H", "honey"}, {"N", "nuts"}, {"F", "fruit"}}, [][2]string{{"300", "300 g"}, {"500", "500 g"}, {"1K", "1 kg"}}, 8, api.TrackLot},
	{"SCA", "Kitchen scale", [][2]string{{"", ""}, {"P", "pro"}}, [][2]string{{"5", "5 kg"}, {"10", "10 kg"}}, 1, api.TrackSerial},
	{"GRI", "Coffee grinder", [][2]string{{"", ""}, {"P", "pro"}}, [][2]string{{"1", "home"}, {"2", "bar"}}, 1, api.TrackSerial},
	{"KET", "Kettle", [][2]string{{"", ""}, {"T", "with thermometer"}}, [][2]string{{"1L", "1 l"}, {"2L", "1.7 l"}}, 1, api.TrackSerial},
	{"ESP", "Espresso machine", [][2]string{{"", ""}}, [][2]string{{"1", "one group"}, {"2", "two groups"}}, 1, api.TrackSerial},
}

func (w *generator) catalogue() {
	n := 0
	for _, k := range families {
		for _, v := range k.varieties {
			for _, size := range k.sizes {
				n++
				w.items = append(w.items, w.product(n, k, v, size))
			}
		}
	}

	// A kit.
	parts := []api.Component{{ProductID: w.find("COF-500").ID, Quantity: 1}, {ProductID: w.find("MUGW-250").ID, Quantity: 2}}
	call(w, api.CreateProduct, api.CreateProductInput{SKU: "KIT-MORNING", Name: "Morning kit: coffee and two mugs",
		Barcodes: []string{gtin13(n + 1)}, BaseUnitCode: "kit", Components: parts})
	// A new product, ordered but never delivered.
	w.newItem = w.product(n+2, family{code: "CID", name: "Apple cider", box: 12, tracking: api.TrackLot}, [2]string{}, [2]string{"1L", "1 l"})
}

func (w *generator) product(n int, k family, variety, size [2]string) *item {
	g := &item{ean: gtin13(n)}
	name := k.name
	if variety[1] != "" {
		name += " " + variety[1]
	}

	low := k.box * 3
	in := api.CreateProductInput{SKU: k.code + variety[0] + "-" + size[0], Name: name + " " + size[1],
		Barcodes: []string{g.ean}, BaseUnitCode: "piece", Tracking: k.tracking, ReorderPoint: &low}
	if k.box > 1 {
		g.box = gtin14(n)
		in.Units = []api.Unit{{UnitCode: "box", Factor: k.box, Barcodes: []string{g.box}}}
	}

	g.Product = call(w, api.CreateProduct, in)

	return g
}

func (w *generator) find(sku string) *item {
	for _, g := range w.items {
		if g.SKU == sku {
			return g
		}
	}

	if w.err == nil {
		w.err = fmt.Errorf("there is no product %s", sku)
	}

	return &item{}
}

// gtin13 and gtin14 return GTINs with the prefix that GS1 reserves for
// demonstrations: of the piece and of its box.
func gtin13(n int) string { return withCheckDigit(fmt.Sprintf("9521000%05d", n)) }
func gtin14(n int) string { return withCheckDigit(fmt.Sprintf("19521000%05d", n)) }

func withCheckDigit(digits string) string {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			d *= 3
		}
		sum += d
	}

	return digits + string(rune('0'+(10-sum%10)%10))
}
