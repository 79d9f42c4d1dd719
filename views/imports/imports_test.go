package imports_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/imports"
	"bincard/views/inbounds"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

const header = "reference,sku,quantity,location\n"

// A world is a warehouse whose terminals import files from a folder.
type world struct {
	*viewtest.Warehouse
	t   *testing.T
	dir string
}

func newWorld(t *testing.T) *world {
	w := &world{viewtest.NewWarehouse(t), t, t.TempDir()}
	w.CheckFile = connect.CheckImport
	w.Site = w.NewSite()
	return w
}

// put writes a file and returns its path.
func (w *world) put(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (w *world) registry(site *session.Site) *tui.Registry {
	r := tui.NewRegistry()
	inbounds.Register(r, site)
	imports.Register(r, site)
	return r
}

// open opens the import of deliveries from the list.
func (w *world) open(site *session.Site) *tuitest.Driver {
	w.t.Helper()
	return w.Terminal(w.t, w.registry(site)).Key("ctrl+o").Sees("Import deliveries", "Or type a path")
}

func (w *world) inbounds() []api.Inbound {
	return ledgertest.Do(w.World, api.ListInbounds, api.ListInboundsInput{}).Items
}

func TestImport_ChecksAndImportsFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.open(w.Site).Type(w.put("day.csv", header+"A,OAT-1L,5,WH-1\nB,COF-500,2,WH-1\nB,SOY-1L,3,WH-1\n")).Key("enter").Await()
	d.Sees("Import deliveries › day.csv", "Import 2 deliveries?", "3 lines of 2 deliveries · 2 new", "enter import 2 deliveries")
	require.Empty(t, w.inbounds(), "nothing is imported without a confirmation")
	d.Key("enter").Sees("Importing ", " of 3…").Await().Sees("Imported 2 deliveries", "enter show the list")
	list := w.inbounds()
	require.Len(t, list, 3)
	require.Equal(t, "Ada", list[0].CreatedBy.Label)
	d.Key("enter").Sees("A ", "B ", "2 lines")

	d.Key("ctrl+o").Type(filepath.Join(w.dir, "day.csv")).Key("enter").Await().Sees("Everything in the file is already here.", "2 already here")
	require.Len(t, w.inbounds(), 3)
}

// Every bad line is shown, and the corrected file is checked again.
func TestImport_ShowsBadLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.put("bad.csv", header+"A,NOPE,0,WH-1\n"+strings.Repeat("B,TEA,1,WH-1\n", 40)+"C,COF-500,2,WH-9\n")
	d := w.open(w.Site).Type(path).Key("enter").Await()
	d.Sees("43 problems. Nothing was changed: correct the file and check it again.", "line 2: sku: there is no product NOPE", "↓ ").Lacks("line 43")
	d.Key("pgdown", "pgdown", "pgdown").Sees("line 43: location: there is no location with the code or unique name WH-9").Lacks("line 2:", "↓ ")
	d.Key("up").Sees("↓ 2 more")
	for _, shape := range tuitest.Shapes() {
		d.Size(shape.Width, shape.Height)
		tuitest.Fits(t, d.View(), shape)
	}
	d.Size(80, 24)
	w.put("bad.csv", header+"A,COF-500,2,WH-1\n")
	d.Key("enter").Await().Sees("Import 1 delivery?")
	require.Empty(t, w.inbounds())
}

func TestImport_ShowsBadLinesInTheLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Translator = tuitest.Language(t, "de")
	w.Site = w.NewSite()
	path := w.put("bad.csv", "reference,sku,quantity,location,expiry\nA,NOPE,0,WH-1,\nB,OAT-1L,1,WH-9,x\nC,OAT-1L,\"1,200\",WH-1,\n")
	d := w.Terminal(t, w.registry(w.Site)).Key("ctrl+o").Type(path).Key("enter").Await()
	d.Sees("Zeile 2: sku: es gibt keinen Artikel NOPE; erst die Artikel importieren", "Zeile 2: quantity: muss mindestens 1 sein, ist 0",
		"Zeile 3: location: es gibt keinen Eintrag (location) mit dem Code", `Zeile 3: expiry: muss ein Datum wie 2026-12-31 sein, ist "x"`,
		`Zeile 4: quantity: muss eine ganze Zahl ohne Trennzeichen sein, ist "1,200"`, "also vielleicht 1200 oder ein Bruch")
}

// A file of an older program is read in its encoding, once somebody says so.
func TestImport_Windows1252(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.open(w.Site).Type(w.put("day.csv", "Referenz;Artikel;Menge;Lagerort;Lieferant\nA;COF-500;5,00;WH-1;M\xFCller\n")).Key("enter").Await()
	d.Sees("The file is not UTF-8: line 2 has the byte 0xFC", "F8 Windows-1252").Key("f8").Await()
	d.Sees("Import 1 delivery?").Lacks("Windows-1252").Key("enter").Await().Sees("Imported 1 delivery")
	require.Equal(t, "Müller", w.inbounds()[0].SupplierName)

	d.Key("ctrl+o").Type(w.put("day2.csv", "Referenz;Artikel;Menge;Lagerort\n\xC4;COF-500;5;WH-1\n")).Key("enter").Await()
	d.Sees("The file is not UTF-8", "F8 Windows-1252")
}

// What differs from an existing delivery is shown, and can be left out.
func TestImport_SkipsWhatDiffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.open(w.Site).Type(w.put("day.csv", header+"A,COF-500,5,WH-1\n")).Key("enter").Await().Key("enter").Await().Sees("Imported 1 delivery")
	d.Key("ctrl+o").Type(w.put("day2.csv", header+"A,COF-500,6,WH-1\nB,COF-500,1,WH-1\n")).Key("enter").Await()
	d.Sees("1 problem", "A already exists and differs: COF-500 has 5, in the file", "1 new · 1 different")
	d.Key("f3").Await().Sees("Import 1 delivery?", "line 2: skipped: A already exists").Key("enter").Await().Sees("Imported 1 delivery")
	require.Len(t, w.inbounds(), 2)
}

func TestImport_FilesAreChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, os.Mkdir(filepath.Join(w.dir, "july"), 0o700))
	w.put("july/one.csv", header+"A,COF-500,5,WH-1\n")
	w.put("july/picture.png", "")
	d := w.open(w.Site).Type(w.dir).Key("enter").Sees("july/", "../").Type("july").Key("enter")
	d.Sees("Which file in july?", "one.csv").Lacks("picture.png").Key("enter").Await().Sees("one.csv", "Import 1 delivery?")
	d.Key("ctrl+o").Type("none.csv").Key("enter")
	viewtest.RequireErrors(t, d, "none.csv does not exist. Check the path.")
	d.Key("ctrl+o").Type(w.put("empty.csv", "")).Key("enter").Await().Sees("The file is empty", "enter check again")
}

// A worker corrects a bad line, and a supervisor approves the import.
func TestImport_NeedsSupervisor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.Terminal(t, w.registry(w.Site), w.SignIn)
	d.Key("ctrl+o").Type(w.put("day.csv", header+"A,NONE,5,WH-1\n")).Key("enter").Await()
	d.Sees("1 problem.", "there is no product NONE")

	w.put("day.csv", header+"A,COF-500,5,WH-1\n")
	d.Key("enter").Await().Sees("Import 1").Key("enter").Sees("A supervisor must approve: import 1 delivery from day.csv")
	require.Empty(t, w.inbounds())

	d.Scan("EVE-43").Await().Sees("Imported 1 delivery")
	changes := ledgertest.Do(w.World, api.ListChanges, api.ListChangesInput{}).Items
	require.Equal(t, "Eve", changes[len(changes)-1].ApprovedBy.Label)
	d.Key("enter").Sees("A ")
}

// A blocking service answers a number of writes, and then none until their context ends.
type blocking struct {
	api.Service
	left atomic.Int64
}

func (b *blocking) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Writes() && b.left.Add(-1) < 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return b.Service.Do(ctx, req)
}

// An import that is stopped keeps what is imported; the file imported again finishes it.
func TestImport_Stop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow := &blocking{Service: w.Proxy}
	slow.left.Store(2)
	site := w.SiteOf(slow)
	p := tuitest.Start(t, shell.Options{Registry: w.registry(site), Start: []string{"receive", "import/inbounds"}})
	p.WaitFor("Or type a path")
	p.Input(w.put("day.csv", header+"A,COF-500,5,WH-1\nB,COF-500,5,WH-1\nC,COF-500,5,WH-1\n"))
	p.WaitFor("day.csv")
	p.Input("\r")
	p.WaitFor("Import 3 deliveries?")
	p.Input("\r")
	p.WaitFor("Importing 2 of 3…")
	p.Input("\x1b[15~") // F5
	p.WaitFor("The import stopped after 2 of 3: You stopped it.")
	require.Len(t, w.inbounds(), 2)
	slow.left.Store(100)
	p.Input("\r")
	p.WaitFor("1 new · 2 already here")
	p.Input("\r")
	p.WaitFor("Imported 1 delivery")
	require.Len(t, w.inbounds(), 3)
}

// Without the service, the import is saved on the machine and synced later.
func TestImport_Offline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	node := viewtest.NewNode(t, w.World, w.Proxy)
	site := w.SiteOf(node)
	node.Disconnect()
	_, err := site.FetchSyncStatus(t.Context())
	require.NoError(t, err)
	d := w.open(site).Type(w.put("day.csv", header+"A,COF-500,5,WH-1\n")).Key("enter").Await()
	d.Sees("Import 1 delivery?", "Offline: the documents are saved on this terminal").Key("enter").Await().Sees("Saved, not synced. Imported 1 delivery")
	require.Empty(t, w.inbounds())
	node.Connect()
	require.Len(t, w.inbounds(), 1)
}

// The offline import of the same file at two terminals is one delivery.
func TestImport_OfflineAtTwoTerminals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.put("day.csv", header+"A,COF-500,5,WH-1\n")
	var nodes []*viewtest.Node
	for range 2 {
		nodes = append(nodes, viewtest.NewNode(t, w.World, w.Proxy))
	}
	w.Proxy.Down()
	for _, node := range nodes {
		w.open(w.SiteOf(node)).Type(path).Key("enter").Await().Key("enter").Await().Sees("Imported 1 delivery")
	}
	for _, node := range nodes {
		node.Connect()
	}
	require.Len(t, w.inbounds(), 1)
}

// A sender's columns are identified once, and apply to the sender's next file.
func TestImport_SavesColumnsOfSender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.put("hagen-2026-11-27.csv", "No;Code;Pcs;Where;Our note\nA;OAT-1L;5;WH-1;x\nB;COF-500;2;WH-1;\n")
	d := w.open(w.Site).Type(first).Key("enter").Await().Sees("3 problems.", "Press F4", "the columns reference, quantity, location are missing")
	set := func(column, field string) {
		d.Type(column).Key("enter").Sees("What is " + column).Type(field).Key("enter").Sees(column + " → " + field)
	}
	d.Key("f4").Sees("check the file with these columns", "No → ?   A, B", "Code → ?   OAT-1L, COF-500")
	set("No", "reference")
	set("Code", "sku")
	set("Pcs", "quantity")
	set("Where", "location")
	set("Our note", "not imported")
	d.Type("check").Key("enter").Await().Sees("Import 2 deliveries?").Key("enter").Await().
		Sees("Imported 2 deliveries", "The columns are saved for files such as hagen-*.csv.")
	require.Len(t, w.inbounds(), 2)

	d = w.open(w.Site).Type(w.put("Hagen-2026-11-28.csv", "No;Code;Pcs;Where;Our note\nC;OAT-1L;5;WH-1;x\n")).Key("enter").Await()
	d.Sees("Import 1 delivery?").Key("enter").Await().Sees("Imported 1 delivery").Lacks("saved for files")
	require.Len(t, w.inbounds(), 3)
	d.Key("ctrl+o").Type(w.put("other.csv", "No;Code\nD;OAT-1L\n")).Key("enter").Await().Sees(`the columns "No", "Code" are unknown`)

	w.put(".columns.json", "{")
	d.Key("ctrl+o").Type(first).Key("enter").Await().Sees(".columns.json is damaged")
}
