package views_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views"
	"bincard/views/names"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

func registry(h *viewtest.Warehouse) *tui.Registry {
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{Load: func() settings.Values { return settings.Values{Operator: "Ada"} }})
	return reg
}

// routes returns all routes of a registry with their parameters filled in.
func routes(reg *tui.Registry, h *viewtest.Warehouse) []string {
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Oat, 24, -time.Hour)
	h.Stock(h.Soy.ID, h.Main.ID, 20)
	h.Stock(h.Coffee.ID, h.Main.ID, 20)
	two, due := int64(2), tuitest.Noon.Add(-time.Hour)
	order := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Soy.ID, LocationID: h.Main.ID, RequestedQuantity: &two, CustomerName: "Nordic Foods", ExpectedShipAt: &due}).Outbound
	tr := h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 5)
	fill := strings.NewReplacer("receive/{id}", "receive/"+in.ID.String(), "pick/{id}", "pick/"+order.ID.String(), "ship/{id}", "ship/"+tr.ID.String(),
		"receive-transfer/{id}", "receive-transfer/"+tr.ID.String(), "{balance}", "COF-500@WH-1", "{id}", "NONE-1")
	var out []string
	for _, e := range reg.Entries() {
		out = append(out, fill.Replace(e.Pattern))
	}
	return out
}

// dayFirst matches a date that does not begin with the year.
var dayFirst = regexp.MustCompile(`\b\d\d?[./]\d\d?[./]\d\d`)

func TestEveryScreen_FitsEverySize(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			reg := registry(h)
			for _, route := range routes(reg, h) {
				d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
				for _, s := range append(tuitest.Shapes(), tuitest.Shape{Width: 1, Height: 1}, tuitest.Shape{Width: 7, Height: 3}) {
					d.Size(s.Width, s.Height)
					tuitest.Fits(t, d.Painted(), s)
					require.NotRegexp(t, dayFirst, d.View(), route)
				}
				require.NoError(t, d.Model.Err(), route)
				require.Empty(t, d.Model.Conflicts(), "keys of %s", route)
				require.True(t, d.Model.Idle(), route)
				requireNoLetters(t, d, route)
			}
		})
	}
}

// requireNoLetters requires that a screen that takes scans has no actions on letters.
func requireNoLetters(t *testing.T, d *tuitest.Driver, route string) {
	t.Helper()
	if _, scans := d.Model.Top().(tui.Scanner); !scans {
		return
	}
	for _, a := range d.Model.Top().Actions() {
		for _, key := range a.Keys() {
			require.NotRegexp(t, `^[A-Za-z]$`, key, "%s on %s", a.ID, route)
		}
	}
}

func TestEveryScreen_OpensWithoutTheService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	list := routes(reg, h)
	h.Proxy.Down()
	for _, route := range list {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
		require.NoError(t, d.Model.Err(), route)
		require.NotEmpty(t, strings.TrimSpace(d.View()), route)
		d.Scan("OAT-1L").Key("enter", "esc")
		require.NoError(t, d.Model.Err(), route)
	}
}

// Saved work is listed by a title and not by its route.
func TestEveryScreen_DraftsHaveATitle(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	saving := 0
	for _, route := range routes(reg, h) {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
		if _, ok := d.Model.Top().(tui.DraftSaver); ok {
			require.NotEqual(t, route, names.Draft(nil, route, ""), "a title is missing in views/names/draft.go")
			saving++
		}
	}
	require.Greater(t, saving, 15)
}

// Every form is saved with ctrl+s, and its footer says so.
func TestForms_SavedWithCtrlS(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := h.Terminal(t, registry(h))
	for _, x := range []struct {
		route  string
		fields []string
	}{
		{"locations/new", []string{"ST-9", "Corner"}},
		{"products/new", []string{"TEA-20", "Earl Grey"}},
		{"receive/new", []string{"COF-500", "6"}},
		{"ship/new", []string{"COF-500", "2"}},
		{"reservations/new", []string{"COF-500", "3"}},
	} {
		d.Do(tui.Open(x.route))
		for i, text := range x.fields {
			if i > 0 {
				d.Key("tab")
			}
			d.Type(text)
		}
		d.Sees("ctrl+s save").Key("ctrl+s").Lacks("ctrl+s save").Key("ctrl+g")
		require.Equal(t, "home", d.Model.Route(), x.route)
	}
	require.Len(t, ledgertest.Do(h.World, api.ListLocations, api.ListPlacesInput{}).Items, 3)
	require.Len(t, ledgertest.Do(h.World, api.ListProducts, api.ListProductsInput{}).Items, 5)
	require.Len(t, ledgertest.Do(h.World, api.ListInbounds, api.ListInboundsInput{}).Items, 1)
	require.Len(t, ledgertest.Do(h.World, api.ListTransfers, api.ListTransfersInput{}).Items, 1)
	held := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Coffee.ID}}).Items
	require.EqualValues(t, 3, held[0].Reserved)
}

// A document that a form creates for a day is due until the day ends, wherever it is looked at.
// With a time, it is due at that time.
func TestForms_DueOnADayOrAtATime(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	newYork, tokyo := time.FixedZone("New York", -5*3600), time.FixedZone("Tokyo", 9*3600)
	evening := time.Date(2026, 11, 20, 20, 0, 0, 0, newYork)
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Now = func() time.Time { return evening } })
	dueTexts := func(due func(*time.Location) *time.Time) []string {
		return []string{due(newYork).In(newYork).Format("2006-01-02 15:04"), due(tokyo).In(tokyo).Format("2006-01-02 15:04")}
	}
	for text, want := range map[string]struct{ receive, fulfill, newYork, tokyo string }{
		"2026-11-20":       {"expected today", "ships today", "2026-11-20 23:59", "2026-11-20 23:59"},
		"20.11.2026 19:30": {"! expected today 19:30", "! allocated, ships today 19:30", "2026-11-20 19:30", "2026-11-21 09:30"},
	} {
		d.Do(tui.Open("receive/new"))
		d.Type("COF-500").Key("tab").Type("6").Key("tab", "tab", "tab").Type(text).Key("ctrl+s").Sees(want.receive).Lacks("! expected today  ")
		in := ledgertest.Do(h.World, api.ListInbounds, api.ListInboundsInput{}).Items[0]
		require.Equal(t, []string{want.newYork, want.tokyo}, dueTexts(in.Due))

		d.Key("ctrl+g").Do(tui.Open("fulfill/new"))
		d.Scan("COF-500").Key("tab", "tab", "tab", "tab").Type(text).Key("ctrl+s").Sees(want.fulfill)
		out := ledgertest.Do(h.World, api.ListOutbounds, api.ListOutboundsInput{}).Items[0]
		require.Equal(t, []string{want.newYork, want.tokyo}, dueTexts(out.Due))
		d.Key("ctrl+g")
	}
}

// A document that is due on a day is late from the next day on, where the terminal is: here, its
// day ends after the one in UTC.
func TestScreens_DueDay(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	m, err := (&api.Announced{DueDay: true}).Metadata()
	require.NoError(t, err)
	for day, date := range map[string]int{"Y": 19, "T": 20, "T2": 20, "N": 21} { // yesterday, twice today, and next
		due := time.Date(2026, 11, date, 0, 0, 0, 0, time.UTC)
		ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID}, ExpectedQuantity: 5,
			ExpectedAt: &due, Metadata: m, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-" + day}})
		ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Lines: []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 5}},
			ExpectedShipAt: &due, Metadata: m, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-" + day}})
	}
	evening := time.Date(2026, 11, 20, 20, 0, 0, 0, time.FixedZone("New York", -5*3600))
	open := func(route string) *tuitest.Driver {
		return h.Terminal(t, registry(h), func(o *shell.Options) {
			o.Start, o.Now = []string{route}, func() time.Time { return evening }
		})
	}
	open("home").Sees("4 expected          2 due today         ! 1 overdue", "4 open                                  ! 1 overdue", "since yesterday")
	open("late").Sees("2 overdue", "PO-Y", "SO-Y", "! 20 h").Lacks("2 days", "49 h")
	for _, job := range []string{"receive", "fulfill"} {
		open(job).Sees("! yesterday  ", "  today  ", "  tomorrow  ").Lacks("! today", "19:00", "23:59")
	}
	open("item/COF-500").Sees("overdue, yesterday", "today").Lacks("overdue, today", "19:00", "23:59")
	open("receive/PO-Y").Key("+", "enter").Sees("Enter opens PO-T, due today.")
	open("fulfill/SO-Y").Key("+", "enter").Sees("Enter opens SO-T, due today.")
	open("fulfill/SO-T").Sees("allocated, ships today").Lacks("! allocated", "19:00", "23:59")
}

// Where a screen takes "?" as text, its footer names F1 for the help, which leaves the text as
// it is.
func TestEveryScreen_NamesAHelpKeyThatWorks(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	for _, route := range routes(reg, h) {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} }).Size(80, 60)
		before := d.View()
		key := "?"
		if strings.Contains(before, "F1 help") {
			key = "f1"
		} else {
			d.Sees("? help")
		}
		d.Key(key).Sees("▸ help", "Everywhere").Key("esc").Lacks("Everywhere", "?█")
		require.Equal(t, before, d.View(), route)
	}
}

// pages returns the text of every page of the current view, joined by single spaces.
func pages(d *tuitest.Driver) string {
	var out []string
	for last := ""; ; {
		view := d.View()
		if view == last {
			return words(strings.Join(out, "\n"))
		}
		out, last = append(out, view), view
		d.Key("pgdown")
	}
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// footer returns the last line at the given size.
func footer(d *tuitest.Driver, width, height int) string {
	lines := strings.Split(d.Size(width, height).View(), "\n")
	return lines[len(lines)-1]
}

// internalText matches text that was not written for people.
var internalText = regexp.MustCompile(`%!|_|[a-z][A-Z]|\bnil\b`)

// wideOnly lists the actions that only fit in a wide footer.
var wideOnly = []string{"explain.verify", "explain.order", "explain.trace", "snapshot.clear", "snapshot.sort", "movements.sort", "movements.document", "reservations.sort", "fulfill.sort"}

// requireFindable requires every action of the top screen to appear in help and in
// the palette, and in the footer unless it is disabled or has NoFooter. A disabled
// action must give its reason there and when its key is pressed.
func requireFindable(t *testing.T, d *tuitest.Driver, where string) {
	t.Helper()
	wideFooter, standardFooter := footer(d, 120, 40), footer(d, 80, 24)
	actions := d.Model.Top().Actions()
	d.Key("f1")
	help := pages(d)
	d.Key("esc").Size(80, 200).Key("ctrl+p")
	palette := d.View()
	d.Key("esc").Size(80, 24)
	seen := map[string]bool{}
	for _, a := range actions {
		where := where + ": " + a.ID
		require.NotEmpty(t, a.ID, where)
		require.NotEmpty(t, a.Keys(), where)
		require.Contains(t, tui.NewKeymap(map[string][]string{a.ID: nil}), a.ID, where)
		require.False(t, seen[a.ID], "%s is there twice", where)
		seen[a.ID] = true
		require.Contains(t, help, words(cmp.Or(a.Help, widget.Capitalize(a.Label))), where)
		if a.Run != nil {
			require.Contains(t, palette, widget.Capitalize(a.Label), where)
		}
		reason := a.DisabledReason()
		if reason == "" {
			offered := func(line string) bool {
				return strings.Contains(line, a.Label) || a.Short != "" && strings.Contains(line, a.Short)
			}
			require.True(t, a.NoFooter || offered(wideFooter), "%s in %q", where, wideFooter)
			require.True(t, a.NoFooter || offered(standardFooter) || slices.Contains(wideOnly, a.ID), "%s in %q", where, standardFooter)
			continue
		}
		require.Contains(t, help, words(reason), where)
		require.GreaterOrEqual(t, len(strings.Fields(reason)), 3, "%s says %q", where, reason)
		require.LessOrEqual(t, widget.Width(reason), 77, "%s says %q: only the beginning can be read", where, reason)
		require.NotRegexp(t, internalText, reason, where)
		can := func(b tui.Action) bool { return b.DisabledReason() == "" && slices.Contains(b.Keys(), a.Key) }
		if !slices.ContainsFunc(actions, can) {
			require.Equal(t, reason, d.Key(a.Key).Model.Toast(), where)
		}
	}
}

// TestEveryAction_IsFound opens every screen with data, without data, on a minimal
// service, and while the service is down.
func TestEveryAction_IsFound(t *testing.T) {
	t.Parallel()
	empty := func(_ *viewtest.Warehouse, reg *tui.Registry) (list []string) {
		for _, e := range reg.Entries() {
			if !strings.Contains(e.Pattern, "{") {
				list = append(list, e.Pattern)
			}
		}
		return list
	}
	full := func(h *viewtest.Warehouse, reg *tui.Registry) []string {
		return append(routes(reg, h), fillRoutes(h)...)
	}
	for name, c := range map[string]struct {
		open  func(testing.TB) *viewtest.Warehouse
		lists func(*viewtest.Warehouse, *tui.Registry) []string
		down  bool
	}{
		"full": {viewtest.NewWarehouse, full, false}, "minimal": {viewtest.NewMinimalWarehouse, full, false},
		"empty": {viewtest.NewWarehouse, empty, false}, "down": {viewtest.NewWarehouse, full, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := c.open(t)
			reg := registry(h)
			list := c.lists(h, reg)
			if c.down {
				h.Proxy.Down()
			}
			for _, route := range list {
				d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
				if d.Model.Route() == "home" && route != "home" {
					require.Equal(t, "minimal", name, "%s did not open", route)
					require.GreaterOrEqual(t, len(strings.Fields(d.Model.Fault()+d.Model.Toast())), 3, "%s does not say why it did not open", route)
					continue
				}
				requireFindable(t, d, route)
			}
		})
	}
}

// fillRoutes creates one document of each kind and returns the routes that show
// them.
func fillRoutes(h *viewtest.Warehouse) []string {
	h.Stock(h.Coffee.ID, h.Main.ID, 20)
	one := int64(6)
	out := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &one,
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}, CustomerName: "Café Lumen"}).Outbound
	many := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"},
		Lines: []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 2}, {ProductID: h.Oat.ID, RequestedQuantity: 3}}}).Outbound
	in := h.Inbound("PO-7", h.Oat, 24, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12, NewLot: api.NewLot{LotCode: "L7"}})
	lot := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items[0]
	pieces := h.Inbound("PO-77", h.Camera, 1, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: pieces.ID, Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "SN-1"}}})
	until := tuitest.Noon.Add(time.Hour)
	held := ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID}, Quantity: 2, ExpiresAt: &until})
	return []string{"receive/" + in.ID.String(), "receive/" + pieces.ID.String(), "fulfill/" + out.ID.String(), "fulfill/" + many.ID.String(), "trace/" + lot.ID.String(), "serial/SN-1",
		"reservations/" + held.Reservation.ID.String(), "products/COF-500", "explain/OAT-1L@WH-1", "adjust/COF-500@WH-1", "move/COF-500@WH-1", "count/WH-1"}
}

// dotted matches a string literal like the ID of an action.
var dotted = regexp.MustCompile(`"[a-z-]+\.[a-z]+"`)

// Every ID that an action has can be remapped: no name of an earlier version takes its place.
func TestNewKeymap_KeepsTheIDOfEveryAction(t *testing.T) {
	t.Parallel()
	settings := map[string][]string{}
	for _, dir := range []string{".", "../tui/shell"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, id := range dotted.FindAllString(string(source), -1) {
				settings[strings.Trim(id, `"`)] = nil
			}
			return nil
		}))
	}
	for _, id := range []string{"sync.again", "sync.insist", "panel.again", "panel.retry", "import.file"} {
		require.Contains(t, settings, id)
	}
	var lost []string
	keymap := tui.NewKeymap(settings)
	for id := range settings {
		if _, kept := keymap[id]; !kept {
			lost = append(lost, id)
		}
	}
	require.Empty(t, lost)
}

// keyMeanings are the families of meanings that a function key may have, with the actions
// of each family.
var keyMeanings = map[string]map[string]string{
	"f3": {
		"filter":          "filter state all low show onlynew",
		"create":          "new announce another first product reserve",
		"choose the job":  "mode from way recount printer next",
		"stage of orders": "allocate",
	},
	"f4": {
		"second filter":    "lot days filled show clear blind stock",
		"second choice":    "state to damaged edit kit size columns",
		"open what waits":  "unsent explain",
		"stage of orders":  "picking together",
		"check the values": "test",
	},
	"f5": {
		"update":          "refresh reload try",
		"end the rest":    "close rest release stop",
		"stage of orders": "packing",
	},
	"f6": {
		"location": "location switch",
		"adjust":   "adjust record",
	},
	"f7": {
		"lot or serial":    "lot which trace serial expiring",
		"move":             "move",
		"retry":            "again retryall queue",
		"what a row is of": "document asof",
	},
	"f8": {
		"the way on that a message names":     "swap short again elsewhere expired over lot.record link skip item found other change",
		"take back":                           "undo drop dropall discard forget clear remove unlink unpicking",
		"add up, where nothing is taken back": "totals verify",
	},
	"f9": {
		"sort":           "sort order",
		"reason":         "reason",
		"tell a new key": "oldCancelKey",
	},
	"f10": {
		"export":      "export goon hand picture",
		"save":        "save apply go",
		"all lines":   "lines id", // closing all has the ID of its screen
		"save anyway": "keep insist stands",
	},
	"f11": {
		"several or all": "count several",
		"unknown codes":  "unknown",
		"reserve":        "reserve",
	},
}

// functionKey matches a function key that screens may use.
var functionKey = regexp.MustCompile(`^"(f[3-9]|f1[01])"$`)

// TestFunctionKeys_MeanTheSame fails when an action of a screen is on a function key of
// another meaning. Add the action to the family it belongs to, or choose another key.
func TestFunctionKeys_MeanTheSame(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{} // "f3 new", true if an action has it
	for key, families := range keyMeanings {
		for _, actions := range families {
			for _, name := range strings.Fields(actions) {
				require.NotContains(t, allowed, key+" "+name)
				allowed[key+" "+name] = false
			}
		}
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		require.NoError(t, err)
		for _, use := range keyUses(file) {
			_, ok := allowed[use.key+" "+use.action]
			require.True(t, ok, "%s: %s is %q, want one of %v", files.Position(use.at), use.key, use.action, keyMeanings[use.key])
			allowed[use.key+" "+use.action] = true
		}
		return nil
	}))
	for name, used := range allowed {
		require.True(t, used, "no action is %s", name)
	}
}

// A keyUse is a function key of an action.
type keyUse struct {
	key, action string
	at          token.Pos
}

// keyUses returns the function keys in a file, with the names of their actions.
func keyUses(file *ast.File) (uses []keyUse) {
	var outer []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			outer = outer[:len(outer)-1]
			return true
		}
		if lit, ok := n.(*ast.BasicLit); ok && functionKey.MatchString(lit.Value) && !textArgument(outer) {
			uses = append(uses, keyUse{strings.Trim(lit.Value, `"`), actionName(outer), lit.Pos()})
		}
		outer = append(outer, n)
		return true
	})
	return uses
}

// textArgument reports whether the innermost node is the call of a translator.
func textArgument(outer []ast.Node) bool {
	call, ok := outer[len(outer)-1].(*ast.CallExpr)
	if !ok {
		return false
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (of.Sel.Name == "Get" || of.Sel.Name == "NewError")
}

// actionName returns the name of the action that the innermost nodes describe: the ID
// without its screen, or the first argument of a call.
func actionName(outer []ast.Node) string {
	for _, n := range slices.Backward(outer) {
		switch n := n.(type) {
		case *ast.CallExpr:
			return nameOf(n.Args[0])
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if field, ok := e.(*ast.KeyValueExpr); ok && strings.EqualFold(nameOf(field.Key), "id") {
					return nameOf(field.Value)
				}
			}
		case *ast.ValueSpec:
			return n.Names[0].Name
		}
	}
	return ""
}

// nameOf returns an identifier, or a string without what stands before its first dot.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.BinaryExpr:
		return nameOf(e.Y)
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		_, after, ok := strings.Cut(text, ".")
		if !ok {
			return text
		}
		return after
	}
	return ""
}
