package server_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// addStock adds products of each kind, with stock. Requests find them in lists.
func (r *requestRun) addStock() {
	svc, ctx := r.s.client(0, api.Live), r.s.t.Context()
	must := func(err error) { require.NoError(r.s.t, err) }
	var at, products []api.ID
	for _, code := range []string{"WH-1", "ST-1"} {
		l, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: code, Name: code, Type: api.Warehouse})
		must(err)
		at = append(at, l.ID)
	}
	for _, in := range []api.CreateProductInput{{SKU: "PLAIN"}, {SKU: "LOT", Tracking: api.TrackLot}, {SKU: "SERIAL", Tracking: api.TrackSerial}, {SKU: "KIT"}} {
		if in.Name = "Product"; in.SKU == "KIT" {
			in.Components = []api.Component{{ProductID: products[0], Quantity: 2}}
		}
		p, err := api.CreateProduct.Call(ctx, svc, in)
		must(err)
		products = append(products, p.ID)
		for n := range 12 {
			q := int64(1)
			in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at[n%2]}, Quantity: &q}
			switch p.Tracking {
			case api.TrackLot:
				in.LotCode = fmt.Sprint("L-", n)
			case api.TrackSerial:
				in.Serials = []api.SerialInput{{SerialNumber: fmt.Sprint("SN-", n)}}
			default:
				q = 1000
			}
			_, err := api.ReceiveStock.Call(ctx, svc, in)
			must(err)
		}
	}
	r.kit = map[string]any{"productId": products[3].String(), "locationId": at[0].String()}
	r.kept = []string{products[0].String(), products[3].String()}
}

// learn keeps values of an answer for later requests.
func (r *requestRun) learn(op documentedOperation, answer any) {
	singular := strings.TrimSuffix(op.group, "s")
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if id, ok := v["id"]; ok && name != "" {
				r.keep(name+"Id", id)
			}
			if v["productId"] != nil && v["locationId"] != nil && (len(r.stocks) < maxKnown || r.left.Load()%10 == 0) {
				r.stocks = keepLast(r.stocks, v, maxKnown)
			}
			if id, ok := v["id"].(string); ok && v["tracking"] != nil {
				r.tracking[id] = v["tracking"]
			}
			for member, x := range v {
				walk(member, x)
			}
		case []any:
			for _, x := range v[:min(len(v), 5)] {
				walk(strings.TrimSuffix(name, "s"), x)
			}
		case string, float64:
			r.keep(name, v)
		}
	}
	m, _ := answer.(map[string]any)
	if m["tracking"] != nil {
		walk("product", m)
	}
	for member, v := range m {
		if member == "items" {
			member = singular + "s"
		}
		walk(member, v)
	}
	if id, ok := m["id"]; ok {
		r.keep(singular+"Id", id)
	}
	if cursor, ok := m["nextCursor"].(string); ok {
		r.keep("cursor", cursor)
	}
}

func (r *requestRun) keep(name string, v any) {
	if !slices.Contains(r.known[name], v) {
		r.known[name] = keepLast(r.known[name], v, maxKnown)
	}
}

// maxKnown is the number of values of a kind that requests choose from. With more, few
// requests would meet each other.
const maxKnown = 15

// keepLast adds a value and removes the oldest beyond a number.
func keepLast[V any](all []V, v V, count int) []V {
	if all = append(all, v); len(all) > count {
		return slices.Delete(all, 0, 1)
	}
	return all
}

// any returns a value that answers had under a name, or nil.
func (r *requestRun) any(name string, random *rand.Rand) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.known[name]; len(all) > 0 {
		return all[random.IntN(len(all))]
	}
	return nil
}
