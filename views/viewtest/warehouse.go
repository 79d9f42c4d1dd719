// Package viewtest provides companies on a real ledger for tests of screens, with a
// proxy that injects failures and a service reduced to the documented operations.
package viewtest

import (
	"context"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label/printing"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/panel"
	"bincard/views/session"
)

// A Warehouse is a company with two warehouses and four products, of every tracking.
// The ledger's and the terminals' clocks are at tuitest.Noon.
type Warehouse struct {
	*ledgertest.World
	Proxy *FaultProxy
	Site  *session.Site
	// Translator is that of the sites and terminals made from now on; English if nil.
	Translator *i18n.Translator
	Exports    string // folder for the terminals' files; they write none if empty

	CheckFile session.FileChecker // of the sites made from now on, or nil

	labels *printing.Service // of the sites made from now on, or nil

	Main, Depot                 api.Place   // WH-1, the site's location, and WH-2
	Oat, Soy, Coffee, Camera    api.Product // by lot, by lot, untracked, by serial
	OatUnit, OatBox, OatUnknown string      // barcodes: of a unit, of a box of 12, of no product
}

// NewWarehouse returns a new warehouse.
func NewWarehouse(t testing.TB) *Warehouse {
	return newWarehouse(t, func(s api.Service) api.Service { return s })
}

// NewMinimalWarehouse returns a warehouse whose service has only the documented
// operations.
func NewMinimalWarehouse(t testing.TB) *Warehouse { return newWarehouse(t, Minimal) }

func newWarehouse(t testing.TB, reduced func(api.Service) api.Service) *Warehouse {
	t.Helper()
	w := ledgertest.Open(t)
	w.Clock.Set(tuitest.Noon)
	h := &Warehouse{World: w, OatUnit: "4006381333931", OatBox: "14006381333938", OatUnknown: "4012345678901"}
	h.Main = ledgertest.Do(w, api.CreateLocation, api.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: api.Warehouse})
	h.Depot = ledgertest.Do(w, api.CreateLocation, api.CreateLocationInput{Code: "WH-2", Name: "Depot", Type: api.Warehouse})
	h.Oat = ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk 1 l", Tracking: api.TrackLot,
		Barcodes: []string{h.OatUnit}, Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{h.OatBox}}}})
	h.Soy = ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "SOY-1L", Name: "Soy drink 1 l", Tracking: api.TrackLot})
	h.Coffee = ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "COF-500", Name: "Coffee beans 500 g"})
	h.Camera = ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "CAM-1", Name: "Camera", Tracking: api.TrackSerial})
	h.Proxy = NewFaultProxy(reduced(w.Service))
	h.Site = h.NewSite()

	return h
}

// NewSite returns the site of another terminal at WH-1, on the same proxy.
func (w *Warehouse) NewSite() *session.Site { return w.SiteOf(w.Proxy) }

// SiteOf returns the site of another terminal at WH-1, on a service.
func (w *Warehouse) SiteOf(svc api.Service) *session.Site {
	return w.newSite(svc, w.Main)
}

// SetUpLabels makes the sites from now on print labels, with these settings. Nothing sends
// them.
func (w *Warehouse) SetUpLabels(t testing.TB, settings printing.Settings) *printing.Service {
	t.Helper()
	dir := t.TempDir()
	now := func() time.Time { return tuitest.Noon }
	w.labels = &printing.Service{Settings: settings, Queue: printing.NewQueue(dir, now), Dir: dir, Now: now}
	w.Site = w.NewSite()
	return w.labels
}

// newSite returns a site of Ada's.
func (w *Warehouse) newSite(svc api.Service, at api.Place) *session.Site {
	return session.NewSite(session.Options{Service: svc, Translator: w.Translator, Labels: w.labels, Exports: w.Exports, CheckFile: w.CheckFile, Operator: "Ada", Now: func() time.Time { return tuitest.Noon }, Location: session.Location{ID: at.ID, Code: at.Code, Name: at.Name}})
}

// RequireLot sets the rule that goods tracked by lot leave with their lot.
func (w *Warehouse) RequireLot() { w.SetRules(api.Rules{RequireLot: true}) }

// SetRules sets the rules of the company, and makes the warehouse's site know them.
func (w *Warehouse) SetRules(rules api.Rules) {
	_, err := w.Ledger.SetRules(context.Background(), w.Org.ID, api.Live, rules)
	if err != nil {
		panic(err)
	}
	w.Site = w.NewSite()
}

// Inbound creates an inbound of q of a product at WH-1, due after the given time.
func (w *Warehouse) Inbound(reference string, p api.Product, q int64, due time.Duration) api.Inbound {
	at := tuitest.Noon.Add(due)
	return ledgertest.Do(w.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: w.Main.ID},
		ExpectedQuantity: q, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: reference}, SupplierName: "Nordic Foods", ExpectedAt: &at}).Inbound
}

// Transfer creates a transfer of q of a product.
func (w *Warehouse) Transfer(reference string, p api.Product, from, to api.Place, q int64) api.Transfer {
	return ledgertest.Do(w.World, api.CreateTransfer, api.CreateTransferInput{ProductID: p.ID, SourceLocationID: from.ID,
		DestinationLocationID: to.ID, Quantity: q, Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: reference}}).Transfer
}

// Terminal starts a terminal on routes with these screens; the first is home.
func (w *Warehouse) Terminal(t testing.TB, reg *tui.Registry, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	opts := shell.Options{Registry: reg, Translator: w.Translator, DraftName: panel.DraftName, DraftPieces: panel.DraftPieces, Status: tui.Status{Company: "Harbor Goods", Location: "WH-1 Main warehouse", Connection: "ONLINE 2s"}}
	for _, c := range change {
		c(&opts)
	}
	return terminal(t, opts)
}

// terminal starts a terminal of Ada's in the test environment.
func terminal(t testing.TB, opts shell.Options) *tuitest.Driver {
	t.Helper()
	opts.Status.Environment, opts.Status.Operator = "TEST", "Ada"
	return tuitest.New(t, opts)
}

// Quantities returns the recorded quantities of a product at a location.
func (w *Warehouse) Quantities(p api.Product, at api.Place) api.Quantities {
	key := api.StockFilter{ProductID: p.ID, LocationID: at.ID}
	list := ledgertest.Do(w.World, api.ListBalances, api.ListBalancesInput{StockFilter: key})
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	return list.Items[0].Quantities
}

// ReceiveLot receives q of a lot that expires.
func ReceiveLot(w *ledgertest.World, p api.Product, at api.Place, q int64, lot string, expires time.Time) {
	ledgertest.Do(w, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID},
		Quantity: &q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: &expires}})
}

// SignIn lets Ada, a worker, and Eve, a supervisor, sign in. Ada is signed in.
func (w *Warehouse) SignIn(o *shell.Options) {
	o.Login = tui.Login{Current: "Ada", OnChange: w.Site.SetOperator, Operators: []tui.Operator{
		{Name: "Ada", Badge: "ADA-42"},
		{Name: "Eve", Badge: "EVE-43", Supervisor: true},
	}}
}

// KeepDrafts makes terminals keep their drafts in a store.
func KeepDrafts(store tui.Drafts) func(*shell.Options) {
	return func(o *shell.Options) { o.Drafts = store }
}
