package printing_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label"
	"bincard/tui/label/printing"
)

const sampleSettings = `
printer = "office"
template = "50x25"
link_domain = "https://stock.example.com/id"
company_prefix = "0952100"
sscc_extension = 3
sscc_from = 1000

[[printers]]
name = "office"
address = "cups:Office"

[[printers]]
name = "dock"
address = "tcp://10.0.0.9:9100"
location = "WH-1"
dpi = 300
template = "100x150"
font = "E:ANMDS.TTF"
no_status = true
`

func TestParse_Settings(t *testing.T) {
	t.Parallel()
	s, err := printing.ParseSettings("labels.toml", sampleSettings)
	require.NoError(t, err)
	require.Equal(t, printing.Printer{Name: "dock", Address: "tcp://10.0.0.9:9100", Location: "WH-1", DPI: 300, Template: "100x150", Font: "E:ANMDS.TTF", NoStatus: true}, s.Printers[1])
	for _, c := range []struct{ name, location, want string }{{"", "WH-1", "dock"}, {"", "WH-2", "office"}, {"Office", "WH-1", "office"}} {
		p, err := s.Choose(c.name, c.location, "")
		require.NoError(t, err)
		require.Equal(t, c.want, p.Name)
	}
	require.Equal(t, "50x25", s.TemplateFor(label.KindLot, s.Printers[0]))
	require.Equal(t, "100x150", s.TemplateFor(label.KindLot, s.Printers[1]))
	require.Equal(t, "100x150", s.TemplateFor(label.KindPallet, s.Printers[0]))
	next, err := s.Counter(t.TempDir()).Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "30952100000001000", next[:17])
}

func TestRead_MissingFileIsEmpty(t *testing.T) {
	t.Parallel()
	s, err := printing.ReadSettings(filepath.Join(t.TempDir(), "labels.toml"))
	require.NoError(t, err)
	_, err = s.Choose("", "WH-1", "")
	require.ErrorContains(t, err, "no label printer is set up for this location")
	require.Equal(t, "70x40", s.TemplateFor(label.KindLot, printing.Printer{}))
}

func TestParse_MistakesNameTheLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"syntax":   {"printer = \"x\"\nname =", "labels.toml, line 2: "},
		"type":     {"\nsscc_from = \"x\"", "labels.toml, line 2 (last key "},
		"unknown":  {"template = \"x\"\nsize = 3", `line 2: unknown setting "size"`},
		"nested":   {"[[printers]]\nname = \"a\"\naddress = \"cups:a\"\nspeed = 3", `line 4: unknown setting "speed"`},
		"address":  {"[[printers]]\nname = \"a\"\naddress = \"usb\"", `line 2: printer "a": the address "usb" is not one of a printer`},
		"twice":    {"[[printers]]\nname = \"a\"\naddress = \"cups:a\"\n[[printers]]\nname = \"A\"\naddress = \"cups:a\"", `there are two printers "A"`},
		"default":  {"template = \"x\"\nprinter = \"b\"\n[[printers]]\nname = \"a\"\naddress = \"cups:a\"", `line 2: there is no printer "b": use one of a`},
		"domain":   {"link_domain = \"example.com\"", `line 1: link_domain = "example.com" is not an address`},
		"prefix":   {"company_prefix = \"12\"", `line 1: the company prefix "12" is not a number`},
		"no name":  {"[[printers]]\naddress = \"cups:a\"", "a printer needs a name"},
		"two dpis": {"[[printers]]\nname = \"a\"\naddress = \"cups:a\"\ndpi = 100", "line 2: printer \"a\": dpi = 100 is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := printing.ParseSettings("labels.toml", c.text)
			require.ErrorContains(t, err, c.problem)
		})
	}
}

func TestIsAutomatic_ByLocationAndProduct(t *testing.T) {
	t.Parallel()
	s, err := printing.ParseSettings("labels.toml", `
[[automatic]]
location = "WH-1"
sku = "oat-*"

[[automatic]]
sku = "TEA/*"

[[automatic]]
location = "WH-2"
`)
	require.NoError(t, err)
	for _, c := range []struct {
		location, sku string
		want          bool
	}{
		{"WH-1", "OAT-1L", true}, {"wh-1", "OAT-2L/B", true}, {"WH-1", "SOY-1L", false}, {"WH-3", "OAT-1L", false},
		{"WH-3", "TEA/GREEN", true}, {"WH-3", "TEA-GREEN", false}, {"WH-2", "ANY", true}, {"", "OAT-1L", false},
	} {
		require.Equal(t, c.want, s.IsAutomatic(c.location, c.sku), c)
	}
	require.False(t, printing.Settings{}.IsAutomatic("WH-1", "OAT-1L"))
}

func TestParse_RejectsAutomaticPattern(t *testing.T) {
	t.Parallel()
	_, err := printing.ParseSettings("labels.toml", "[[automatic]]\nlocation = \"WH-1\"\nsku = \"OAT-[\"\n")
	require.EqualError(t, err, `labels.toml, line 3: sku = "OAT-[" is not a pattern like OAT-*. Correct or remove the file.`)
	_, err = printing.ParseSettings("labels.toml", "[[automatic]]\nplace = \"WH-1\"\n")
	require.ErrorContains(t, err, `unknown setting "place"`)
}
