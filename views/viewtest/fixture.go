package viewtest

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/theme"
	"bincard/tui/tuitest"
	"bincard/views/dock"
)

// A Fixture is a smaller company than a House: a warehouse and a shop, two
// products, and screens that act on any service put in front of its ledger.
type Fixture struct {
	*ledgertest.World
	Oat, Soy   api.Product        // by lot with boxes of 12; by nothing
	Main, Shop api.Place          // WH-1, ST-2
	Theme      theme.Theme        // of the terminals; plain if not set
	Drafts     tui.Drafts         // of the terminals, so that one finds what another kept; each its own if nil
	Exports    string             // where the terminals write files
	Settings   dock.SettingsStore // where the terminals keep what was saved

	t testing.TB
}

// NewFixture sets a stage; the ledger's clock stands three days before tuitest.Noon.
func NewFixture(t testing.TB) *Fixture {
	t.Helper()
	return NewFixtureAt(t, tuitest.Noon.AddDate(0, 0, -3))
}

// NewFixtureAt sets a stage at a time; the ledger's never runs back.
func NewFixtureAt(t testing.TB, at time.Time) *Fixture {
	t.Helper()
	s := &Fixture{World: ledgertest.Open(t), Exports: t.TempDir(), Settings: dock.NewMemorySettings(), t: t}
	s.Clock.Set(at)
	do := ledgertest.Do[api.CreateProductInput, api.Product]
	s.Oat = do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk 1 l", Tracking: api.TrackLot,
		Barcodes: []string{"9521234543213"}, Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"OAT-BOX"}}}})
	s.Soy = do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "SOY-1L", Name: "Soy drink 1 l"})
	place := ledgertest.Do[api.CreateLocationInput, api.Place]
	s.Main = place(s.World, api.CreateLocation, api.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: api.Warehouse})
	s.Shop = place(s.World, api.CreateLocation, api.CreateLocationInput{Code: "ST-2", Name: "Harbour shop", Type: api.Shop})
	return s
}

// Receive brings q of a product in by an inbound called ref.
func (s *Fixture) Receive(ref string, product, location api.ID, q int64, lot string) api.InboundResult {
	s.t.Helper()
	doc := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{ProductID: product, LocationID: location,
		ExpectedQuantity: q, ReferenceType: "purchase_order", ReferenceID: ref})
	s.Clock.Advance(time.Hour)
	return ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: doc.Inbound.ID, Quantity: q, LotCode: lot})
}

// Site is where the terminal stands: in the main warehouse, as Ada.
func (s *Fixture) Site(svc api.Service) *dock.Site {
	return dock.NewSite(dock.Options{Service: svc, Operator: "Ada", Exports: s.Exports, Settings: s.Settings,
		Location: dock.Location{ID: s.Main.ID, Code: s.Main.Code, Name: s.Main.Name}})
}

// Terminal starts a terminal with the screens that register adds, on a route.
// The first screen registered is below; those of other jobs only show their route.
func (s *Fixture) Terminal(svc api.Service, route string, register ...func(*tui.Registry, *dock.Site)) *tuitest.Driver {
	s.t.Helper()
	r, site := tui.NewRegistry(), s.Site(svc)
	for _, add := range register {
		add(r, site)
	}
	for _, pattern := range []string{"receive/{id}", "ship/{id}", "arrive/{id}", "fulfill/{id}", "explain/{balance}", "adjust/{balance}", "move/{balance}", "reservations/new", "stock", "trace/{lot}", "serial/{serial}", "low", "expiring"} {
		r.Add(pattern, "", newBlankScreen)
	}
	return terminal(s.t, shell.Options{Registry: r, Start: []string{route}, Theme: s.Theme, Drafts: s.Drafts,
		Status: tui.Status{Company: "Harbour Foods", Location: "WH-1", Connection: "ONLINE"}})
}
