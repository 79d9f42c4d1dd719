// Package stage sets the scene for tests of screens: a small warehouse on a
// real ledger, with services in front of it that lack what the interface does
// not show, or break off in the middle of an answer.
package stage

import (
	"context"
	"sync"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/tuitest"
	"bincard/views/dock"
)

// A Stage is a warehouse with two products and two locations.
type Stage struct {
	*ledgertest.World
	Oat, Soy   api.Product // by lot with boxes of 12; by nothing
	Main, Shop api.Place   // WH-1, ST-2
	Theme      theme.Theme // of the terminals; plain if not set
	Drafts     tui.Drafts  // of the terminals, so that one finds what another kept; each its own if nil

	t testing.TB
}

// Open sets a stage; the ledger's clock stands three days before tuitest.Noon.
func Open(t testing.TB) *Stage {
	t.Helper()
	return OpenAt(t, tuitest.Noon.AddDate(0, 0, -3))
}

// OpenAt sets a stage at a time; the ledger's never runs back.
func OpenAt(t testing.TB, at time.Time) *Stage {
	t.Helper()
	s := &Stage{World: ledgertest.Open(t), t: t}
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
func (s *Stage) Receive(ref string, product, location api.ID, q int64, lot string) api.InboundResult {
	s.t.Helper()
	doc := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{ProductID: product, LocationID: location,
		ExpectedQuantity: q, ReferenceType: "purchase_order", ReferenceID: ref})
	s.Clock.Advance(time.Hour)
	return ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: doc.Inbound.ID, Quantity: q, LotCode: lot})
}

// Site is where the terminal stands: in the main warehouse, as Ada.
func (s *Stage) Site(svc api.Service) *dock.Site {
	return dock.NewSite(dock.Options{Service: svc, Operator: "Ada",
		Place: dock.Place{ID: s.Main.ID, Code: s.Main.Code, Name: s.Main.Name}})
}

// Terminal starts a terminal with the screens that register adds, on a route.
// The first screen registered is below.
func (s *Stage) Terminal(svc api.Service, route string, register ...func(*tui.Registry, *dock.Site)) *tuitest.Driver {
	s.t.Helper()
	r, site := tui.NewRegistry(), s.Site(svc)
	for _, add := range register {
		add(r, site)
	}
	for _, pattern := range []string{"receive/{id}", "ship/{id}", "arrive/{id}", "fulfill/{id}", "explain/{balance}", "stock"} {
		r.Add(pattern, "", blank)
	}
	return tuitest.New(s.t, tui.Options{Registry: r, Start: []string{route}, Theme: s.Theme, Drafts: s.Drafts,
		Status: tui.Status{Company: "Harbour Foods", Environment: "TEST", Place: "WH-1", Operator: "Ada", Connection: "ONLINE"}})
}

// Documented is svc with nothing but what the interface shows: added operations
// are not found, added members of inputs are refused.
func Documented(svc api.Service) api.Service { return documented{svc} }

type documented struct{ svc api.Service }

func (d documented) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is nothing here.")
	}
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && (in.Limit != nil || in.Order != "" || in.Cursor != "") {
		return nil, api.Fail(api.ValidationError, nil, "limit: is no parameter of this operation; it takes none.")
	}
	return d.svc.Do(ctx, req)
}

// A Link is a service whose link can break before or after the work is done.
type Link struct {
	api.Service

	mu     sync.Mutex
	before map[string]error
	after  map[string]error
	keys   map[string][]string
}

// Over puts a link in front of svc.
func Over(svc api.Service) *Link {
	return &Link{Service: svc, before: map[string]error{}, after: map[string]error{}, keys: map[string][]string{}}
}

// Lost is an answer that got lost: the service did the work.
var Lost = &api.Error{Code: api.Unavailable, Message: "The connection broke.", Details: api.Details{"outcome": "unknown"}}

// Down is a service that cannot be reached.
var Down = &api.Error{Code: api.Unavailable, Message: "The service cannot be reached.", Details: api.Details{"outcome": "not_sent"}}

// Break makes the operation of id fail: before it is done, or when it is done.
// A nil error mends it.
func (l *Link) Break(op string, before, after error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.before[op], l.after[op] = before, after
}

// Keys are the keys with which an operation was asked for, in order.
func (l *Link) Keys(op string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keys[op]
}

// Do performs a request over the link.
func (l *Link) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	l.mu.Lock()
	before, after := l.before[req.Spec.ID], l.after[req.Spec.ID]
	l.keys[req.Spec.ID] = append(l.keys[req.Spec.ID], req.IdempotencyKey)
	l.mu.Unlock()
	if before != nil {
		return nil, before
	}
	res, err := l.Service.Do(ctx, req)
	if after != nil {
		return nil, after
	}
	return res, err
}
