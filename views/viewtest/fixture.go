package viewtest

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/session"
)

// A Fixture is a smaller company than a Warehouse: a warehouse and a shop, two
// products, and terminals on any service in front of its ledger.
type Fixture struct {
	*ledgertest.World
	Oat, Soy   api.Product           // by lot, with boxes of 12; untracked
	Main, Shop api.Place             // WH-1, ST-2
	Theme      widget.Theme          // of the terminals; plain if not set
	Drafts     tui.Drafts            // shared by the terminals; separate if nil
	Exports    string                // folder for the terminals' files
	Settings   session.SettingsStore // shared by the terminals
	Local      bool                  // the terminals' ledger is on their machine

	t testing.TB
}

// NewFixture returns a fixture. The ledger's clock is three days before tuitest.Noon.
func NewFixture(t testing.TB) *Fixture {
	t.Helper()
	return NewFixtureAt(t, tuitest.Noon.AddDate(0, 0, -3))
}

// NewFixtureAt returns a fixture. The ledger's clock is at the given time.
func NewFixtureAt(t testing.TB, at time.Time) *Fixture {
	t.Helper()
	s := &Fixture{World: ledgertest.Open(t), Exports: t.TempDir(), Settings: session.NewMemorySettings(), t: t}
	s.Clock.Set(at)
	createProduct := ledgertest.Do[api.CreateProductInput, api.Product]
	s.Oat = createProduct(s.World, api.CreateProduct, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk 1 l", Tracking: api.TrackLot,
		Barcodes: []string{"9521234543213"}, Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"OAT-BOX"}}}})
	s.Soy = createProduct(s.World, api.CreateProduct, api.CreateProductInput{SKU: "SOY-1L", Name: "Soy drink 1 l"})
	createLocation := ledgertest.Do[api.CreateLocationInput, api.Place]
	s.Main = createLocation(s.World, api.CreateLocation, api.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: api.Warehouse})
	s.Shop = createLocation(s.World, api.CreateLocation, api.CreateLocationInput{Code: "ST-2", Name: "Harbor shop", Type: api.Shop})

	return s
}

// Receive receives q of a product by an inbound called ref.
func (f *Fixture) Receive(ref string, product, location api.ID, q int64, lot string) api.InboundResult {
	f.t.Helper()
	doc := ledgertest.Do(f.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: location},
		ExpectedQuantity: q, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: ref}})
	f.Clock.Advance(time.Hour)
	return ledgertest.Do(f.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: doc.Inbound.ID, Quantity: q, NewLot: api.NewLot{LotCode: lot}})
}

// Site returns a session of Ada's at the main warehouse.
func (f *Fixture) Site(svc api.Service) *session.Site {
	return session.NewSite(session.Options{Service: svc, Local: f.Local, Operator: "Ada", Exports: f.Exports, Settings: f.Settings,
		Location: session.Location{ID: f.Main.ID, Code: f.Main.Code, Name: f.Main.Name}})
}

// Terminal starts a terminal on a route, with the screens that register adds. The
// first of them is the home screen. The screens of other jobs only show their route.
func (f *Fixture) Terminal(svc api.Service, route string, register ...func(*tui.Registry, *session.Site)) *tuitest.Driver {
	f.t.Helper()
	r, site := tui.NewRegistry(), f.Site(svc)
	for _, add := range register {
		add(r, site)
	}
	for _, pattern := range []string{"receive/{id}", "ship/{id}", "receive-transfer/{id}", "fulfill/{id}", "explain/{balance}", "adjust/{balance}", "move/{balance}", "reservations/new", "reservations/{id}", "stock", "trace/{lot}", "serial/{serial}", "low", "expiring"} {
		r.Add(pattern, "", tuitest.NewBlankScreen)
	}

	return terminal(f.t, shell.Options{Registry: r, Start: []string{route}, Theme: f.Theme, Drafts: f.Drafts,
		Status: tui.Status{Company: "Harbor Foods", Location: "WH-1", Connection: "ONLINE"}})
}
