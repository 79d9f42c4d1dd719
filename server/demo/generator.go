package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"bincard/server/api"
)

// A generator is the company in the making, in one environment. The first error
// stops everything after it.
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

func (w *generator) run() error {
	w.places()
	w.catalogue()
	for day := Days; day > 0 && w.err == nil; day-- {
		w.day(day)
	}
	w.documents()
	return w.err
}

// people who work there, by whom operations are done.
var people = []string{"Ada", "Ben", "Chidi", "Dora"}

// call performs an operation with a key of its own, by one of the people.
func call[I, O any](w *generator, op api.Operation[I, O], in I) (out O) {
	if w.err != nil {
		return out
	}
	w.keys++
	key := fmt.Sprintf("demo-%s-%d", w.env, w.keys)
	out, err := op.Call(w.ctx, w.svc, in, api.Key(key), api.By(people[w.keys%len(people)]))
	if err != nil {
		w.err = fmt.Errorf("%s: %w", op.ID, err)
	}
	return out
}

// at sets the clock to an hour and minute of the day that is days ago; it never runs back.
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

// advance lets up to so many minutes pass, not beyond now.
func (w *generator) advance(minutes int) {
	w.clock.now = w.clock.now.Add(time.Duration(1+w.rng.IntN(minutes*60)) * time.Second)
	if w.clock.now.After(w.now) {
		w.clock.now = w.now
	}
}

// due is an instant days from today at an hour.
func (w *generator) due(days, hour int) *time.Time {
	d := w.now.AddDate(0, 0, days)
	t := time.Date(d.Year(), d.Month(), d.Day(), hour, 0, 0, 0, d.Location())
	return &t
}

func (w *generator) between(lo, hi int64) int64 { return lo + w.rng.Int64N(hi-lo+1) }

// reference is the next number of a series: PO-2026-118.
func (w *generator) reference(series string) string {
	w.references++
	return fmt.Sprintf("%s-%d-%d", series, w.now.Year(), 100+w.references)
}

func (w *generator) places() {
	location := func(code, name string, t api.LocationType) api.Place {
		return call(w, api.CreateLocation, api.CreateLocationInput{Code: code, Name: name, Type: t})
	}
	w.main = location("WH-1", "Main warehouse", api.Warehouse)
	w.annex = location("WH-2", "Harbour annex", api.Warehouse)
	w.store = location("ST-1", "Quay Street store", api.Shop)
	w.web = location("VR-1", "Consignment at partners", api.Virtual)
	w.consignor = call(w, api.CreateOwner, api.CreatePlaceInput{Code: "NORDIC", Name: "Nordic Foods", Type: "consignor"})
	w.shop = call(w, api.CreateChannel, api.CreatePlaceInput{Code: "WEB", Name: "Web shop", Type: "online"})
}
