package outbounds_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/outbounds"
	"bincard/views/session"
	"bincard/views/viewtest"
)

// orderFixture is a fixture with stock and two orders.
type orderFixture struct {
	*viewtest.Fixture
	Phone      api.Product // tracked by serial
	Late, Next api.Outbound
}

func newFixture(t *testing.T) *orderFixture {
	t.Helper()
	f := &orderFixture{Fixture: viewtest.NewFixture(t)}
	f.Phone = f.Product("PHONE-7", api.TrackSerial)
	f.Receive("PO-1", f.Oat.ID, f.Main.ID, 60, "L41-C")
	f.Receive("PO-2", f.Oat.ID, f.Main.ID, 60, "L42-A")
	f.Stock(f.Soy.ID, f.Main.ID, 40)
	f.World.Receive(f.Phone.ID, f.Main.ID, 3, "", "SN-1", "SN-2", "SN-3")
	f.Late = f.addOrder("SO-7781", tuitest.Noon.Add(-20*time.Minute), line(f.Oat, 36))
	f.Next = f.addOrder("SO-7790", tuitest.Noon.Add(26*time.Hour), line(f.Oat, 12), line(f.Soy, 8))
	f.Clock.Set(tuitest.Noon)
	return f
}

func line(p api.Product, q int64) api.OutboundLineInput {
	return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
}

func (f *orderFixture) addOrder(ref string, leaves time.Time, lines ...api.OutboundLineInput) api.Outbound {
	return ledgertest.Do(f.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.Main.ID, Lines: lines,
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: ref}, CustomerName: "Café Lumen", ExpectedShipAt: &leaves}).Outbound
}

// reload reads the order from the ledger.
func (f *orderFixture) reload(o api.Outbound) api.Outbound {
	return ledgertest.Do(f.World, api.GetOutbound, api.OutboundInput{OutboundID: o.ID})
}

func (f *orderFixture) open(svc api.Service, route string) *tuitest.Driver {
	return f.Terminal(svc, route, outbounds.Register)
}

func TestList_DueFirst(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill")
	d.Sees("SO-7781", "! today 11:40", "SO-7790", "OAT-1L +1", "tomorrow 14:00")
	d.Goldens("list")
	d.Scan("SO-7790").Sees("Fulfill › SO-7790")
	d.Key("esc").Scan("SOY-1L").Sees("Fulfill › SO-7790")
	d.Key("esc").Scan("OAT-BOX").Sees("Which order?").Advance(time.Second).Key("enter").Sees("Fulfill › SO-7781")
	d.Key("esc").Scan("NO-SUCH").Sees("NO-SUCH is unknown")

	f.addOrder("SO-7801", tuitest.Noon.Add(50*time.Hour), line(f.Product("RICE-1K", api.TrackNone), 5))
	d = f.open(f.Service, "fulfill")
	d.Scan("RICE-1K").Sees("Fulfill › SO-7801", "5 waiting for stock")
}

func TestList_PreviewsSelectedOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill").Size(200, 60)
	d.Sees("│ SO-7781", "Café Lumen").Key("ctrl+r").Sees("L41-C × 36")
	d.Key("down").Sees("│ SO-7790").Lacks("│ SO-7781", "L41-C × 36")
	tuitest.Golden(t, "second-200x60", d.Painted())
	d.Key("up").Sees("│ SO-7781", "L41-C × 36")
	d.Size(120, 40).Sees("│ SO-7781", "L41-C × 36").Size(80, 24).Lacks("│", "L41-C × 36")
}

func TestFulfill_ByScan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Sees("Fulfill › SO-7781", "Café Lumen", "! allocated, ships today 11:40", "Oat milk 1 l")
	d.Bells()
	d.Scan("OAT-BOX").Scan("OAT-BOX").Scan("9521234543213")
	require.Equal(t, 3, d.Bells())
	d.Sees("enter fulfill 25", "+12", "+1")
	d.Goldens("counted")
	d.Key("enter").Sees("Fulfilled 25: 25 of 36 done, 11 ready")
	require.Equal(t, int64(25), f.reload(f.Late).FulfilledQuantity)
	d.Key("+", "enter").Sees("This order is fulfilled (36 of 36).")
	d.Scan("OAT-BOX").Sees("Nothing was counted")
	d.Key("enter")
	d.Goldens("sent")
}

func TestFulfill_RejectedScans(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Scan("SOY-1L").Sees("OAT-1L is expected; this is SOY-1L (Soy drink 1 l). Nothing was counted.")
	d.Sees("F8 use it for another order (1 waiting)")
	d.Goldens("wrong")
	d.Key("enter").Type("37").Key("enter").Sees("Too many: OAT-1L has only 36 to go")
	d.Key("enter").Type("36").Key("enter").Scan("OAT-BOX").Sees("Too many: OAT-1L has only 36 to go, and 36 are already counted")
	require.Zero(t, f.reload(f.Late).FulfilledQuantity)
}

func TestFulfill_PickPackFulfill(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Key("f5").Sees("Nothing is picked yet").Key("ctrl+f").Sees("Nothing is picked yet")
	d.Scan("OAT-BOX").Key("f4").Sees("Picked 12: 0 of 36 done, 36 ready")
	require.Equal(t, int64(12), f.reload(f.Late).PickedQuantity)
	d.Key("f5").Sees("Packed: 12")
	d.Key("ctrl+f").Sees("Fulfilled 12 of SO-7781")
	d.Key("f4", "enter").Sees("Picked: 24").Key("ctrl+x").Sees("Cancel SO-7781? 24 are still open. The allocated stock (24) goes").Key("enter").Sees("SO-7781 canceled", "This order is canceled")
	got := f.reload(f.Late)
	require.Equal(t, api.OutboundCancelled, got.Status)
	require.Equal(t, int64(12), got.FulfilledQuantity)
}

func TestFulfill_SeveralLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Scan("SOY-1L").Type("8").Key("enter").Goldens("lines")
	d.Key("f4").Sees("Picked 8")
	require.Equal(t, int64(8), f.reload(f.Next).Lines[1].PickedQuantity)
	d.Advance(time.Second).Key("f10", "enter").Sees("This order is fulfilled (20 of 20).")
}

func TestFulfill_AsksForSerials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-8", tuitest.Noon.Add(time.Hour), line(f.Phone, 2))
	d := f.open(f.Service, "fulfill/SO-8")
	d.Sees("Scan each serial number").Scan("PHONE-7").Sees("Scan the serial number of PHONE-7")
	d.Scan("SN-2").Scan("SN-2").Sees("Serial SN-2 is already counted")
	d.Key("enter").Scan("SN-9").Sees("SN-9 is unknown")
	d.Key("enter").Type("2").Key("enter").Sees("is serialized").Lacks("type how many", "type a quantity").Key("enter")
	d.Scan("SN-3").Sees("All counted: press enter to fulfill").Lacks("Scan each serial number").Goldens("pieces")
	d.Key("enter").Sees("This order is fulfilled (2 of 2).").Lacks("cancel")
	require.Len(t, f.reload(o).Lines[0].Serials, 2)
}

func TestFulfill_ConsumedSerial(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-8", tuitest.Noon.Add(time.Hour), line(f.Phone, 1))
	other := f.addOrder("SO-9", tuitest.Noon.Add(time.Hour), line(f.Phone, 1))
	d := f.open(f.Service, "fulfill/SO-8")
	d.Scan("SN-1")
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: other.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-1"}}})
	d.Key("enter").Sees("SN-1 is consumed")
	d.Key("enter").Type("0").Key("enter").Scan("SN-2").Key("enter").Sees("This order is fulfilled")
}

func TestFulfill_AllocatesNewStock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-10", tuitest.Noon.Add(time.Hour), line(f.Soy, 50))
	d := f.open(f.Service, "fulfill/SO-10")
	d.Sees("32", "18 waiting for stock").Lacks("F3").Key("f3").Sees("Nothing can be allocated: none is available here. Receive stock first.")
	f.Stock(f.Soy.ID, f.Main.ID, 30)
	d.Advance(31*time.Second).Sees("18 waiting, 18 can be allocated now", "F3 allocate 18").Key("f3").Sees("allocated available stock", "50 ready")
}

func TestFulfill_NothingToAllocate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-10", tuitest.Noon.Add(time.Hour), line(f.Soy, 50))
	link := viewtest.NewFaultProxy(f.Service)
	link.Fail(api.ListPickableStock.Spec, viewtest.ErrUnreachable, nil)
	d := f.open(link, "fulfill/SO-10")
	d.Size(40, 8).Sees("18 waiting").Size(20, 16).Sees("18 waiting").Size(80, 24)
	d.Key("f3").Sees("Nothing can be allocated: 0 available here").Lacks("Enter less").Key("enter")
	d.Key("ctrl+x").Sees("Cancel SO-10? 50 are still open.").Key("enter").Sees("This order is canceled").Lacks("waiting for stock")
}

func TestNew_AddsWhatIsInTheForm(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/new")
	d.Sees("enter add line").Type("OAT-1L").Key("tab").Type("3").Key("tab", "shift+tab", "shift+tab", "enter").Sees("OAT-1L", "3")
	d.Type("SOY-1L").Key("tab").Type("5").Key("ctrl+s").Sees("Fulfill › ", "8 of 8 allocated")
	list, err := api.ListOutbounds.Call(context.Background(), f.Service, api.ListOutboundsInput{})
	require.NoError(t, err)
	require.Equal(t, int64(8), list.Items[0].RequestedQuantity)
	require.Equal(t, int64(3), list.Items[0].Lines[0].RequestedQuantity)
}

func TestFulfill_MinimalService(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(viewtest.Minimal(f.Service), "fulfill")
	d.Sees("Scan or type the order id", "does not list orders")
	d.Goldens("listless")
	d.Scan(f.Late.ID.String()).Sees("Fulfill › SO-7781", "Oat milk 1 l").Lacks("F3 ", "F4 ", "F5 ", "picked")
	d.Scan("OAT-1L").Scan("OAT-BOX").Sees("OAT-BOX is unknown. Is it OAT-1L").Scan("OAT-BOX")
	d.Type("12").Key("enter").Goldens("plain")
	d.Key("enter").Sees("Fulfilled 12: 12 of 36 done")
	d.Key("ctrl+x", "enter").Sees("SO-7781 canceled")
	d.Key("esc").Sees("Recently opened", "SO-7781").Key("enter").Sees("This order is canceled")
}

func TestNew_ByScan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := viewtest.NewFaultProxy(f.Service)
	d := f.open(link, "fulfill/new")
	d.Scan("WH-1").Sees("WH-1 is not a product label").Key("esc")
	d.Scan("OAT-BOX").Scan("OAT-BOX").Scan("SOY-1L").Key("tab").Type("6").Key("enter")
	d.Goldens("new")
	d.Key("tab", "tab").Type("Hotel Anker").Key("tab").Type("SO-99")
	link.Fail(api.CreateOutbound.Spec, nil, viewtest.ErrLost)
	d.Key("f10").Sees("the order may already exist").Key("enter")
	link.Fail(api.CreateOutbound.Spec, viewtest.ErrUnreachable, nil) // the retry must be identical
	d.Key("enter").Sees("the order may already exist").Key("enter").Sees("No answer yet")
	link.Fail(api.CreateOutbound.Spec, nil, nil)
	d.Key("enter").Sees("Fulfill › SO-99", "Hotel Anker")
	viewtest.RequireOneKey(t, link, api.CreateOutbound.Spec, 3)
	list, err := api.ListOutbounds.Call(context.Background(), f.Service, api.ListOutboundsInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 3)
	require.Equal(t, int64(24), list.Items[0].Lines[0].RequestedQuantity)
	require.Equal(t, int64(6), list.Items[0].Lines[1].RequestedQuantity)
}

func TestDetail_UnknownOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(f.Service, "fulfill/SO-0").Sees("There is no order SO-0 here")
}

func TestNew_UnsentOrderCanChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := viewtest.NewFaultProxy(f.Service)
	link.Fail(api.CreateOutbound.Spec, viewtest.ErrUnreachable, nil)
	d := f.open(link, "fulfill/new")
	d.Scan("OAT-BOX").Key("f10").Sees("The service cannot be reached").Key("enter").Lacks("No answer yet")
	link.Fail(api.CreateOutbound.Spec, nil, nil)
	d.Scan("SOY-1L").Key("f10").Sees("Fulfill › ")
	keys := link.Keys(api.CreateOutbound.Spec)
	require.Len(t, keys, 2)
	require.NotEqual(t, keys[0], keys[1])
}

// A serial that is not here is refused when it is scanned, and not when the order leaves.
func TestFulfill_RefusesSerialOfAnotherLocation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.World.Receive(f.Phone.ID, f.Shop.ID, 2, "", "SN-8", "SN-9")
	other := f.addOrder("SO-1", tuitest.Noon.Add(time.Hour), line(f.Phone, 1))
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: other.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-1"}}})
	o := f.addOrder("SO-2", tuitest.Noon.Add(time.Hour), line(f.Phone, 2))
	d := f.open(f.Service, "fulfill/SO-2")
	for serial, text := range map[string]string{
		"SN-9": "Serial SN-9 of PHONE-7 is recorded at " + f.Shop.Code,
		"SN-1": "Serial SN-1 of PHONE-7 was shipped from " + f.Main.Code,
		"SN-X": "Serial SN-X of PHONE-7 was never received",
	} {
		d.Scan("PHONE-7").Sees("Scan the serial number of PHONE-7").Scan(serial)
		viewtest.RequireErrors(t, d, text)
	}
	ledgertest.Do(f.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: f.Phone.ID, LocationID: f.Main.ID}, Reason: "found", Serials: []api.SerialInput{{SerialNumber: "SN-4"}}})
	d.Scan("PHONE-7").Scan("SN-4").Scan("PHONE-7").Scan("SN-2").Sees("All counted")
	require.Zero(t, f.reload(o).FulfilledQuantity)
	d.Key("enter").Sees("This order is fulfilled (2 of 2)")
}

// An item that is not on the order leads to its own screen, and the count stays.
func TestFulfill_OffersScreenOfItemOfNoOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Scan("SOY-1L").Scan("PHONE-7")
	d.Sees("F8 open PHONE-7")
	viewtest.RequireErrors(t, d, "Not on this list: this is PHONE-7")
	d.Sees("▸ SOY-1L", "enter fulfill 1")
}

// newExpiring returns a fixture with an order for 20 of oat milk, of which lot E1 (10)
// and E2 (30) expire first.
func newExpiring(t *testing.T) (*orderFixture, api.Outbound) {
	t.Helper()
	f := newFixture(t)
	viewtest.ReceiveLot(f.World, f.Oat, f.Main, 30, "E2", time.Date(2027, 4, 30, 0, 0, 0, 0, time.UTC))
	viewtest.ReceiveLot(f.World, f.Oat, f.Main, 10, "E1", time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC))
	return f, f.addOrder("SO-7900", tuitest.Noon.Add(time.Hour), line(f.Oat, 20))
}

func TestFulfill_ShowsWhatToTake(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	scale := f.Product("SCALE-5", api.TrackSerial)
	f.World.Receive(scale.ID, f.Main.ID, 3, "", "SC-3", "SC-1", "SC-2") // named in ascending order
	f.addOrder("SO-7901", tuitest.Noon.Add(time.Hour), line(f.Oat, 5), line(scale, 2), line(f.Soy, 3))
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Sees("E1 +1", "Scan OAT-1L from lot E1, or type a quantity")
	d = f.open(f.Service, "fulfill/SO-7901")
	d.Sees("lot or serial", "E2", "SC-1 +1").Key("down").Sees("Scan each serial number of SCALE-5, such as SC-1")
	d.Goldens("take")
	d.Size(120, 40).Sees("allocated", "picked", "packed", "to go").Size(80, 24)
	d.Scan("SC-1").Sees("SC-2").Lacks("SC-2 +").Scan("SC-3").Sees("SCALE-5 is counted")
}

func TestFulfill_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	f, o := newExpiring(t)
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Scan("]C1010952123454321310E2").Sees("E1 expires earlier (2027-03-31) and is here. This is lot E2.", "Scan it again to confirm")
	d.Goldens("later")
	d.Key("enter").Lacks("expires earlier").Lacks("enter fulfill")
	d.Scan(l42).Sees("E1 expires earlier").Key("enter")
	d.Scan("]C1010952123454321310E1").Sees("enter fulfill 1").Type("0").Key("enter")
	d.Scan("]C1010952123454321310E2").Scan("]C1010952123454321310E2").Sees("enter fulfill 1").Scan("]C1010952123454321310E2").Sees("enter fulfill 2")
	d.Key("enter").Sees("Fulfilled 2: 2 of 20 done")
	require.Equal(t, map[string]int64{"E2": 2}, f.issued(), "recorded as scanned")
	require.EqualValues(t, 2, f.reload(o).FulfilledQuantity)
}

func TestFulfill_AsksBeforeATypedLaterLot(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Type("3").Key("enter", "f7").Type("E2").Key("enter").Sees("E1 expires earlier (2027-03-31) and is here. This is lot E2.", "enter take E2")
	d.Advance(time.Second).Key("esc").Sees("Expires").Key("enter", "enter").Advance(time.Second).Key("enter").Lacks("expires earlier").Key("enter").Sees("Fulfilled 3")
	require.Equal(t, map[string]int64{"E2": 3}, f.issued())
}

func TestFulfill_PickStockUnavailable(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	link := viewtest.NewFaultProxy(f.Service)
	link.Fail(api.ListPickableStock.Spec, viewtest.ErrUnreachable, nil)
	link.Fail(api.ListOutboundLots.Spec, viewtest.ErrUnreachable, nil)
	d := f.open(link, "fulfill/SO-7900")
	d.Scan("]C1010952123454321310E2").Sees("enter fulfill 1").Key("enter").Sees("Fulfilled 1: 1 of 20 done")
}

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
	finish(d).Sees("This order is fulfilled (36 of 36). Enter opens SO-A, 2 days overdue.", "enter open SO-A")
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
	finish(d).Sees("Other operators are working on the rest.").Lacks("Enter opens").Advance(time.Second).Key("enter").Sees("Fulfill › SO-7781")
	last := f.addOrder("SO-A", tuitest.Noon.Add(72*time.Hour), line(f.Soy, 1))
	d.Advance(time.Minute).Sees("Enter opens SO-A, due 2026-11-23 12:00.")

	for _, o := range []api.Outbound{f.Next, last} {
		ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})
	}
	d = f.open(f.Service, "fulfill/SO-7781")
	d.Sees("This order is fulfilled (36 of 36). Nothing else is open here.").Lacks("enter open")
	f.addOrder("SO-10", tuitest.Noon, line(f.Product("NEW-1", ""), 5))
	d.Advance(time.Minute).Sees("Nothing else is ready here.")
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
	d.Size(40, 8).Sees("next: SO-2026-452, 2 days overdue", "enter open")
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
	d.Scan("PHONE-7").Scan("SN-1").Advance(time.Second).Key("f10", "enter").Sees("Fulfilled ").Sees("Enter opens SO-7781", "enter open SO-7781")
	d.Key("f10").Sees("Nothing is ready")
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

// An order of which nothing is counted is picked after a question.
func TestPickAll_Asks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790").Key("f4").Sees("Nothing is counted. Pick all 20 without a scan?", "esc count first").Key("esc")
	require.Zero(t, f.reload(f.Next).PickedQuantity)
	d.Key("f4", "enter").Sees("Picked: 20")
	require.EqualValues(t, 20, f.reload(f.Next).PickedQuantity)
}

// What was picked of a lot is not scanned again.
func TestFulfill_RequiresLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.Ledger.SetRules(t.Context(), f.Org.ID, api.Live, api.Rules{RequireLot: true})
	require.NoError(t, err)
	typed := f.open(f.Service, "fulfill/SO-7781").Sees("from lot").Type("M1").Key("enter")
	viewtest.RequireErrors(t, typed, "That is not a quantity. Press F7 to type a lot, or F2 to type a code.")
	d := f.open(f.Service, "fulfill/SO-7781").Key("+").Sees("Scan the lot, or press F7 to type it").Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot. Scan or type the lot (F7), then try again.")
	d.Type("0").Key("enter", "f4")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot. Scan or type the lot (F7), then try again.")
	require.Zero(t, f.reload(f.Late).PickedQuantity)
	d.Scan(l41).Type("36").Key("enter", "f4").Sees("Picked 36")
	d.Key("+").Sees("All counted: press enter to fulfill from lot L41-C").Key("enter").Sees("This order is fulfilled (36 of 36).")
}

// A line that waits for stock says so, and is allocated when stock came, whatever is counted.
func TestFulfill_AllocatesTheWaitingLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	watch := f.Product("WA-05", api.TrackNone)
	o := f.addOrder("SO-8", tuitest.Noon, line(watch, 2), line(f.Soy, 6), line(f.Oat, 12))
	d := f.open(f.Service, "fulfill/SO-8")
	for _, size := range [][2]int{{40, 8}, {20, 16}} {
		d.Size(size[0], size[1]).Sees("2 lines to go", "1 line waiting").Key("up").Sees("2 lines to go", "2 waiting").Key("down")
	}
	d.Size(80, 24).Scan("WA-05")
	viewtest.RequireErrors(t, d, "2 × WA-05 wait for stock. Nothing was counted.")
	f.Stock(watch.ID, f.Main.ID, 3)
	d.Advance(time.Minute).Scan("SOY-1L").Key("+").Sees("enter fulfill 6", "F3 alloc").Key("up", "up").Sees("▸ WA-05", "2 × WA-05 can be allocated now (F3). Next: OAT-1L, 12 to go", "2 waiting, 2 can be allocated now")
	d.Size(20, 16).Sees("2 can be allocated").Size(80, 24)
	d.Scan("WA-05").Sees("2 × WA-05 wait for stock; 3 are here. Press F3 to allocate.", "F3 allocate 2").Key("f3").Sees("allocated available stock", "enter fulfill 6")
	d.Scan("WA-05").Key("+").Sees("enter fulfill 8")
	require.Zero(t, f.reload(o).PendingAllocationQuantity)
}

// An order of which the shelf is short is fulfilled as far as it goes. The rest stays to go, or is
// canceled and corrected.
func TestFulfill_ShelfIsShort(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tea := f.Product("TEA-9", api.TrackNone)
	f.Stock(tea.ID, f.Main.ID, 36)
	o := f.addOrder("SO-1", tuitest.Noon, line(tea, 36), line(f.Soy, 4))
	d := f.open(f.Service, "fulfill/SO-1").Key("-").Type("30").Key("enter").Sees("F8 count 30")
	viewtest.RequireErrors(t, d, "Not corrected: SO-1 holds 36 × TEA-9. Press F8 to count the 30 that are there; the rest stays to go.")
	d.Key("-").Type("30").Key("enter", "f8").Sees("enter fulfill 30", "F4 pick 30").Key("enter").Sees("Not counted: 6 × TEA-9, 4 × SOY-1L. Fulfill 30 anyway?")
	d.Key("enter").Sees("Fulfilled 30: 30 of 40 done, 10 ready").Advance(time.Second).Key("-").Type("0").Key("enter")
	viewtest.RequireErrors(t, d, "Not corrected: SO-1 holds 6 × TEA-9. Leave them to go, or cancel them (ctrl+x) and count the shelf again (-).")
	require.EqualValues(t, 6, f.reload(o).Lines[0].PendingFulfillmentQuantity)
	d.Key("ctrl+x", "enter").Sees("SO-1 canceled").Key("-").Type("0").Key("enter").Sees("Corrected: 0 of TEA-9")
}

// What the shelf has less or more of a product by lot is not taken from any lot: they are counted.
func TestFulfill_ShelfIsCountedByLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.Terminal(f.Service, "fulfill/SO-7781", outbounds.Register, func(r *tui.Registry, _ *session.Site) {
		r.Add("count/{location}", "", tuitest.NewBlankScreen)
	})
	d.Key("-").Type("120").Key("enter").Sees("The ledger agrees: 120 of OAT-1L").Advance(time.Second)
	d.Key("-").Type("119").Key("enter").Sees("OAT-1L is recorded by lot. Count each lot?").Key("enter").Sees("route count/WH-1")
	require.EqualValues(t, 120, ledgertest.Do(f.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: f.Oat.ID}}).Items[0].OnHand)
	d.Key("esc").Sees("Fulfill › SO-7781")
}

// A document that is loading is not called by its ID.
func TestFulfill_NamesOrderWhileLoading(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill").Sees("SO-7781").Hold().Do(tui.Open("fulfill/" + f.Late.ID.String()))
	d.Sees("Fulfill › Order", "loading Order…").Lacks(f.Late.ID.String()).Release().Sees("Fulfill › SO-7781")
	d.Hold().Do(tui.Replace("fulfill/SO-7790")).Sees("Fulfill › SO-7790", "loading SO-7790…")
}
