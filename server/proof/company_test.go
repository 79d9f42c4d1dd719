package proof_test

import (
	"sync/atomic"
	"testing"
)

// A company is an organization of the service, used by all workers.
type company struct {
	*apiClient
	url       string
	products  []string
	locations []string
	opening   map[string]int64 // by product, location and state

	events, limit atomic.Int64 // writes begun and answered
	onLimit       func()
}

// openingStock is the initial stock of each product at each location.
const openingStock = 500

// furnish creates products and locations with stock.
func (c *company) furnish(t *testing.T) {
	t.Helper()
	for i := range 2 {
		c.locations = append(c.locations, c.must(t, c.url, "/locations", `{"code":"WH-%d","name":"Warehouse %d","type":"warehouse"}`, i, i))
	}
	for i := range 4 {
		product := c.must(t, c.url, "/products", `{"sku":"OAT-%d","name":"Oat milk"}`, i)
		c.products = append(c.products, product)
		for _, location := range c.locations {
			c.must(t, c.url, "/stock/adjust", `{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":%d,"reason":"opening"}`,
				product, location, openingStock)
			for _, state := range []string{"onHand", "available"} {
				c.opening[product+" "+location+" "+state] = openingStock
			}
		}
	}
}

// event counts a write that begins or is answered, and calls onLimit at the limit.
func (c *company) event() {
	if c.events.Add(1) == c.limit.Load() {
		c.onLimit()
	}
}
