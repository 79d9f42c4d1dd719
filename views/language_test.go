package views_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// plainWord matches a word with a letter that the pseudo language accents.
var plainWord = regexp.MustCompile(`[A-Za-z]*[aeioucns][A-Za-z]*`)

// quoted matches parameters and codes in the routes of the test, such as "{lot}".
var quoted = regexp.MustCompile(`\{\w+\}|%7B\w+%7D|]C1|\w+-\d\w*`)

// untranslated are the words that are the same in every language.
var untranslated = map[string][]string{
	"data": {"Ada", "Camera", "Coffee", "beans", "Default", "Depot", "Foods", "Goods", "Harbor", "Main", "warehouse", "Nordic", "Oat", "milk", "Soy", "drink",
		"Test", "key", "opening", "stock", "box", "piece", "unknown", "customer"},
	"key":    {"ctrl", "ent", "enter", "esc", "tab", "space", "PgDn", "PgUp", "home", "end"},
	"status": {"Bincard", "ONLINE", "TEST"},
}

func isUntranslated(word string) bool {
	for _, words := range untranslated {
		for _, w := range words {
			if w == word || len(word) > 3 && strings.HasPrefix(w, word) { // cut at the edge of a small screen
				return true
			}
		}
	}
	return len(word) < 3 || strings.ToUpper(word) == word
}

// englishWords returns the words of a view that are not in the pseudo language.
func englishWords(view string) (words []string) {
	for _, w := range plainWord.FindAllString(quoted.ReplaceAllString(view, ""), -1) {
		if !isUntranslated(w) {
			words = append(words, w)
		}
	}
	return words
}

// speechText returns the text of the screen in line mode.
func speechText(d *tuitest.Driver) string {
	screen, ok := d.Model.Top().(interface{ Speech() tui.Speech })
	if !ok {
		return ""
	}
	said := screen.Speech()
	lines := append(append(slices.Clone(said.Facts), said.Feed...), said.Question)
	if said.List != nil {
		lines = append(lines, said.List.Noun)
		for row := range min(said.List.Len, 10) {
			lines = append(lines, said.List.Line(row))
		}
	}
	return strings.Join(lines, "\n")
}

// inLanguage returns a warehouse whose terminals use a language, and its routes.
func inLanguage(t testing.TB, code string) (h *viewtest.Warehouse, reg *tui.Registry, list []string) {
	t.Helper()
	h = viewtest.NewWarehouse(t)
	list = routes(registry(h), h)
	h.Translator = tuitest.Language(t, code)
	h.Site = h.NewSite()
	return h, registry(h), list
}

// states are the inputs that show more states of a screen.
var states = map[string]func(d *tuitest.Driver){
	"first view":        func(*tuitest.Driver) {},
	"help":              func(d *tuitest.Driver) { d.Key("f1") },
	"all actions":       func(d *tuitest.Driver) { d.Key("ctrl+p") },
	"unknown scan":      func(d *tuitest.Driver) { d.Scan("4012345678901") },
	"location scan":     func(d *tuitest.Driver) { d.Scan("WH-2") },
	"nothing to book":   func(d *tuitest.Driver) { d.Key("enter") },
	"a form left empty": func(d *tuitest.Driver) { d.Key("ctrl+s") },
	"function key 3":    func(d *tuitest.Driver) { d.Key("f3") },
	"function key 4":    func(d *tuitest.Driver) { d.Key("f4") },
	"function key 6":    func(d *tuitest.Driver) { d.Key("f6") },
	"function key 7":    func(d *tuitest.Driver) { d.Key("f7") },
	"function key 8":    func(d *tuitest.Driver) { d.Key("f8") },
	"function key 9":    func(d *tuitest.Driver) { d.Key("f9") },
}

func TestEveryScreen_PseudoLanguageLeavesNoEnglish(t *testing.T) {
	t.Parallel()
	h, reg, list := inLanguage(t, i18n.Pseudo)
	english := map[string][]string{}
	for _, route := range list {
		for name, show := range states {
			d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
			show(d)
			for _, s := range tuitest.Shapes() {
				d.Size(s.Width, s.Height)
				tuitest.Fits(t, d.Painted(), s)
				for _, w := range englishWords(d.View() + "\n" + speechText(d)) {
					if where := route + " (" + name + ")"; !slices.Contains(english[w], where) {
						english[w] = append(english[w], where)
					}
				}
			}
		}
	}
	var words []string
	for w, where := range english {
		words = append(words, w+": "+strings.Join(where[:min(3, len(where))], ", "))
	}
	slices.Sort(words)
	require.Empty(t, strings.Join(words, "\n"))
}

func TestCountPanel_PseudoLanguageLeavesNoEnglish(t *testing.T) {
	t.Parallel()
	h, reg, _ := inLanguage(t, i18n.Pseudo)
	in := h.Inbound("PO-2", h.Oat, 24, time.Hour)
	d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", "receive/" + in.ID.String()} })
	check := func() {
		t.Helper()
		for _, s := range tuitest.Shapes() {
			d.Size(s.Width, s.Height)
			require.Empty(t, englishWords(d.View()), d.View())
		}
		d.Size(80, 24)
	}
	d.Scan(h.OatBox) // the lot is asked for
	check()
	d.Key("f7")
	check()
	d.Type("L42-A").Key("tab").Type("99999999").Key("enter") // the day is not valid
	check()
	d.Key("esc")
	d.Type("99").Key("enter") // more than pending
	check()
	d.Key("enter", "enter")
	check()
}

func TestTwoTerminals_UseTwoLanguages(t *testing.T) {
	t.Parallel()
	h, _, _ := inLanguage(t, "de")
	german := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "products"} })
	h.Translator = nil
	h.Site = h.NewSite()
	english := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "products"} })
	require.Contains(t, german.View(), "Artikel")
	require.NotContains(t, german.View(), "Products")
	require.Contains(t, english.View(), "Products")
	require.NotContains(t, english.View(), "Artikel")
	german.Key("f1").Sees("Strg+p").Lacks("ctrl+")
	english.Key("f1").Sees("ctrl+p")
}

func TestSignIn_ChangesLanguage(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 20)
	h.Translator = i18n.New(i18n.Language{Code: i18n.English})
	h.Site = h.NewSite()
	d := h.Terminal(t, registry(h), func(o *shell.Options) {
		o.Start = []string{"home"}
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "BADGE-1"}, {Name: "Jan", Badge: "BADGE-2"}},
			OnChange: func(name string) {
				if name == "Jan" {
					h.Translator.SetLanguage(tuitest.Language(t, "de").Language())
				}
			}}
	})
	require.Contains(t, d.View(), "Receive inbound")
	d.Scan("BADGE-2")
	for _, route := range []string{"movements", "snapshot", "low", "expiring", "late"} { // registered before anybody signed in
		d.Do(tui.Open(route))
	}
	require.Contains(t, d.View(), "Überfällig")
	require.NotContains(t, d.View(), "Due and not done")
	d.Do(tui.Open("movements"))
	require.Contains(t, d.View(), "Bewegungen")
	d.Key("f8")
	require.Contains(t, d.View(), "nach Vorgang")
}

// receivePanel opens an inbound of 24 coffee beans.
func receivePanel(t *testing.T, code string) (*viewtest.Warehouse, api.Inbound, *tuitest.Driver) {
	h, reg, _ := inLanguage(t, code)
	in := h.Inbound("PO-2", h.Coffee, 24, time.Hour)
	return h, in, h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", "receive/" + in.ID.String()} })
}

func TestErrors_InGerman(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(h *viewtest.Warehouse, in api.Inbound)
		do     func(d *tuitest.Driver)
		sees   []string
	}{
		"more than pending": {
			before: func(h *viewtest.Warehouse, in api.Inbound) {
				h.Proxy.Before(api.ReceiveInbound.Spec, func() {
					ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 20})
				})
			},
			do:   func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees: []string{"Offen: 4, gezählt: 24."},
		},
		"unknown code": {do: func(d *tuitest.Driver) { d.Scan("4012345678901") }, sees: []string{"4012345678901 ist unbekannt", "Nichts gezählt"}},
		"invalid code": {do: func(d *tuitest.Driver) { d.Scan("]C117270230") }, sees: []string{`(17) "270230" ist kein Datum: Februar 2027 hat 28 Tage.`}},
		"no connection": {
			before: func(h *viewtest.Warehouse, _ api.Inbound) { h.Proxy.Down() },
			do:     func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees:   []string{"Server nicht erreichbar. Nichts gebucht"},
		},
		"rejected by the service": {
			before: func(h *viewtest.Warehouse, in api.Inbound) {
				h.Proxy.Fail(api.ReceiveInbound.Spec, api.Fail(api.LotMismatch, nil, "Lot %s is recorded %v, not with %s. Check the label, or omit the batch to use the recorded one.",
					"L1", api.Textf("with batch %s", "B1"), "B2"), nil)
			},
			do:   func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees: []string{"Charge L1 ist mit Hersteller-Charge B1 erfasst, nicht mit B2."},
		},
		"not loaded": {
			before: func(h *viewtest.Warehouse, _ api.Inbound) {
				h.Proxy.Fail(api.ListInbounds.Spec, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "%v%v",
					api.Textf("The service at %s cannot be reached. Check the network and that the service is running.", "127.0.0.1"), ""), nil)
			},
			do:   func(d *tuitest.Driver) { d.Key("esc", "1") },
			sees: []string{"Der Server 127.0.0.1 ist nicht erreichbar. Netz prüfen"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, code := range []string{"de", i18n.Pseudo} {
				h, in, d := receivePanel(t, code)
				if c.before != nil {
					c.before(h, in)
				}
				c.do(d)
				require.NoError(t, d.Model.Err())
				if code == "de" {
					d.Sees(c.sees...)
				} else {
					require.Empty(t, englishWords(d.View()), d.View())
				}
			}
		})
	}
}

// textFields lists the fields whose text is always shown to people.
var textFields = []string{"Label", "Short", "Help", "Title", "Question", "ShortQuestion", "Hint", "Ask", "Prompt", "Noun", "Empty", "EmptyText", "title", "noun"}

var (
	word  = regexp.MustCompile(`[A-Za-z]{2,}`)
	verbs = regexp.MustCompile(`%[-+0-9]*[a-z]`)
)

// rawTexts returns the untranslated texts in a file that people may read: values of the
// fields above, texts of several words, and concatenated texts.
func rawTexts(path string) (out []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		return nil, err
	}
	var above []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok && isLogged(call) || isTable(n) {
			return false
		}
		above = append(above, n)
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			if plain := filepath.Base(path) == "plain.go"; forPeople(verbs.ReplaceAllString(text, ""), above[len(above)-2], n, plain) {
				out = append(out, files.Position(n.Pos()).String()+": "+lit.Value)
			}
		}
		return true
	})
	return out, nil
}

// isLogged reports whether call logs, or creates an error that only a bug can cause.
func isLogged(call *ast.CallExpr) bool {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Warn", "Error", "MustCompile"}, f.Sel.Name) {
		return true
	}
	if len(call.Args) > 0 {
		lit, ok := call.Args[0].(*ast.BasicLit)
		return ok && (strings.Contains(lit.Value, "%T") || strings.HasSuffix(lit.Value, `: %w"`))
	}
	return false
}

// isTable reports whether n is an i18n.Texts or an i18n.TableOf, whose values are messages.
func isTable(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		fun, ok := call.Fun.(*ast.SelectorExpr)
		return ok && fun.Sel.Name == "TableOf"
	}
	list, ok := n.(*ast.CompositeLit)
	if !ok {
		return false
	}
	kind, ok := list.Type.(*ast.IndexExpr)
	if !ok {
		return false
	}
	sel, ok := kind.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Texts"
}

func forPeople(text string, parent, lit ast.Node, plain bool) bool {
	if !word.MatchString(text) {
		return false
	}
	switch p := parent.(type) {
	case *ast.ImportSpec, *ast.Field, *ast.CaseClause, *ast.IndexExpr:
		return false
	case *ast.CallExpr:
		if f, ok := p.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Get", "GetC", "GetN", "NewError", "Text", "Textf"}, f.Sel.Name) {
			return false
		}
	case *ast.BinaryExpr:
		return p.Op == token.ADD && strings.Contains(text, " ")
	case *ast.KeyValueExpr:
		if key, ok := p.Key.(*ast.Ident); ok && p.Value == lit && slices.Contains(textFields, key.Name) {
			return true
		}
	}
	return plain || len(word.FindAllString(text, -1)) > 1 && strings.Contains(strings.TrimSpace(text), " ")
}

// TestMessages_AreTranslated rejects text for people that is not passed to a
// translator.
func TestMessages_AreTranslated(t *testing.T) {
	t.Parallel()
	var out []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() && name == "viewtest" {
			return cmp.Or(err, fs.SkipDir)
		}
		// The names of barcode symbologies and of the connection states in the header
		// are the same in every language.
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == "symbology.go" || path == filepath.Join("status", "header.go") {
			return nil
		}
		texts, err := rawTexts(path)
		out = append(out, texts...)
		return err
	}))
	require.Empty(t, out, "these are not translated")
}
