package reservations_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/reservations"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// openAt starts a terminal on a screen of this package.
func openAt(t *testing.T, h *viewtest.Warehouse, site *session.Site, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	reservations.Register(reg, site)
	return h.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"reservations", route} })...)
}

// hold reserves q of a product at WH-1 for a while.
func hold(h *viewtest.Warehouse, reference string, p api.Product, q int64, span time.Duration) api.Reservation {
	ends := tuitest.Noon.Add(span)
	return ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: h.Main.ID},
		Quantity: q, ExpiresAt: &ends, Reference: api.Reference{ReferenceType: "web", ReferenceID: reference}}).Reservation
}

func reload(h *viewtest.Warehouse, r api.Reservation) api.Reservation {
	return ledgertest.Do(h.World, api.GetReservation, api.ReservationInput{ReservationID: r.ID})
}

// newFixture returns a warehouse with stock and three reservations.
func newFixture(t *testing.T) (h *viewtest.Warehouse, web, counter api.Reservation) {
	t.Helper()
	h = viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	h.Receive(h.Oat.ID, h.Main.ID, 48, "L1")
	web = hold(h, "web 99812", h.Oat, 24, 2*time.Hour+5*time.Minute)
	counter = hold(h, "counter 7", h.Coffee, 3, 12*time.Minute)
	hold(h, "shop 4", h.Coffee, 100, 9*24*time.Hour)
	return h, web, counter
}

func TestReservations_InAllSizes(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations")
	d.Goldens("list")
	d = openAt(t, h, h.Site, "reservations/"+web.ID.String())
	d.Goldens("one")
	d = openAt(t, h, h.Site, "reservations/new?sku=OAT-1L")
	d.Type("6").Key("enter").Type("2 h").Key("enter").Type("web 5").Goldens("new")
}

func TestEmptyList_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, h.Site, "reservations")
	d.Goldens("empty")
	d.Key("f4").Sees("No committed reservations here").Key("f4").Sees("No reservations here yet")
	h.Proxy.Down()
	d = openAt(t, h, h.Site, "reservations")
	d.Goldens("down")
	h.Proxy.Up()
	d.Key("ctrl+r").Sees("Nothing is reserved here")
}

func TestList_RemainingTimeCountsDown(t *testing.T) {
	t.Parallel()
	h, _, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations")
	d.Sees("!     12:00", "○  2 h 05 m", "○    9 days").Advance(time.Second).Sees("!     11:59", "○  2 h 04 m", "○    8 days")
	d.Advance(11*time.Minute+58*time.Second).Sees("!      0:01", "○  1 h 53 m")
	h.Proxy.Down()
	d.Advance(time.Second).Sees("counter 7         expired", "as of 12:11:30")
}

func TestDetail_Expires(t *testing.T) {
	t.Parallel()
	h, _, counter := newFixture(t)
	d := openAt(t, h, h.Site, "reservations/"+counter.ID.String())
	d.Sees("! 12:00 left", "Enter to commit").Advance(12*time.Minute).Sees("! expired", "Nothing left to do")
	h.Clock.Advance(12 * time.Minute)
	d.Key("enter").Sees("It is already expired")
	d = openAt(t, h, h.Site, "reservations")
	d.Lacks("counter 7").Key("f4", "f4").Sees("counter 7", "expired")
	require.Equal(t, api.ReservationExpired, reload(h, counter).Status)
}

func TestDetail_SmallScreensNameCustomerAndEnd(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations/"+web.ID.String())
	d.Size(40, 8).Sees("for web 99812", "expires today 14:05").Size(20, 16).Sees("web 99812", "today 14:05")
	later := hold(h, "", h.Coffee, 1, 30*24*time.Hour)
	d = openAt(t, h, h.Site, "reservations/"+later.ID.String())
	d.Size(40, 8).Sees("expires 2026-12-20 12:00").Lacks(" for ").Size(20, 16).Sees("expires   2026-12-20").Lacks("for ")
}

func TestReservation_UntilDate(t *testing.T) {
	t.Parallel()
	for text, until := range map[string]string{
		"2026-12-24": "2026-12-24 23:59", "24.12.2026": "2026-12-24 23:59", "4.12.2026 18:00": "2026-12-04 18:00",
	} {
		h, _, _ := newFixture(t)
		d := openAt(t, h, h.Site, "reservations").Key("f3").Scan(h.OatBox).Type("6").Key("enter").Type(text)
		d.Key("enter").Type("web 5").Key("enter").Sees("6 OAT-1L reserved until " + until)
	}
}

func TestReservation_ReserveCommitRelease(t *testing.T) {
	t.Parallel()
	h, _, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations")
	d.Key("f3").Scan(h.OatBox).Sees("OAT-1L", "24 available here").Type("6").Key("enter").Type("soon").Key("enter").Sees("not a time: type 2 h")
	d.Key("ctrl+u").Type("30 min").Key("enter").Type("web 5").Key("enter")
	d.Sees("Reservations › web 5", "! 30:00 left", "6 OAT-1L reserved until today 12:30")
	d.Key("enter").Sees("Commit reservation web 5? It holds 6 OAT-1L until shipped.").Key("enter").Sees("web 5 committed", "Committed: held until shipped. Press F5 to release it.").Lacks("expires")
	d.Key("ctrl+x").Sees("It is already committed (today 12:00). Press F4 to see by whom.").Key("f5", "enter").Sees("web 5 released: 6 OAT-1L available again", "! released", "released today 12:00", "was held").Lacks("expires")
	d.Key("esc").Sees("web 99812").Key("enter")
	require.Contains(t, d.Model.Route(), "reservations/")
}

func TestCancel_AsksAndCancelsOnce(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	withDrafts := viewtest.KeepDrafts(drafts.InMemory())
	d := openAt(t, h, h.Site, "reservations/web%2099812", withDrafts)
	h.Proxy.LoseAnswers(api.CancelReservation.Spec, 1)
	d.Key("ctrl+x").Sees("Cancel reservation web 99812? This makes 24 OAT-1L available again.").Key("enter")
	viewtest.RequireErrors(t, d, "No answer", "it is done only once")
	d = openAt(t, h, h.Site, "reservations/web%2099812", withDrafts) // the terminal crashed
	d.Sees("No answer yet: enter retries").Key("enter").Sees("web 99812 canceled")
	viewtest.RequireOneKey(t, h.Proxy, api.CancelReservation.Spec, 2)
	require.Equal(t, api.ReservationCancelled, reload(h, web).Status)
}

func TestCommit_AlreadyReleased(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations/"+web.ID.String())
	h.Proxy.Before(api.CommitReservation.Spec, func() {
		ledgertest.Do(h.World, api.ReleaseReservation, api.ReservationInput{ReservationID: web.ID}, api.By("Ben"))
	})
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "This reservation is already released (Ben, ", "Nothing was changed: choose another action")
	d.Sees("! released")
}

func TestList_ScanFindsReservation(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	d := openAt(t, h, h.Site, "reservations")
	d.Scan(h.OatBox)
	require.Equal(t, "reservations/"+web.ID.String(), d.Model.Route())
	d.Key("esc").Scan("COF-500").Sees("Which reservation?", "counter 7", "shop 4").Key("esc")
	d.Scan("SOY-1L").Sees("No reservations of SOY-1L (Soy drink 1 l) here.", "F3 reserve it").Key("f3").Sees("Reservations › new", "SOY-1L")
	d.Type("5").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "The available quantity here is 0, but you need 5")
}

func TestDetail_ReadOnlyKey(t *testing.T) {
	t.Parallel()
	h, web, _ := newFixture(t)
	site := session.NewSite(session.Options{Service: h.As(api.Live, api.InventoryRead, api.ReservationsRead), Location: h.Site.Location()})
	d := openAt(t, h, site, "reservations/"+web.ID.String())
	d.Sees("24", "Nothing left to do").Key("enter").Sees("no permission to do that (reservations:write)")
	d.Key("esc", "f3").Sees("no permission to do that (reservations:write)")
}

func TestReservation_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	d := openAt(t, h, h.Site, "reservations")
	d.Key("f3").Scan("COF-500").Type("6").Key("ctrl+s").Sees("60:00 left", "6 COF-500 reserved")
	d.Lacks("release", "cancel").Key("enter", "enter").Sees("Committed: held until shipped")
	require.Len(t, h.Proxy.Calls(api.CommitReservation.Spec), 1)
}
