package outbox_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	offlinequeue "bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/balances"
	"bincard/views/inbounds"
	"bincard/views/outbox"
	"bincard/views/session"
	"bincard/views/submit"
	"bincard/views/viewtest"
)

// A syncFixture is a terminal with a node in front of a service that can be
// disconnected.
type syncFixture struct {
	*viewtest.Fixture
	t     *testing.T
	proxy *viewtest.FaultProxy
	node  *viewtest.Node
	in    api.Inbound // PO-118, of which 144 of 240 are pending
	site  *session.Site
}

func newSyncFixture(t *testing.T) *syncFixture {
	s := viewtest.NewFixture(t)
	s.Clock.Set(tuitest.Noon.Add(-3 * time.Hour))
	b := &syncFixture{Fixture: s, t: t, proxy: viewtest.NewFaultProxy(s.Service)}
	b.in = ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Soy.ID, LocationID: s.Main.ID},
		ExpectedQuantity: 240, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2026-118"}}).Inbound
	ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: b.in.ID, Quantity: 96})
	b.node = viewtest.NewNode(t, b.World, b.proxy)
	return b
}

// receive receives q of PO-118 at the node, as Ada.
func (f *syncFixture) receive(q int64) string {
	key := api.NewKey()
	f.Clock.Advance(10 * time.Minute)
	_, err := api.ReceiveInbound.Call(f.t.Context(), f.node, api.ReceiveInboundInput{InboundID: f.in.ID, Quantity: q}, api.Key(key), api.By("Ada"))
	require.NoError(f.t, err)
	return key
}

// receiveElsewhere receives q of PO-118 at the service.
func (f *syncFixture) receiveElsewhere(q int64) {
	f.Clock.Advance(10 * time.Minute)
	ledgertest.Do(f.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: f.in.ID, Quantity: q})
}

// newConflict receives 48 and 20 offline and 132 of the 144 pending elsewhere, so that
// neither fits.
func newConflict(t *testing.T) *syncFixture {
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.receive(48)
	b.receive(20)
	b.receiveElsewhere(132)
	b.Clock.Set(tuitest.Noon)
	b.node.Connect()
	return b
}

func (f *syncFixture) terminal(route string) *tuitest.Driver {
	return f.Terminal(f.node, route, func(r *tui.Registry, site *session.Site) {
		f.site = site
		outbox.Register(r, site)
	})
}

// translated opens the list on a service in a language. Its site has no folder to export to.
func (f *syncFixture) translated(svc api.Service, tr *i18n.Translator) *tuitest.Driver {
	site := session.NewSite(session.Options{Service: svc, Translator: tr, Operator: "Ada", Settings: f.Settings, Now: f.Clock.Now,
		Location: session.Location{ID: f.Main.ID, Code: f.Main.Code, Name: f.Main.Name}})
	r := tui.NewRegistry()
	outbox.Register(r, site)
	inbounds.Register(r, site)
	return tuitest.New(f.t, shell.Options{Registry: r, Translator: tr, Start: []string{"sync"}})
}

func (f *syncFixture) status() api.Sync {
	st, err := api.GetSync.Call(f.t.Context(), f.node, api.SyncInput{})
	require.NoError(f.t, err)
	return st
}

func (f *syncFixture) received() int64 {
	return ledgertest.Do(f.World, api.GetInbound, api.InboundInput{InboundID: f.in.ID}).ReceivedQuantity
}

func TestList_NothingPending(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	d := b.terminal("sync")
	d.Sees("Everything is synced", "ONLINE", "○ 0 pending", "No entries are pending")
	d.Goldens("nothing")
	d.Key("enter").Sees("There is nothing to open")
	d.Key("f10").Sees("There is nothing to export")
}

func TestList_PendingWorkSyncs(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.receive(48)
	b.Clock.Set(tuitest.Noon)
	d := b.terminal("sync")
	d.Sees("1 pending: synced automatically", "OFFLINE", "receive 48 × SOY-1L on PO-2026-118", "no connection", "Ada", "data from 09:00")
	d.Goldens("waits")
	d.Key("enter").Sees("Sync › receive 48", "It syncs automatically", "96 of 240 open", "144 of 240 open").Key("f7").Sees("It is already pending")
	d.Key("esc")
	b.proxy.Up()
	d.Key("f5").Sees("Trying to connect")
	b.node.Sync()
	d.Advance(20 * time.Second).Sees("Everything is synced")
	require.EqualValues(t, 144, b.received())
}

func TestWork_EditAndRecord(t *testing.T) {
	t.Parallel()
	b := newConflict(t)
	d := b.terminal("sync")
	d.Sees("2 need a decision: enter opens the first", "! failed 12:00", "! on hold 12:00", "receive 48 × SOY-1L on PO-2026-118", "Here     12 of 240 open", "Service  12 of 240 open")
	d.Goldens("decide")
	d.Key("enter").Sees("! failed 12:00", "12 of 240 pending", "Retry, edit, adjust or discard it?", "by Ada")
	d.Goldens("one")

	d.Key("f4").Sees("Enter the correct values", "Was      receive 48 × SOY-1L", "Now      receive 12 × SOY-1L")
	d.Goldens("edit")
	d.Key("enter").Sees("Replaced with: receive 12", "Sync › receive 20") // and on to the next
	b.node.Sync()
	require.EqualValues(t, 240, b.received())

	d.Advance(20*time.Second).Key("f6").Sees("Record what happened as an adjustment", "Now      adjust +20 × SOY-1L at WH-1")
	d.Goldens("record")
	d.Key("enter", "enter", "enter").Sees("Replaced with: adjust +20")
	b.node.Sync()
	d.Advance(20 * time.Second).Sees("Everything is synced")
	require.Zero(t, b.status().Waiting+b.status().Refused+b.status().Held)
	balances := ledgertest.Do(b.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: b.Soy.ID, LocationID: b.Main.ID}})
	require.EqualValues(t, 260, balances.Items[0].OnHand)
	moves := ledgertest.Do(b.World, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: b.Soy.ID}})
	require.Contains(t, moves.Items[0].Reason, "receive 20 × SOY-1L on PO-2026-118")
	d.Key("f3", "f3").Sees("replaced").Key("enter").Sees("by Ada: replaced by another")
}

// The list retries and discards several operations at once, with one reason.
func TestList_DecidesInBulk(t *testing.T) {
	t.Parallel()
	b := newConflict(t)
	d := b.terminal("sync")
	d.Sees("2 need a decision").Key("f7").Sees("Retry which entries?", "all 2").Key("enter").Sees("Done: 2")
	b.node.Sync()
	d.Advance(20*time.Second).Sees("2 need a decision", "failed")
	d.Key("f8").Sees("Discard which entries?").Key("enter").Sees("Why discard it?").Key("enter").Sees("Why discard it?")
	d.Type("counted again").Key("enter").Sees("Discard 2? It will not be sent.").Key("enter").Sees("Done: 2", "Everything is synced")
	d.Key("f7").Sees("Nothing needs a decision")
	require.EqualValues(t, 228, b.received())
	list, err := api.ListWork.Call(t.Context(), b.node, api.ListWorkInput{State: api.WorkDiscarded})
	require.NoError(t, err)
	require.Len(t, list.Items, 2)
	for _, w := range list.Items {
		require.Equal(t, []string{"counted again", "Ada"}, []string{w.Reason, w.By})
	}
}

func TestWork_DiscardNeedsReason(t *testing.T) {
	t.Parallel()
	b := newConflict(t)
	d := b.terminal("sync")
	d.Key("enter").Key("f8").Sees("Why discard it?").Key("enter").Sees("Why discard it?")
	d.Type("booked twice").Key("enter").Sees("Discard receive 48").Key("enter")
	d.Sees("Discarded: receive 48", "Sync › receive 20")
	d.Key("f7").Sees("It will be retried")
	b.node.Sync()
	d.Advance(20*time.Second).Sees("1 needs a decision", "failed")
	d.Key("f3", "f3").Sees("discarded").Key("enter").Sees("by Ada: booked twice", "Nothing left to decide")
	require.EqualValues(t, 228, b.received())
}

// countingService counts the requests of an operation.
type countingService struct {
	api.Service
	op    *api.Spec
	times int
}

func (s *countingService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == s.op {
		s.times++
	}
	return s.Service.Do(ctx, req)
}

func TestRefresher_LoadsOnce(t *testing.T) {
	t.Parallel()
	b := newConflict(t)
	slow := &countingService{Service: b.node, op: api.ListWork.Spec}
	d := b.Terminal(slow, "sync", outbox.Register)
	for _, key := range []string{"ctrl+r", "enter"} { // the list, and one of it
		slow.times = 0
		d.Hold().Key(key).Advance(20 * time.Second).Release()
		require.Equal(t, 1, slow.times, key)
	}
}

func TestList_FilterShowsLoading(t *testing.T) {
	t.Parallel()
	b := newConflict(t)
	d := b.terminal("sync")
	d.Sees("receive 48 × SOY-1L").Hold().Key("f3").Sees("loading…").Lacks("Nothing needs a decision")
	d.Key("enter").Sees("Still loading")
	d.Key("f3").Lacks("Nothing was discarded", "receive 48 × SOY-1L")
	d.Release().Lacks("loading…").Sees("Nothing was discarded").Key("enter").Sees("There is nothing to open")
}

func TestWork_DiscardNeedsKnownOutcome(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	b.proxy.Fail(api.ListChanges.Spec, viewtest.ErrUnreachable, nil)
	key := b.receive(48)
	out, err := b.node.NextBatch()
	require.NoError(t, err)
	res, sent := b.proxy.Do(t.Context(), out.Requests[0].Req)
	require.NoError(t, b.node.SendDone(key, res, sent))
	d := b.terminal("sync")
	d.Sees("~ no answer yet").Key("enter").Sees("This may already be recorded")
	d.Key("f4").Sees("Wait for the answer")
	_, err = api.DiscardWork.Call(t.Context(), b.node, api.DiscardWorkInput{Key: key, Reason: "x"})
	require.True(t, api.HasCode(err, api.Undecided), "%v", err)

	// A person may accept that it may have been done.
	d.Key("f8").Sees("Why discard it?").Type("never answered").Key("enter").Sees("It will not be sent again").Key("enter")
	d.Sees("This may already be recorded. Discard it anyway?").Key("esc")
	require.Equal(t, offlinequeue.Pending, b.node.Operation(key).State)
	d.Key("f8").Type("never answered").Key("enter").Key("enter").Key("enter").Sees("Discarded: receive 48")
	require.Equal(t, offlinequeue.Discarded, b.node.Operation(key).State)
	b.proxy.Fail(api.ListChanges.Spec, nil, nil)
	b.node.Resume()
	b.node.Sync()
	require.Equal(t, offlinequeue.Done, b.node.Operation(key).State, "the service has recorded it")
}

func TestWork_ExportAndImport(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.receive(48)
	b.receive(20)
	d := b.terminal("sync")
	d.Key("f10").Sees("Exported 2 to")
	files, err := filepath.Glob(filepath.Join(b.Exports, "work-*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	var file api.WorkFile
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Items, 2)

	b.proxy.Up()
	first := b.node
	b.node = viewtest.NewNode(t, b.World, b.proxy)
	other := b.terminal("sync")
	other.Key("ctrl+o").Sees("File to import", "work-").Key("enter").Sees("Imported 2, 0 already here")
	other.Key("ctrl+o").Key("enter").Sees("Imported 0, 2 already here")
	b.node.Sync()
	first.Resume()
	first.Sync()
	require.EqualValues(t, 96+48+20, b.received())
	other.Key("ctrl+o").Type("x").Key("enter").Sees("Check the path.")
}

// The supervisor who approves an import reads how much is imported, and from which file.
func TestList_ImportNeedsSupervisor(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.receive(16)
	file, err := api.ExportWork.Call(t.Context(), b.node, api.SyncInput{})
	require.NoError(t, err)
	text, err := json.Marshal(file)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "queue.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))

	b.proxy.Up()
	b.node = viewtest.NewNode(t, b.World, b.proxy)
	d := b.openSigned("sync").Key("ctrl+o", "ctrl+u").Type(path + "x").Key("enter").Sees("Check the path.")
	d.Key("enter", "ctrl+o", "ctrl+u").Type(path).Key("enter").Sees("import entries (1) from queue.json")
	d.Scan("EVE-43").Sees("Imported 1, 0 already here")
	b.node.Sync()
	require.EqualValues(t, 96+16, b.received())
	require.Equal(t, "Eve", b.lastMovement().ApprovedBy)
}

func TestSyncBadges_OnOtherScreens(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.receive(48)
	b.Clock.Set(tuitest.Noon)
	open := func(route string) *tuitest.Driver {
		return b.Terminal(b.node, route, func(r *tui.Registry, site *session.Site) {
			_, err := site.FetchSyncStatus(t.Context())
			require.NoError(t, err)
			inbounds.Register(r, site)
			balances.Register(r, site)
		})
	}
	open("receive").Sees("○ PO-2026-118")
	open("explain/SOY-1L@WH-1").Sees("○ part of it is not synced yet")
	b.receiveElsewhere(132)
	b.node.Connect()
	open("receive").Sees("! PO-2026-118")
	open("explain/SOY-1L@WH-1").Lacks("not synced yet")
}

func TestList_WithoutNode(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixture(t)
	s.Terminal(s.Service, "sync", outbox.Register).Sees("Offline mode is off")
	s.Local = true
	s.Terminal(s.Service, "sync", outbox.Register).Sees("The ledger is on this machine. There is nothing to sync.")
}

func TestList_QuotaAndKeyErrors(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.proxy.Fail(api.ReceiveInbound.Spec, api.Fail(api.PlanLimitExceeded, nil, "The plan allows 100 billable operations a month."), nil)
	b.receive(48)
	b.node.Sync()
	b.terminal("sync").Sees("Monthly quota used up", "quota used up")
	b.proxy.Fail(api.ReceiveInbound.Spec, api.Fail(api.Unauthorized, nil, "The key was revoked."), nil)
	b.Clock.Advance(2 * time.Hour)
	b.node.Resume()
	b.node.Sync()
	b.terminal("sync").Sees("Key rejected, next try 11:15: The key was revoked.", "key rejected")
}

// A damagedService reports damage, or another alarm, until it is acknowledged.
type damagedService struct {
	api.Service
	alarm api.SyncAlarm
	text  string
	by    []string // who acknowledged it, and who approved that
}

func (s *damagedService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.AcknowledgeDamage.Spec {
		s.by = append(s.by, api.OperatorText(req.Operator, req.ApprovedBy))
	}
	res, err := s.Service.Do(ctx, req)
	if err == nil && req.Spec == api.GetSync.Spec && s.by == nil {
		st := *res.Output.(*api.Sync)
		st.Alarms, st.Troubles = []api.SyncAlarm{s.alarm}, []string{s.text}
		res = &api.Response{Output: &st}
	}
	return res, err
}

func TestList_AcknowledgesDamage(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	svc := &damagedService{Service: b.node, alarm: api.AlarmDamage, text: "work.journal: some of it is damaged."}
	d := b.Terminal(svc, "sync", outbox.Register)
	d.Size(40, 8).Sees("▸ entries damaged", "work.journal").Lacks("synced").Size(80, 24)
	d.Sees("some of it is damaged", "acknowledge").Key("ctrl+a").Sees("Did you compare recent entries with the stock?")
	d.Key("esc").Sees("some of it is damaged")
	require.Empty(t, svc.by)
	d.Key("ctrl+a").Key("enter").Sees("The damage is acknowledged").Lacks("some of it is damaged")
	require.Equal(t, []string{"Ada"}, svc.by)
	d.Key("ctrl+a").Sees("Nothing is damaged.")
}

func TestList_AcknowledgesCopy(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	svc := &damagedService{Service: b.node, alarm: api.AlarmCopy, text: "This data directory is in use twice (Depot, Quay), so nothing is sent."}
	d := b.Terminal(svc, "sync", outbox.Register)
	d.Size(40, 8).Sees("▸ directory in use twice").Lacks("synced").Size(80, 24)
	d.Sees("Nothing is sent: this data directory is in use twice", "(Depot, Quay)", "acknowledge").Lacks("damage")
	d.Key("ctrl+a").Sees("Will both directories stay in use?").Key("esc").Sees("(Depot, Quay)")
	require.Empty(t, svc.by)
	d.Key("ctrl+a").Key("enter").Sees("This directory has its own id now").Lacks("(Depot, Quay)")
	require.Equal(t, []string{"Ada"}, svc.by)
}

// A receipt of lot L7 was rejected, because its inbound was closed meanwhile. A supervisor
// approves its replacement.
func TestRecord_KeepsLot(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	_, err := api.ReceiveInbound.Call(t.Context(), b.node, api.ReceiveInboundInput{InboundID: b.in.ID, Quantity: 5, NewLot: api.NewLot{LotCode: "L7"}}, api.By("Ada"))
	require.NoError(t, err)
	ledgertest.Do(b.World, api.CloseInbound, api.CloseInboundInput{InboundID: b.in.ID})
	b.node.Connect()

	d := b.openSigned("sync")
	d.Key("enter", "f6").Scan("EVE-43").Sees("Approved by Eve", "adjust +5 × SOY-1L at WH-1", "lot L7")
	d.Key("ctrl+s").Sees("Replaced with")
	b.node.Sync()
	row := b.lastMovement()
	require.Equal(t, []string{"Ada", "Eve"}, []string{row.Operator, row.ApprovedBy})
	at := ledgertest.Do(b.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: b.Soy.ID, LocationID: b.Main.ID}}).Items[0]
	why := ledgertest.Do(b.World, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: at.ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
	last := why.Movements[0]
	require.Equal(t, "L7", last.Lot.LotCode)
	require.EqualValues(t, 5, last.Quantity)
	require.Contains(t, last.Reason, "receive 5 × SOY-1L")
}

func TestRecord_WritesOffSerials(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	site := session.NewSite(session.Options{Service: b.node})
	w := &api.Work{Key: "k", Operation: api.FulfillStock.Spec.ID, State: api.WorkRefused, Body: api.Metadata(`{"serialNumbers":["SN-1"]}`)}
	one := int64(1)
	w.Stock = api.WorkStock{ProductID: b.Soy.ID, LocationID: b.Main.ID, Quantity: &one, Serials: []string{"SN-1"}}
	in, err := outbox.Record(t.Context(), site, w, nil)
	require.NoError(t, err)
	require.Equal(t, api.WriteOffStock.Spec.ID, in.Operation)
	require.Contains(t, string(in.Body), `"serialNumbers":["SN-1"]`)
	in, err = outbox.Record(t.Context(), site, w, map[string]string{"delta": "+1"})
	require.NoError(t, err)
	require.Equal(t, api.AdjustStock.Spec.ID, in.Operation, "outgoing serials are not received")
}

func TestImportFile_SplitsLargeFile(t *testing.T) {
	t.Parallel()
	item := api.Metadata(`"` + strings.Repeat("x", 200<<10) + `"`)
	in := &api.ImportWorkInput{Format: 1, Items: []api.Metadata{item, item, item, item, item}}
	var parts []int
	got, err := outbox.ImportFile(in, func(part api.ImportWorkInput) (api.Imported, error) {
		require.EqualValues(t, 1, part.Format)
		parts = append(parts, len(part.Items))
		return api.Imported{Taken: int64(len(part.Items))}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{2, 2, 1}, parts)
	require.EqualValues(t, 5, got.Taken)
}

func TestWorkAtRisk_InGerman(t *testing.T) {
	t.Parallel()
	f := newSyncFixture(t)
	f.node.Disconnect()
	key := api.NewKey()
	_, err := api.WriteOffStock.Call(t.Context(), f.node, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: f.Soy.ID, LocationID: f.Main.ID}, Quantity: new(int64(500)), Reason: "Bruch"},
		api.Key(key), api.By("Ada"), api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), err)
	tr := tuitest.Language(t, "de")
	require.Equal(t, "Unter Vorbehalt gespeichert: Der Server kann es ablehnen. SOY-1L in WH-1: 96 verfügbar, 500 angefordert. Höchstens 96 anfordern oder erst mehr Bestand einbuchen.",
		submit.UserMessage(tr, err))
	f.Clock.Set(tuitest.Noon)

	d := f.translated(f.node, tr)
	d.Sees("SOY-1L in WH-1: 96 verfügbar, 500 angefordert. Höchstens 96 anfordern oder")
	f.node.Connect()
	d.Key("f5").Sees("fehlgeschlagen", "SOY-1L in WH-1: 96 verfügbar, 500 angefordert.", "ONLINE")
}

// An operation that never gets through is looked up in the service. When that does not
// have it, it is edited or discarded like any other.
func TestWork_NotRecordedIsDiscarded(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.proxy.Fail(api.ReceiveInbound.Spec, &api.Error{Code: api.Unavailable, Message: "connection reset"}, nil)
	key := b.receive(48)
	for range 20 {
		b.Clock.Advance(4 * time.Minute)
		b.node.Sync()
	}
	require.Positive(t, b.node.Status().Stuck)
	d := b.terminal("sync")
	d.Sees("~ no answer yet").Key("enter").Sees("This may already be recorded")
	b.Clock.Advance(31 * time.Second)
	b.node.Sync()
	d.Advance(2*time.Second).Sees("not recorded yet", "the service does not have it", "It will be sent again").Lacks("may already be recorded")
	d.Key("f8").Type("the filter rejects it").Key("enter").Sees("It will not be sent.").Key("enter").Sees("Discarded: receive 48")
	require.Equal(t, offlinequeue.Discarded, b.node.Operation(key).State)
}

// The node received 48 with a key that the service recorded for an adjustment by Ben.
func TestWork_ShowsBothSidesOfAReusedKey(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.Clock.Set(tuitest.Noon)
	_, err := api.AdjustStock.Call(t.Context(), b.Service, api.AdjustStockInput{StockKey: api.StockKey{ProductID: b.Soy.ID, LocationID: b.Main.ID},
		InventoryState: api.OnHand, QuantityDelta: 7, Reason: "found"}, api.Key("night-0"), api.By("Ben"), api.OnDevice("Scanner 3"))
	require.NoError(t, err)
	_, err = api.ReceiveInbound.Call(t.Context(), b.node, api.ReceiveInboundInput{InboundID: b.in.ID, Quantity: 48}, api.Key("night-0"), api.By("Ada"))
	require.NoError(t, err)
	b.node.Connect()
	d := b.terminal("sync")
	d.Sees("The service recorded another entry with this key").Key("enter")
	d.Sees("receive 48 × SOY-1L on PO-2026-118", "Ada", "Recorded", "adjust +7 × SOY-1L at WH-1, Ben, Scanner 3, today 12:00")
	inbound := ledgertest.Do(b.World, api.GetInbound, api.InboundInput{InboundID: b.in.ID})
	require.EqualValues(t, 96, inbound.ReceivedQuantity, "a person decides")
	d.Goldens("other")

	d = b.translated(b.node, tuitest.Language(t, "de"))
	d.Key("enter").Sees("Gebucht", "Ben, Scanner 3", "Der Server hat mit diesem Schlüssel")
	d.Key("f10").Sees("Dieses Terminal kann keine Dateien lesen oder schreiben")
}

// A waitingService makes all work of a node wait for another site.
type waitingService struct{ api.Service }

func (s waitingService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := s.Service.Do(ctx, req)
	if list, ok := req.Spec.NewOutput().(*api.List[api.Work]); err == nil && ok {
		list.Items = slices.Clone(res.Output.(*api.List[api.Work]).Items)
		for i := range list.Items {
			w := &list.Items[i]
			w.State, w.Wait = api.WorkSent, api.WaitOtherSite
			w.Refusal = &api.WorkRefusal{Code: api.NothingPending, Message: "Nothing is pending."}
		}
		res = &api.Response{Output: list}
	}
	return res, err
}

// Work that waits for another site is no decision: the screens say what it waits for.
func TestWork_WaitsForAnotherSite(t *testing.T) {
	t.Parallel()
	f := newSyncFixture(t)
	f.node.Disconnect()
	f.receive(48)
	f.Clock.Set(tuitest.Noon)
	svc := waitingService{f.node}

	d := f.Terminal(svc, "sync", outbox.Register)
	d.Sees("waits for a site", "This depends on an entry from another site")
	d.Key("enter").Sees("It will be sent when the other site has sent its entry again")

	f.translated(svc, tuitest.Language(t, "de")).Sees("wartet auf Standort")
}

// A node can queue every write that is not ServiceOnly, so each needs a title.
func TestWorkTitle_EveryOperationHasOne(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec.Writes() && !spec.ServiceOnly {
			require.NotEqual(t, spec.ID, outbox.WorkTitle(nil, &api.Work{Operation: spec.ID}), "add %s to operationTitles", spec.ID)
		}
	}
}

// The receipt or write-off of tracked items that replaced work is an adjustment, not a
// receipt on the document.
func TestWorkTitle_ReplacementIsAnAdjustment(t *testing.T) {
	t.Parallel()
	five := int64(5)
	w := api.Work{Operation: api.ReceiveStock.Spec.ID, Stock: api.WorkStock{SKU: "OAT-1L", Reference: "PO-427", Location: "WH-1", Quantity: &five}}
	require.Equal(t, "receive 5 × OAT-1L on PO-427", outbox.WorkTitle(nil, &w))
	w.Replaces = "other"
	require.Equal(t, "adjust +5 × OAT-1L at WH-1", outbox.WorkTitle(nil, &w))
	w.Operation = api.WriteOffStock.Spec.ID
	require.Equal(t, "adjust -5 × OAT-1L at WH-1", outbox.WorkTitle(nil, &w))
}
