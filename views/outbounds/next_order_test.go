package outbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// finish fulfills all of the order of one line that is open.
func finish(d *tuitest.Driver) *tuitest.Driver { return d.Key("+", "enter").Sees("is fulfilled (") }

func TestNext_OpensOrderDueFirst(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-C", tuitest.Noon.Add(time.Hour), line(f.Soy, 1))
	f.addOrder("SO-B", tuitest.Noon.Add(time.Hour), line(f.Soy, 1))
	f.addOrder("SO-A", tuitest.Noon.Add(-49*time.Hour), line(f.Soy, 1))
	d := f.open(f.Service, "fulfill")
	d.Scan("SO-7781")
	finish(d).Sees("This order is fulfilled (36 of 36). Enter opens SO-A, 2 days late.", "enter open SO-A")
	d.Advance(time.Second).Key("enter").Sees("Fulfill › SO-A").Lacks("Enter opens")
	finish(d).Sees("Enter opens SO-B, due today 13:00.").Advance(time.Second).Key("enter")
	finish(d.Sees("Fulfill › SO-B")).Sees("Enter opens SO-C, due today 13:00.")
	d.Key("esc").Sees("SO-7790").Lacks("SO-7781", "Enter opens")
}

func TestNext_IgnoresEnterForTheEarlierScreen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Key("enter").Sees("Enter ignored: SO-7790 was offered just now. Press it again", "Fulfill › SO-7781")
	d.Advance(time.Second).Key("enter").Sees("Fulfill › SO-7790")

	d = f.open(f.Service, "fulfill/SO-7781") // finished before
	d.Sees("Enter opens SO-7790").Advance(time.Second)
	d.Burst("SO-7781").Key("enter").Sees("Fulfill › SO-7781")
}

// What is offered stays while it is open, and a new offer does not take an enter that was
// meant for another.
func TestNext_ChangesOnlyWithoutTheOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Sees("Enter opens SO-7790")
	f.addOrder("SO-A", tuitest.Noon.Add(-49*time.Hour), line(f.Soy, 1))
	d.Advance(time.Minute).Sees("Enter opens SO-7790")
	ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: f.Next.ID})
	d.Hold().Advance(35 * time.Second).Sees("Enter opens SO-7790").Release()
	d.Sees("Enter opens SO-A").Key("enter").Sees("Enter ignored", "Fulfill › SO-7781")
}

func TestNext_OffersSkippedOrderLast(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-A", tuitest.Noon.Add(time.Hour), line(f.Soy, 1))
	f.addOrder("SO-B", tuitest.Noon.Add(2*time.Hour), line(f.Soy, 1))
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Sees("Enter opens SO-A").Scan("SO-B").Sees("Fulfill › SO-B")
	finish(d).Sees("Enter opens SO-7790").Advance(time.Second).Key("enter").Sees("Fulfill › SO-7790").Key("f10", "enter")
	d.Sees("is fulfilled (20 of 20). Enter opens SO-A")
}

func TestNext_LeavesOrdersOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Drafts = drafts.InMemory()
	require.NoError(t, f.Drafts.Save(tui.Draft{Route: "fulfill/" + f.Next.ID.String(), Owner: "Ben", Data: []byte(`{"name":"SO-7790"}`)}))
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Sees("Other operators work on the rest.").Lacks("Enter opens").Advance(time.Second).Key("enter").Sees("Fulfill › SO-7781")
	f.addOrder("SO-A", tuitest.Noon.Add(72*time.Hour), line(f.Soy, 1))
	d.Advance(time.Minute).Sees("Enter opens SO-A, due 2026-11-23 12:00.")
}

func TestNext_SaysThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: f.Next.ID})
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Sees("This order is fulfilled (36 of 36). Nothing else is open here.").Lacks("enter open")
	f.addOrder("SO-10", tuitest.Noon, line(f.Product("NEW-1", ""), 5))
	d.Advance(time.Minute).Sees("The rest waits for stock.")

	d = f.open(viewtest.Minimal(f.Service), "fulfill/"+f.Late.ID.String())
	d.Sees("This order is fulfilled (36 of 36). Scan the next document.")
}

func TestNext_InAllSizes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-2026-452", tuitest.Noon.Add(-49*time.Hour), line(f.Soy, 1))
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d)
	d.Goldens("next")
	d.Size(40, 8).Sees("next: SO-2026-452, 2 days late", "enter open")
	tuitest.Golden(t, "next-40x8", d.Painted())
}

// A number that is typed on a finished order does nothing and says so, and neither does the
// enter after it.
func TestNext_IgnoresNumberForTheEarlierOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	finish(d).Sees("Enter opens SO-7790").Advance(time.Second)
	d.Key("1").Sees("This order is fulfilled (36 of 36). Nothing was counted.").Key("2", "enter").Sees("Nothing was counted.", "Fulfill › SO-7781")
	d.Advance(time.Second).Key("enter").Sees("Fulfill › SO-7790").Lacks("12 counted")
	require.Zero(t, f.reload(f.Next).FulfilledQuantity)
}

// An order whose rest waits for stock stays open, but nothing is left to do on it now.
func TestNext_OpensWhenRestWaitsForStock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-W", tuitest.Noon.Add(-time.Hour), line(f.Phone, 1), line(f.Soy, 50))
	d := f.open(f.Service, "fulfill/SO-W")
	d.Lacks("Enter opens")
	d.Scan("PHONE-7").Scan("SN-1").Key("f10", "enter").Sees("Fulfilled ").Sees("Enter opens SO-7781", "enter open SO-7781")
	require.True(t, f.reload(o).Status.Open())
	d.Advance(time.Second).Key("enter").Sees("Fulfill › SO-7781")
}

// Without a connection, a finished order offers the next one too. Both sync later.
func TestNext_OpensOrderOffline(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.addOrder("SO-1", tuitest.Noon.Add(-2*time.Hour), line(f.Phone, 1))
	second := f.addOrder("SO-2", tuitest.Noon.Add(-time.Hour), line(f.Soy, 6), line(f.Phone, 1))
	node := viewtest.NewNode(t, f.World, viewtest.NewFaultProxy(f.Service))
	node.Disconnect()
	d := f.open(node, "fulfill/SO-1")
	d.Scan("PHONE-7").Scan("SN-2").Key("enter").Sees("This order is fulfilled (1 of 1). Enter opens SO-2", "enter open SO-2")
	d.Size(20, 16).Sees("fulfilled", "next: SO-2", "enter open").Size(80, 24)
	d.Advance(time.Second).Key("enter").Sees("Fulfill › SO-2").Key("+", "enter").Sees("Not counted: 1 × PHONE-7. Fulfill 6 anyway?")
	d.Key("enter").Sees("Saved, not synced. Fulfilled 6: 6 of 7 done, 1 ready")
	require.Zero(t, f.reload(first).FulfilledQuantity)
	node.Connect()
	require.Equal(t, api.OutboundFulfilled, f.reload(first).Status)
	require.Equal(t, "SN-2", f.reload(first).Lines[0].Serials[0].Serial.SerialNumber)
	require.EqualValues(t, 6, f.reload(second).FulfilledQuantity)
}
