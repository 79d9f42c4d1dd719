package views_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/label/printing"
	"bincard/tui/plain"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views"
	"bincard/views/balances"
	"bincard/views/count"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/settings"
	"bincard/views/stock"
	"bincard/views/submit"
	"bincard/views/transfers"
	"bincard/views/viewtest"
)

// noonClock always returns noon, but its ticks take real time.
type noonClock struct{}

func (noonClock) Now() time.Time { return tuitest.Noon }

func (noonClock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd { return tea.Tick(d, fn) }

// runLines sends lines to a line-mode terminal and returns its output.
func runLines(t *testing.T, h *viewtest.Warehouse, width int, drafts tui.Drafts, lines ...string) string {
	t.Helper()
	var out strings.Builder
	err := plain.Run(t.Context(), plain.Options{In: strings.NewReader(strings.Join(lines, "\r\n")), Out: &out, Width: width, Echo: plain.EchoLines,
		Shell: shell.Options{Registry: registry(h), NoSignals: true, Translator: h.Translator, Clock: noonClock{}, Drafts: drafts}})
	if err != nil {
		require.ErrorIs(t, err, plain.ErrUnacknowledged)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		require.Equal(t, widget.Clean(line), line, "the line contains control characters")
		if !strings.Contains(line, "> ") {
			require.LessOrEqual(t, widget.Width(line), width, "%q", line)
		}
	}
	return out.String()
}

// requireSays requires the output to contain the texts in this order.
func requireSays(t *testing.T, out string, texts ...string) {
	t.Helper()
	rest := out
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		require.True(t, found, "%q is not in\n%s", text, rest)
		rest = after
	}
}

func TestLineMode_Receive(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-118", h.Oat, 240, time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-118", "]C101"+h.OatBox+"17270331"+"10L42-A", "48", "damaged 2", "1", "book", "where",
		"book", "L42-A", "L42-A", "receive 12", "SOY-1L", "12", "", "99999", "ok", "actions", "close", "", "the rest is lost")
	requireSays(t, out, "RECEIVE PO-118  Oat milk 1 l  expected 240  received 0  to go 240",
		"scan or number> ]C1", "ok  +12 box  lot L42-A  now 12", "scan or number> 48", "ok  now 48  lot L42-A",
		"ok  Received 48, 2 damaged: 48 of 240, 192 to go", "> where", "received 48  to go 192",
		"> book\n!   Nothing is counted yet.", "ok  lot L42-A", "> receive 12", "Received 12: 60 of 240",
		"no  OAT-1L is expected; this is SOY-1L", "enter continues> 12", "no  Not done", "enter continues> \n",
		"no  Too many: ", "record: Record the counted", "Close PO-118 with 180 missing? Reason", "no  Enter a reason",
		"answer> the rest is lost", "closed, 180 missing")
	got := ledgertest.Do(h.World, api.GetInbound, api.InboundInput{InboundID: in.ID})
	require.EqualValues(t, 60, got.ReceivedQuantity)
	require.Equal(t, api.InboundClosed, got.Status)
	list := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Oat.ID}})
	require.EqualValues(t, 2, list.Items[0].Damaged)
}

func TestLineMode_NamesTheExtraQuantityOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Coffee, 24, time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-118", "30", "extra", "free", "where")
	requireSays(t, out, "> where", "now 24  6 extra")
	require.NotContains(t, out, "6 extra  6 extra")
}

func TestLineMode_RepeatedLineConfirms(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Oat, 240, time.Hour)
	old := "]C101" + h.OatBox + "17200331" + "10OLD"
	out := runLines(t, h, 80, nil, "receive PO-118", old, "", old, "36", old, old, "back")
	requireSays(t, out, "?   Lot OLD expired 2020-03-31. Scan it again to confirm", "again, or enter to skip> \n", "Lot OLD expired",
		"again, or enter to skip> 36", "ok  now 36", "Lot OLD expired", "ok  lot OLD  now 36")
}

func TestLineMode_DraftSurvivesEndOfInput(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Oat, 240, time.Hour)
	drafts := drafts.InMemory()
	runLines(t, h, 80, drafts, "receive PO-118", "]C1"+"10L1", "36")
	requireSays(t, runLines(t, h, 80, drafts, "unsent", "1", "book"), "1 unsent: type \"unsent\"", "now 36", "Received 36: 36 of 240")
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	requireSays(t, runLines(t, h, 80, drafts, "receive PO-118", "]C1"+"10L1", "12", "book"), "may already be recorded")
	requireSays(t, runLines(t, h, 80, drafts, "receive PO-118", "12", "", "retry"), "No answer yet for: receive 12", "no answer yet. Nothing was counted",
		"Received 12: 48 of 240")
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 3)
}

func TestLineMode_AllJobs(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
	one := int64(6)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &one,
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}, CustomerName: "Café Lumen"})
	out := runLines(t, h, 80, nil, "2", "1", "COF-500", "+", "book", "home", "location", "WH-2", "receive-transfer TR-1", "4", "book", "+", "receive", "home",
		"location", "1", "SO-1", "6", "book", "back", "stock", "coffee", "1", "verify", "home", "movements", "more", "filter", "COF-500", ".show", "2", "quit")
	requireSays(t, out, "SHIP  1 open", "TR-1", "SHIP TR-1", "ok  +1 piece  now 1", "ok  now 10", "Shipped 10:",
		"Where do you work?", "Location: WH-2", "RECEIVE TR TR-1", "Received 4: 4 of 10", "Received 6: 10 of 10", "Location: WH-1",
		"FULFILL SO-1  Café Lumen", "Fulfilled 6: 6 of 6 done", "STOCK", "search: coffee", "EXPLAIN COF-500", "balance adds up ok in all eight states",
		"Verified: ", "MOVEMENTS", "Product (scan or type it)> COF-500", "Location", "EXPLAIN COF-500")
}

// Earlier versions called receive-transfer arrive, and a location a place.
func TestLineMode_OldNamesWork(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	tr := h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &tr.Quantity})
	stored := drafts.InMemory()
	requireSays(t, runLines(t, h, 80, stored, "place", "WH-2", "arrive TR-1", "4", "quit", "y"), "Location: WH-2", "RECEIVE TR TR-1", "now 4")

	routes := tuitest.DraftRoutes(t, stored)
	require.Equal(t, []string{"receive-transfer/" + tr.ID.String()}, routes)
	draft, _, err := stored.Load(routes[0], "")
	require.NoError(t, err)
	require.NoError(t, stored.Discard(routes[0], ""))
	require.NoError(t, stored.Save(tui.Draft{Route: "arrive/" + tr.ID.String(), Data: draft.Data}))
	requireSays(t, runLines(t, h, 80, stored, "receive-transfer TR-1", "book"), "RECEIVE TR TR-1", "now 4", "Received 4: 4 of 10")
	require.Empty(t, tuitest.DraftRoutes(t, stored))
}

func TestLineMode_NextGoesToTheNextLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"},
		Lines: []api.OutboundLineInput{{ProductID: h.Oat.ID, RequestedQuantity: 12}, {ProductID: h.Coffee.ID, RequestedQuantity: 5}}})
	out := runLines(t, h, 80, nil, "fulfill SO-1", "next", "5", "pick", "help")
	requireSays(t, out, "now 0  selected", "> next", "line COF-500: ready 5", "Picked 5: 0 of 17 done", "lines: Count everything ready on every line")
	require.NotContains(t, out, "moved: ", "a key of earlier versions is no word")
}

// What was picked by mistake is put back after a question.
func TestLineMode_PutsBack(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	o := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, ProductID: h.Coffee.ID, RequestedQuantity: new(int64(9)),
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}}).Outbound
	out := runLines(t, h, 80, nil, "fulfill SO-1", "put back", "7", "pick", "2", "put back", "yes", "F8", "no", "put back", "yes")
	requireSays(t, out, "Nothing is picked yet", "Picked 7: 0 of 9 done", "Put 2 x COF-500 back on the shelf?", "Put back 2: 0 of 9 done",
		"Put 5 x COF-500 back on the shelf? SO-1 keeps what it was allocated", "Put back: 5")
	require.Zero(t, ledgertest.Do(h.World, api.GetOutbound, api.OutboundInput{OutboundID: o.ID}).PickedQuantity)
}

func TestLineMode_FormsAskFieldByField(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	out := runLines(t, h, 80, nil, "receive new", "", "OAT-1L", "0", "24", "PO-9", "", "2027-13-01", "2027-03-31", "Nord Freight", "back",
		"products new", "TEA-1", "Tea", "", "", "", "", "2", "", "2 x OAT-1L", "back")
	requireSays(t, out, "Product (scan or type SKU)> \n", "no  Product: required", "Quantity (pieces)> 0", "no  Quantity: at least 1",
		"Supplier> \n", "no  Due: not a date, use 2027-03-31", "Delivery PO-9 added: 24", "RECEIVE PO-9", "carrier Nord Freight",
		"2   lot", "Product TEA-1 created", "Tracked by lot", "Contains 2 x OAT-1L")
}

// An empty answer keeps what a field has, but not what it refused.
func TestLineMode_EmptyAnswerKeepsTheValue(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Oat, 24, time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-118", "12", "F7", "L1", "soon", "", "F7", "", "2031-01-31", "F7", "", "", "F7", "", "=", "enter")
	requireSays(t, out, "no  Expires: not a date, use 2027-03-31", "Expires (2027-03-31)> \n", "lot L1", "Lot (L1)> \n", "lot L1", "Lot (L1)> \n", "Expires (2031-01-31)> \n",
		"lot L1", "Expires (2031-01-31)> =", "lot L1", "Received 12: 12 of 24")
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items
	require.Equal(t, "L1", lots[0].LotCode)
}

func TestLineMode_NumbersTheJobsLikeTheScreen(t *testing.T) {
	t.Parallel()
	out := runLines(t, viewtest.NewWarehouse(t), 80, nil, "9", "quit")
	requireSays(t, out, "7   Reservations", "9   Adjust and count")
	require.NotContains(t, out, "8   Adjust")
	require.Contains(t, out, "2   Adjust stock")
}

func TestLineMode_SettingsByNumber(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	saved := settings.Values{Operator: "Ada", Theme: "dark", Sounds: true, Resume: true}
	hooks := settings.Hooks{Load: func() settings.Values { return saved },
		Save: func(_ context.Context, v settings.Values) error { saved = v; return nil }}
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, hooks)
	var out strings.Builder
	lines := []string{"settings", "1", "Eve", "2", "light", "5", "soon", "15", "6", "nonsense", "https://stock.example.com", "9", "bc_test_ab12cd34_x", "where", "save", "5", "-", "1", "", "save", "quit"}
	err := plain.Run(t.Context(), plain.Options{In: strings.NewReader(strings.Join(lines, "\n")), Out: &out, Width: 80, Echo: plain.EchoLines,
		Shell: shell.Options{Registry: reg, NoSignals: true, Clock: noonClock{}}})
	require.NoError(t, err)
	requireSays(t, out.String(), "1   Operator: Ada", "2   Theme: dark", "8   Key: none", "Operator (now Ada). New value, or - for none", "1   Operator: Eve",
		"Theme: light", "no  at most 1440 minutes", "Lock (min): 15", "no  use a form like https", "Service: https://stock.example.com",
		"Key: a new key, not saved yet", "Unsaved changes", "Settings saved",
		"Lock (min): none", "Settings saved")
	require.Equal(t, settings.Values{Connection: settings.Connection{URL: "https://stock.example.com"}, Operator: "Eve", Theme: "light", Sounds: true, Resume: true}, saved)
}

// TestEveryScreen_HasLineMode opens each screen in line mode, with the service up
// and down.
func TestEveryScreen_HasLineMode(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 20} {
		h := viewtest.NewWarehouse(t)
		list := routes(registry(h), h)
		var lines []string
		for _, route := range list {
			lines = append(lines, route, "actions", "where", "OAT-1L", "", "home")
		}
		requireSays(t, runLines(t, h, width, nil, lines...), "HOME")
		h.Proxy.Down()
		requireSays(t, runLines(t, h, width, nil, lines...), "HOME")
	}
}

func TestLineMode_KeysThatMessagesName(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Oat, 240, time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-118", "12", "f7", "L1", "2031-01-31", "F9", "cancel", "SOY-1L", "F4", "enter", "enter", "F9", "esc", "home")
	requireSays(t, out, "now 12", "Lot", "lot L1", "> F9", "Cancel has another key now", "> cancel", "12 counted, not recorded: press enter, or type 0.", "this is SOY-1L", "> F4", "no  Not done", "> enter", "> enter",
		"Received 12: 12 of 240", "> F9", "> esc")
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 1)
}

func TestLineMode_FindAsksWhichOne(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Oat, 240, time.Hour)
	h.Inbound("PO-119", h.Oat, 24, time.Hour)
	out := runLines(t, h, 80, nil, "find PO-11", "2", "home", "find milk", "1", "home", "find 9999")
	requireSays(t, out, "Which one?", "1   PO-118  OAT-1L  Nordic Foods  delivery, expected", "2   PO-119", "RECEIVE PO-119", "> find milk",
		"OAT-1L  OAT MILK 1 L", "1   Receive  PO-118  240 to go  13:00", "2   Receive  PO-119  24 to go", "3   Explain  0 on hand  0 available", "7   Move", "> 1", "RECEIVE PO-118",
		"> find 9999", "9999 is unknown", "link: link to a product")
}

func TestLineMode_OpensScreensInTheLanguageOfTheSession(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Translator = tuitest.Language(t, "de")
	h.Site = h.NewSite()
	h.Inbound("PO-118", h.Oat, 240, time.Hour)
	requireSays(t, runLines(t, h, 80, nil, "wareneingang PO-118", "zurück"), "WARENEINGANG PO-118")
}

func TestLineMode_CountOfAList(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	out := runLines(t, h, 80, nil, "count WH-1", "several", "COF-500", "camera", "start", "COF-500", "38", "SOY-1L", "SOY-1L", "", "rest", "yes", "", "yes", "where")
	requireSays(t, out, "COF-500 added", "CAM-1 added", "0 of 2 counted", "COF-500 selected, 0 counted", "now 38",
		"SOY-1L is not in this count. Add it?", "Set 2 uncounted at WH-1 to zero?", "Adjust 3 products@WH-1 to match the count?", "3 products@WH-1: 3 of 3 lines counted, 2 adjusted")
}

func TestLineMode_RecountsTheChosenLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.Receive(h.Oat.ID, h.Main.ID, 60, "L1")
	out := runLines(t, h, 80, nil, "count WH-1", "COF-500", "1", "OAT-1L", "2", "review", "2", "recount")
	requireSays(t, out, "1   COF-500  Coffee beans 500 g  counted 1", "count again: F3> 2", "line OAT-1L", "count again: F3> recount", "Recount OAT-1L L1.")
	require.NotContains(t, out, "to match the count?")
}

func TestLineMode_NextOpensDocumentDueNext(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-118", h.Coffee, 24, time.Hour)
	h.Inbound("PO-119", h.Coffee, 12, 2*time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-118", "24", "book", "next", "12", "book", "next", "back")
	requireSays(t, out, "Received 24: 24 of 24", "received; next: PO-119, due today 14:00> next", "RECEIVE PO-119",
		"Received 12: 12 of 12", "received; nothing else open> next", "Nothing else is open here.")
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 2)
}

// A blind count says so, and a question takes a typed scan.
func TestLineMode_BlindAndScannedAnswer(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	out := runLines(t, h, 80, nil, "count WH-1", "blind", "home", "location", "scan WH-2")
	requireSays(t, out, "> blind", "expected quantities hidden", "> home")
	require.NotContains(t, out, "Type the number of a line")
	require.Contains(t, out, "WH-2 Depot")
}

func TestLineMode_PrintsLabels(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	service := h.SetUpLabels(t, printing.Settings{Printers: printing.Printers{{Name: "dock", Address: "cups:dock"}}})
	h.Inbound("PO-1", h.Oat, 60, time.Hour)
	out := runLines(t, h, 80, nil, "PO-1", "]d201"+h.OatBox+"1727033110L42-A", "48", "receive", "labels", "", "quit")
	requireSays(t, out, "Received 48", "PRINT LABEL OAT-1L L42-A", "Expires 2027-03-31", "printer dock, template 70x40", "enter prints 4 labels, or number> ", "4 labels to dock")
	jobs, err := service.Queue.Jobs()
	require.NoError(t, err)
	require.Len(t, jobs, 1)

	out = runLines(t, h, 80, nil, "COF-500", "print label", "3", "print", "quit")
	requireSays(t, out, "Product label: COF-500", "enter prints 1 label, or number> 3", "enter prints 3 labels, or number> ", "3 labels to dock")
}

// jobRunner runs jobs from the command line and saves each submission by its key.
type jobRunner struct {
	*viewtest.Warehouse
	t     *testing.T
	saved map[string]*submit.Submission
}

func (x *jobRunner) newJob(key, ref string, c count.Count) *submit.Job {
	e := &submit.Job{Site: x.Site, Ref: ref, Count: c, Key: key, MayBeBooked: true, Saved: x.saved[key]}
	e.All = c.Quantity == 0 && len(c.Serials) == 0
	e.Save = func(p *submit.Submission) error { x.saved[key] = p; return nil }
	if p := e.Saved; p != nil {
		again := *p
		again.Next = 0
		e.Saved = &again
	}
	return e
}

// The lot of what leaves is required of a job as of a terminal, unless it was picked.
func TestJobs_RequireLot(t *testing.T) {
	t.Parallel()
	x := &jobRunner{viewtest.NewWarehouse(t), t, map[string]*submit.Submission{}}
	x.Warehouse.Receive(x.Oat.ID, x.Main.ID, 40, "L1")
	x.RequireLot()
	ctx, none, l1 := t.Context(), count.Count{Quantity: 4}, count.Count{Quantity: 4, Lot: "L1"}
	for name, run := range map[string]func(key string, c count.Count) (submit.JobResult, error){
		"ship": func(key string, c count.Count) (submit.JobResult, error) {
			x.Transfer("TR-"+key, x.Oat, x.Main, x.Depot, 4)
			return transfers.ShipJob(ctx, x.newJob(key, "TR-"+key, c))
		},
		"fulfill": func(key string, c count.Count) (submit.JobResult, error) {
			return outbounds.FulfillJob(ctx, x.newJob(key, x.order(4).ID.String(), c))
		},
		"adjust": func(key string, c count.Count) (submit.JobResult, error) {
			return stock.AdjustJob(ctx, x.newJob(key, "OAT-1L@WH-1", c), stock.Change{State: api.Available, Less: true, Reason: "broken"})
		},
		"move": func(key string, c count.Count) (submit.JobResult, error) {
			return stock.MoveJob(ctx, x.newJob(key, "OAT-1L@WH-1", c), stock.Change{State: api.Available, To: api.Damaged, Reason: "broken"})
		},
	} {
		x.fails("OAT-1L is tracked by lot.")(run(name+"-1", none))
		_, err := run(name+"-2", l1)
		require.NoError(t, err, name)
	}
	picked := x.order(4)
	ledgertest.Do(x.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: picked.ID})
	_, err := outbounds.FulfillJob(ctx, x.newJob("picked", picked.ID.String(), none))
	require.NoError(t, err)
}

func (x *jobRunner) order(q int64) api.Outbound {
	return ledgertest.Do(x.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: x.Oat.ID, LocationID: x.Main.ID, RequestedQuantity: &q}).Outbound
}

func (x *jobRunner) succeeds(words string) func(submit.JobResult, error) {
	return func(r submit.JobResult, err error) {
		x.t.Helper()
		require.NoError(x.t, err)
		require.Equal(x.t, words, r.Text)
	}
}

func (x *jobRunner) fails(words string) func(submit.JobResult, error) {
	return func(_ submit.JobResult, err error) {
		x.t.Helper()
		require.ErrorContains(x.t, err, words)
	}
}

func TestJobs_BookOnceWithScreenTexts(t *testing.T) {
	t.Parallel()
	x := &jobRunner{Warehouse: viewtest.NewWarehouse(t), t: t, saved: map[string]*submit.Submission{}}
	x.Inbound("PO-1", x.Oat, 240, time.Hour)
	ctx := context.Background()
	lot := func(n int64) count.Count {
		return count.Count{Quantity: n, Lot: "L1", ExpiresAt: time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)}
	}
	damaged := lot(48)
	damaged.Damaged = 2
	x.succeeds("Received 48, 2 damaged: 48 of 240, 192 to go")(inbounds.ReceiveJob(ctx, x.newJob("a", "PO-1", damaged)))
	x.succeeds("Received 48, 2 damaged: 48 of 240, 192 to go")(inbounds.ReceiveJob(ctx, x.newJob("a", "PO-1", damaged)))

	x.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	_, err := inbounds.ReceiveJob(ctx, x.newJob("b", "PO-1", lot(12)))
	var unsure *submit.UnknownOutcomeError
	require.ErrorAs(t, err, &unsure)
	require.Equal(t, "b", unsure.Key)
	require.ErrorContains(t, err, "Retry with the same key")
	r, err := inbounds.ReceiveJob(ctx, x.newJob("b", "PO-1", lot(12)))
	x.succeeds("Received 12: 60 of 240, 180 to go")(r, err)
	require.True(t, r.Replayed)
	x.Proxy.Down()
	_, err = inbounds.ReceiveJob(ctx, x.newJob("c", "PO-1", lot(12)))
	require.True(t, api.HasCode(err, api.Unavailable), "nothing was sent: %v", err)
	x.Proxy.Up()

	fresh := x.newJob("d", "PO-1", lot(200))
	fresh.MayBeBooked = false
	x.fails("Too many: OAT-1L has only 180 to go")(inbounds.ReceiveJob(ctx, fresh))
	x.fails("Only 180 to go, but the count is 200")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(200))))
	x.succeeds("Received 180: 240 of 240, 0 to go")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(0))))
	x.succeeds("Received 180: 240 of 240, 0 to go")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(0))))
	fresh = x.newJob("e", "PO-1", lot(1))
	fresh.MayBeBooked = false
	x.fails("This delivery is received")(inbounds.ReceiveJob(ctx, fresh))
	x.fails("There is no delivery NONE")(inbounds.ReceiveJob(ctx, x.newJob("f", "NONE", lot(1))))

	x.Transfer("TR-1", x.Oat, x.Main, x.Depot, 20)
	x.succeeds("Shipped 12: 12 of 20, 8 to go")(transfers.ShipJob(ctx, x.newJob("g", "TR-1", count.Count{Quantity: 12, Lot: "L1"})))
	x.succeeds("Received 12: 12 of 12, 0 to go")(transfers.ReceiveJob(ctx, x.newJob("h", "TR-1", count.Count{})))
	x.succeeds("Shipped 8: 20 of 20, 0 to go")(transfers.ShipJob(ctx, x.newJob("i", "TR-1", count.Count{})))

	line := func(p api.Product, q int64) api.OutboundLineInput {
		return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
	}
	x.Stock(x.Coffee.ID, x.Main.ID, 30)
	ledgertest.Do(x.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: x.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"},
		Lines: []api.OutboundLineInput{line(x.Oat, 10), line(x.Coffee, 6)}})
	x.fails("SO-1 has several lines")(outbounds.FulfillJob(ctx, x.newJob("j", "SO-1", count.Count{Quantity: 4})))
	some := x.newJob("k", "SO-1", count.Count{Quantity: 4, Lot: "L1"})
	some.SKU = "oat-1l"
	x.succeeds("Fulfilled 4: 4 of 16 done, 12 ready")(outbounds.FulfillJob(ctx, some))
	x.succeeds("Fulfilled 12: 16 of 16 done, 0 ready")(outbounds.FulfillJob(ctx, x.newJob("l", "SO-1", count.Count{})))

	change := stock.Change{State: api.Available, Reason: "found"}
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", count.Count{Quantity: 5}), change))
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", count.Count{Quantity: 5}), change))
	x.fails("OAT-1L is tracked by lot")(stock.AdjustJob(ctx, x.newJob("n", "OAT-1L@WH-1", count.Count{Quantity: 5}), change))
	change.Exact = true
	x.succeeds("COF-500: available 29 → 20, on hand 29 → 20")(stock.AdjustJob(ctx, x.newJob("o", "COF-500@WH-1", count.Count{Quantity: 20}), change))
	x.fails("No change")(stock.AdjustJob(ctx, x.newJob("p", "COF-500@WH-1", count.Count{Quantity: 20}), change))
	change = stock.Change{State: api.Available, To: api.Damaged, Reason: "broken"}
	x.succeeds("COF-500: available 20 → 17, damaged 0 → 3")(stock.MoveJob(ctx, x.newJob("q", "COF-500@WH-1", count.Count{Quantity: 3}), change))
	change.To = api.Committed
	x.fails("cannot be moved by hand")(stock.MoveJob(ctx, x.newJob("r", "COF-500@WH-1", count.Count{Quantity: 3}), change))

	a, err := balances.ExplainText(ctx, x.Site, "COF-500@WH-1", 2)
	require.NoError(t, err)
	require.NoError(t, a.Err())
	require.Len(t, a.Movements, 2)
	require.Contains(t, a.Lines(nil)[1], "on hand 20 = available 17")
}

// A number that was typed for the line before counts nothing on the line after it, until that
// one is chosen: lines may arrive before the terminal says which line is next.
func TestLineMode_CountsNothingOnALineThatWasNotChosen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-9", h.Coffee, 20, time.Hour)
	h.Clock.Advance(time.Millisecond)
	h.Inbound("PO-9", h.Product("GL-06", api.TrackNone), 60, time.Hour)
	out := runLines(t, h, 80, nil, "receive PO-9", "20", "44", "+", "receive 44", "#2", "44", "where", "book")
	requireSays(t, out, "> 20", "ok  now 20", "> 44", "!   Ignored: GL-06 is next. Scan it, or wait a second", "> +", "!   Ignored", "> receive 44", "!   Ignored",
		"> #2", "> 44", "ok  now 44", "Received 64 (2 products): 1 line to go")
}

func TestLineMode_SaysWhatExpired(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 70, "NEW")
	viewtest.ReceiveLot(h.World, h.Oat, h.Main, 50, "OLD", tuitest.Noon.AddDate(0, 0, -3))
	out := runLines(t, h, 200, nil, "stock", "where", "explain OAT-1L@WH-1", "where")
	inStock, explained, _ := strings.Cut(out, "> explain")
	for _, text := range []string{inStock, explained} {
		require.Contains(t, text, "Of the available 120, 50 have expired. 70 can be picked")
	}
}
