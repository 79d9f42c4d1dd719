package session

import (
	"net/url"
	"strings"

	"bincard/tui"
)

// MaxCountProducts is how many products a count of a list can have.
const MaxCountProducts = 200

// CountRoute returns the route of the count of these products at a location, of all if there
// are none.
func CountRoute(location string, skus ...string) string {
	route := tui.Path("count", location)
	switch len(skus) {
	case 0:
		return route
	case 1:
		return route + "?sku=" + url.QueryEscape(skus[0])
	}

	escaped := make([]string, len(skus))
	for i, sku := range skus {
		escaped[i] = url.QueryEscape(url.PathEscape(sku)) // a SKU may contain a comma
	}

	return route + "?skus=" + strings.Join(escaped, ",")
}

// CountSKUs returns the products that the route of a count names, each once; listed is false
// if it is a count of all.
func CountSKUs(query url.Values) (skus []string, listed bool) {
	if sku := query.Get("sku"); sku != "" {
		return []string{sku}, true
	}

	seen := map[string]bool{}
	for _, part := range strings.Split(query.Get("skus"), ",") {
		sku, err := url.PathUnescape(part)
		if err != nil {
			sku = part
		}

		sku = strings.TrimSpace(sku)
		if sku != "" && !seen[sku] {
			seen[sku] = true
			skus = append(skus, sku)
		}
	}

	return skus, query.Has("skus")
}
