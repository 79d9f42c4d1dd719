package outbox_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	offlinequeue "bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/balances"
	"bincard/views/inbounds"
	"bincard/views/outbox"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
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
	d.Sees("Everything is synced", "ONLINE", "○ 0 pending", "No work is pending")
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
	d.Sees("2 need a decision").Key("f7").Sees("Retry which work?", "all 2").Key("enter").Sees("Done: 2")
	b.node.Sync()
	d.Advance(20*time.Second).Sees("2 need a decision", "failed")
	d.Key("f8").Sees("Discard which work?").Key("enter").Sees("Why discard it?").Key("enter").Sees("Why discard it?")
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
	d.Sees("receive 48 × SOY-1L").Hold().Key("f3").Sees("loading …").Lacks("Nothing needs a decision")
	d.Key("enter").Sees("Still loading")
	d.Key("f3").Lacks("Nothing was discarded", "receive 48 × SOY-1L")
	d.Release().Lacks("loading …").Sees("Nothing was discarded").Key("enter").Sees("There is nothing to open")
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
	d.Sees("It may have been done").Key("esc")
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
	for _, size := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 20, Height: 16}} {
		t.Run(size.String(), func(t *testing.T) {
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
			site, r := b.Site(b.node), tui.NewRegistry()
			outbox.Register(r, site)
			d := tuitest.New(t, shell.Options{Registry: r, Start: []string{"sync"}, Login: tui.Login{Current: "Ada",
				Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}},
				OnChange:  site.SetOperator, OnApproval: site.Approve}})
			d.Size(size.Width, size.Height).Key("ctrl+o", "ctrl+u").Type(path + "x").Key("enter")
			says := func(text string) {
				t.Helper()
				require.Contains(t, strings.Join(strings.Fields(d.View()), " "), text)
			}
			says("Check the path.")
			d.Key("enter", "ctrl+o", "ctrl+u").Type(path).Key("enter")
			says("import 1 of work from queue.json")
			d.Scan("EVE-43")
			says("Imported 1, 0 already here")
			b.node.Sync()
			require.EqualValues(t, 96+16, b.received())
		})
	}
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
	s.Terminal(s.Service, "sync", outbox.Register).Sees("goes straight to the service")
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
