package views_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

var colours = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// painted are the colours of a view, as numbers of the 256.
func painted(view string) (out []string) {
	for _, m := range colours.FindAllStringSubmatch(view, -1) {
		codes := strings.Split(m[1], ";")
		for i := 0; i < len(codes); i++ {
			switch code := codes[i]; {
			case (code == "38" || code == "48") && i+2 < len(codes):
				out = append(out, codes[i+2])
				i += 2
			case len(code) == 2 && (code[0] == '3' || code[0] == '4' || code[0] == '9'):
				n := int(code[1] - '0')
				if code[0] == '9' {
					n += 8
				}
				out = append(out, string(rune('0'+n%10)))
				if n >= 10 {
					out[len(out)-1] = "1" + string(rune('0'+n-10))
				}
			case len(code) == 3 && strings.HasPrefix(code, "10"):
				out = append(out, map[byte]string{'0': "8", '1': "9", '2': "10", '3': "11", '4': "12", '5': "13", '6': "14", '7': "15"}[code[2]])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestEveryScreenSaysTheSameInEveryTheme holds that colours add nothing that
// the words do not say, and that every theme paints with its own alone.
func TestEveryScreenSaysTheSameInEveryTheme(t *testing.T) {
	t.Parallel()
	h := viewtest.Open(t)
	reg := registry(h)
	for _, route := range routes(reg, h) {
		plain := ""
		for _, name := range theme.Names() {
			h.Site = h.NewSite() // each finds out anew what the service cannot do
			d := h.Terminal(t, registry(h), func(o *tui.Options) {
				o.Start, o.Theme = []string{"home", route}, theme.Fixed(name, termenv.ANSI256)
			})
			view := d.Painted()
			tuitest.Fits(t, view, tuitest.Shape{Width: 80, Height: 24})
			if plain == "" {
				plain = ansi.Strip(view)
			}
			require.Equal(t, plain, ansi.Strip(view), "%s in %s", route, name)
			for _, c := range painted(view) {
				require.Contains(t, theme.Colours(name), c, "%s in %s: %q", route, name, view)
			}
		}
	}
}

// TestTheRestInAllThemes looks at the screens and the empty ones that the tests
// of their own packages look at in other ways alone.
func TestTheRestInAllThemes(t *testing.T) {
	t.Parallel()
	full, bare := viewtest.Open(t), viewtest.Open(t)
	furnish(full)
	kit := ledgertest.Do(full.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-1", Name: "Breakfast basket",
		Components: []api.Component{{ProductID: full.Oat.ID, Quantity: 2}, {ProductID: full.Coffee.ID, Quantity: 1}}})
	full.Stock(kit.ID, full.Main.ID, 5)
	none := func(*tuitest.Driver) {}
	for _, x := range []struct {
		name, route string
		house       *viewtest.House
		then        func(d *tuitest.Driver)
	}{
		{"piece", "serial/SN-1", full, none},
		{"kit", "kit/KIT-1@WH-1", full, func(d *tuitest.Driver) { d.Type("3").Key("enter") }},
		{"count", "count", full, func(d *tuitest.Driver) { d.Key("enter").Scan("COF-500").Type("7").Key("enter") }},
		{"chart", "explain/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Key("tab") }},
		{"as-of", "snapshot?sku=COF-500&asOf=2026-11-20", full, none},
		{"filter", "movements", full, func(d *tuitest.Driver) { d.Key("f3") }},
		{"order", "fulfill/new", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"transfer", "ship/new", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"delivery", "receive/new", full, func(d *tuitest.Driver) { d.Key("ctrl+s") }},
		{"place", "places/new", full, none},
		{"scanner", "scanner", full, none},
		{"help", "explain/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Key("f1") }},
		{"actions", "receive", full, func(d *tuitest.Driver) { d.Key("ctrl+p").Type("stock") }},
		{"no-inbound", "receive", bare, none},
		{"no-transfer", "arrive", bare, none},
		{"no-order", "fulfill", bare, none},
		{"no-stock", "stock", bare, none},
		{"no-movement", "movements", bare, none},
		{"no-balance", "snapshot", bare, none},
		{"no-reservation", "reservations", bare, none},
		{"none-late", "late", bare, none},
		{"none-low", "low", bare, none},
		{"none-ends", "expiring", bare, none},
		{"none-unknown", "unknown", bare, none},
		{"nothing", "home", bare, none},
	} {
		x.house.Themes(t, x.name, registry(x.house), x.route, x.then)
	}
}
