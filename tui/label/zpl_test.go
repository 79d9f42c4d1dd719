package label_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui/label"
	"bincard/tui/label/labeltest"
	"bincard/tui/scan"
)

var update = flag.Bool("update", false, "write the golden files")

func TestEncode_Golden(t *testing.T) {
	t.Parallel()
	for name, l := range labeltest.Samples() {
		for _, x := range []struct {
			template string
			opts     label.Options
		}{{"70x40", label.Options{}}, {"100x150", label.Options{DPI: 300}}, {"50x25", label.Options{Symbol: label.QR, Domain: "https://stock.example.com"}}} {
			t.Run(name+" "+x.template, func(t *testing.T) {
				t.Parallel()
				page, _ := labeltest.Page(t, l, x.template, x.opts)
				got, err := label.ZPL(page, label.ZPLOptions{Copies: 2})
				require.NoError(t, err)
				file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "_")+"-"+x.template+".zpl")
				if *update {
					require.NoError(t, os.WriteFile(file, got, 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), string(got))
			})
		}
	}
}

// Whatever the fields contain, the printer gets the commands of the page and nothing
// else, the same texts, and barcodes that scan as the same values.
func TestEncode_PrintsThePage(t *testing.T) {
	t.Parallel()
	hostile := rapid.SampledFrom([]string{"^XA^FO1,1^XZ", "~JR", "~HS", `\5E`, "_1", "_", ">8", ">;", "^FS", "牛奶", "حليب", "Öl", "\x1b[2J", ",", " "})
	testenv.Property.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.OneOf(hostile, rapid.StringMatching(`[ -~]{1,10}`)), 1, 5).Draw(t, name), "")
		}
		l := labeltest.Samples()[rapid.SampledFrom([]string{"lot", "serial", "location", "document", "pallet", "lot without a GTIN"}).Draw(t, "label")]
		l.Name, l.LocationName, l.Party = text("name"), text("location name"), text("party")
		l.Lot = rapid.StringMatching(`[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}`).Draw(t, "lot")
		if l.Kind == label.KindDocument {
			l.Reference = rapid.StringMatching(`[A-Z][!-~]{0,20}[A-Z]`).Draw(t, "reference")
		}
		page, codes := labeltest.Page(t, l, "100x150", label.Options{Symbol: label.Symbology(rapid.SampledFrom([]string{"", "datamatrix", "qr"}).Draw(t, "symbol"))})
		data, err := label.ZPL(page, label.ZPLOptions{})
		require.NoError(t, err)
		commands, err := readZPL(string(data))
		require.NoError(t, err)
		requirePage(t, page, commands)
		for _, s := range page.Symbols {
			content := codes.Main
			if len(page.Symbols) == 2 && s.Y == page.Symbols[0].Y {
				content = codes.Contents
			}
			want := content.Plain
			switch {
			case s.Symbology == label.QR:
				want = content.Text(label.DefaultDomain)
			case content.IsGS1():
				want = content.ElementString()
			}
			require.Equal(t, want, s.Data)
			require.Equal(t, want, scan.Parse(s.Data, labeltest.Now).Raw)
		}
	})
}

// requirePage requires that the commands are those of the page in order.
func requirePage(t require.TestingT, p *label.Page, commands []command) {
	at := 0
	next := func(name string) string {
		require.Less(t, at, len(commands), name)
		require.Equal(t, name, commands[at].name, "command %d", at)
		at++
		return commands[at-1].params
	}
	position := func(x, y int) { require.Equal(t, fmt.Sprintf("%d,%d", x, y), next("^FO")) }
	data := func() string {
		require.Equal(t, `\`, next("^FH"))
		text := next("^FD")
		require.Empty(t, next("^FS"))
		return text
	}
	next("^XA")
	require.Equal(t, "28", next("^CI"))
	require.Equal(t, fmt.Sprint(p.Width), next("^PW"))
	require.Equal(t, fmt.Sprint(p.Height), next("^LL"))
	require.Equal(t, "0,0", next("^LH"))
	if commands[at].name == "^PA" {
		require.Equal(t, "0,1,1,1", next("^PA"))
	}
	for _, x := range p.Boxes {
		position(x.X, x.Y)
		require.Equal(t, fmt.Sprintf("%d,%d,%d", x.Width, x.Height, x.Thickness), next("^GB"))
		next("^FS")
	}
	for _, x := range p.Texts {
		position(x.X, x.Y)
		require.Equal(t, fmt.Sprintf("0N,%d,%d", x.Height, x.Height*9/10), next("^A"))
		require.Equal(t, x.Text, data())
	}
	for _, s := range p.Symbols {
		position(s.X, s.Y)
		var got string
		var err error
		switch s.Symbology {
		case label.Code128:
			require.Equal(t, fmt.Sprint(s.Module), next("^BY"))
			require.Equal(t, fmt.Sprintf("N,%d,N,N,N,N", s.Height), next("^BC"))
			var characters int
			got, characters, err = readCode128(data())
			// A start and a check character with 11 modules, and a stop of 13.
			require.LessOrEqual(t, 11*(characters+2)+13, s.Columns(), "the printed symbol is wider")
		case label.DataMatrix:
			require.Equal(t, fmt.Sprintf("N,%d,200,,,,_", s.Module), next("^BX"))
			got, err = readDataMatrix(data())
		case label.QR:
			require.Equal(t, fmt.Sprintf("N,2,%d", s.Module), next("^BQ"))
			got = strings.TrimPrefix(data(), "MA,")
		}
		require.NoError(t, err)
		if s.GS1 {
			require.Equal(t, fnc1+s.Data, got)
		} else {
			require.Equal(t, s.Data, got)
		}
	}
	require.Equal(t, "1", next("^PQ"))
	require.Empty(t, next("^XZ"))
	require.Len(t, commands, at)
}

func TestEncode_OtherScripts(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["product"]
	l.Name = "حليب الشوفان"
	page, _ := labeltest.Page(t, l, "70x40", label.Options{})
	got, err := label.ZPL(page, label.ZPLOptions{Font: "E:ANMDS.TTF", Copies: 999})
	require.NoError(t, err)
	require.Contains(t, string(got), "^PA0,1,1,1\n")
	require.Contains(t, string(got), "^A@N,32,28,E:ANMDS.TTF^FH\\^FDحليب الشوفان^FS")
	require.Contains(t, string(got), "^PQ999\n")
}

func TestEncode_RejectsWrongOptions(t *testing.T) {
	t.Parallel()
	page, _ := labeltest.Page(t, labeltest.Samples()["product"], "70x40", label.Options{})
	_, err := label.ZPL(page, label.ZPLOptions{Copies: 1000})
	require.ErrorContains(t, err, "1000 copies are more than 999")
	_, err = label.ZPL(page, label.ZPLOptions{Font: "0^XA"})
	require.ErrorContains(t, err, `"0^XA" is not the font of a printer`)
}

// A command is one of a printer: its two letters and its parameters.
type command struct{ name, params string }

// readZPL reads commands as a printer does: each ^ or ~ begins one. It decodes the data
// of a field after ^FH\.
func readZPL(data string) (out []command, err error) {
	data = strings.ReplaceAll(data, "\n", "")
	for data != "" {
		if data[0] != '^' && data[0] != '~' || len(data) < 3 {
			return out, fmt.Errorf("%q is no command", data)
		}
		end := 1 + strings.IndexAny(data[1:]+"^", "^~")
		c := command{data[:3], data[3:end]}
		if c.name[1] == 'A' { // the font is a letter of the name
			c = command{data[:2], data[2:end]}
		}
		if c.name == "^FD" && len(out) > 0 && out[len(out)-1] == (command{"^FH", `\`}) {
			if c.params, err = decodeHex(c.params); err != nil {
				return out, err
			}
		}
		out = append(out, c)
		data = data[end:]
	}
	return out, nil
}

// decodeHex decodes \5E.
func decodeHex(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		x, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", err
		}
		b.WriteByte(byte(x))
		i += 2
	}
	return b.String(), nil
}

// fnc1 stands for FNC1 in what the readers of barcodes return.
const fnc1 = "\x1d"

// readCode128 reads the data of ^BC in mode N: the text, and how many symbol characters
// the printer draws between the start and the check character.
func readCode128(data string) (text string, characters int, err error) {
	set := byte(0)
	for data != "" {
		if data[0] == '>' {
			code := data[:2]
			data = data[2:]
			if set == 0 && code != ">;" && code != ">:" {
				return "", 0, fmt.Errorf("%q is no start", code)
			}
			switch code {
			case ">;", ">5":
				set = 'C'
			case ">:", ">6":
				set = 'B'
			case ">8":
				text += fnc1
			case ">0":
				text += ">"
			case "><":
				text += "^"
			case ">=":
				text += "~"
			default:
				return "", 0, fmt.Errorf("%q is no code", code)
			}
			if code != ">;" && code != ">:" {
				characters++
			}
			continue
		}
		n := 1
		if set == 'C' {
			n = 2
		}
		if set == 0 || n == 2 && (len(data) < 2 || strings.Trim(data[:2], "0123456789") != "") {
			return "", 0, fmt.Errorf("%q is not in set %c", data, set)
		}
		text, data = text+data[:n], data[n:]
		characters++
	}
	return text, characters, nil
}

// readDataMatrix reads the data of ^BX with the escape character _.
func readDataMatrix(data string) (text string, err error) {
	for data != "" {
		switch {
		case strings.HasPrefix(data, "_1"):
			text, data = text+fnc1, data[2:]
		case strings.HasPrefix(data, "__"):
			text, data = text+"_", data[2:]
		case data[0] == '_':
			return "", fmt.Errorf("%q is no escape", data)
		default:
			text, data = text+data[:1], data[1:]
		}
	}
	return text, nil
}
