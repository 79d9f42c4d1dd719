package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"bincard/server/api"
)

// Company is the name of the sample company.
const Company = "Harbor Goods"

// Days is the number of days with movements.
const Days = 30

// A clock moves only when set.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

// A generator creates the company's data in one environment. After the first
// error it does nothing.
type generator struct {
	ctx   context.Context
	svc   api.Service
	clock *clock
	now   time.Time
	env   api.Environment
	rng   *rand.Rand
	err   error
	keys  int

	main, annex, store, web   api.Place
	consignor, shop           api.Place
	items                     []*item
	newItem                   *item
	lots, serials, references int
}

// An item is a product with the lot last received.
type item struct {
	api.Product
	ean, box string // barcodes of the piece and of the box; box may be empty
	lot      string // the newest lot's code
	expiry   string // its expiry as YYMMDD
}

// people are the operators.
var people = []string{"Ada", "Ben", "Chidi", "Dora"}

// call performs an operation with its own key, by one of the people.
func call[I, O any](w *generator, op api.Operation[I, O], in I) (out O) {
	if w.err != nil {
		return out
	}

	w.keys++
	key := fmt.Sprintf("demo-%s-%d", w.env, w.keys)
	out, err := op.Call(w.ctx, w.svc, in, api.Key(key), api.By(people[w.keys%len(people)]))
	if err != nil {
		w.err = fmt.Errorf("%s: %w", op.Spec.ID, err)
	}

	return out
}

// at sets the clock to a time of the day that is days ago, but never back.
func (w *generator) at(days, hour, minute int) {
	d := w.now.AddDate(0, 0, -days)
	t := time.Date(d.Year(), d.Month(), d.Day(), hour, minute, 0, 0, d.Location())
	if t.After(w.clock.now) {
		w.clock.now = t
	}
	if w.clock.now.After(w.now) {
		w.clock.now = w.now
	}
}

// advance moves the clock by up to minutes, but not beyond now.
func (w *generator) advance(minutes int) {
	w.clock.now = w.clock.now.Add(time.Duration(1+w.rng.IntN(minutes*60)) * time.Second)
	if w.clock.now.After(w.now) {
		w.clock.now = w.now
	}
}

// due returns the time at an hour of the day in days.
func (w *generator) due(days, hour int) *time.Time {
	d := w.now.AddDate(0, 0, days)
	t := time.Date(d.Year(), d.Month(), d.Day(), hour, 0, 0, 0, d.Location())
	return &t
}

func (w *generator) between(lo, hi int64) int64 { return lo + w.rng.Int64N(hi-lo+1) }

// reference returns the next reference of a series, like PO-2026-118.
func (w *generator) reference(series string) string {
	w.references++
	return fmt.Sprintf("%s-%d-%d", series, w.now.Year(), 100+w.references)
}

func (w *generator) places() {
	location := func(code, name string, t api.LocationType) api.Place {
		return call(w, api.CreateLocation, api.CreateLocationInput{Code: code, Name: name, Type: t})
	}
	w.main = location("WH-1", "Main warehouse", api.Warehouse)
	w.annex = location("WH-2", "Harbor annex", api.Warehouse)
	w.store = location("ST-1", "Quay Street store", api.Shop)
	w.web = location("VR-1", "Consignment at partners", api.Virtual)
	w.consignor = call(w, api.CreateOwner, api.CreatePlaceInput{Code: "NORDIC", Name: "Nordic Foods", Type: "consignor"})
	w.shop = call(w, api.CreateChannel, api.CreatePlaceInput{Code: "WEB", Name: "Web shop", Type: "online"})
}
