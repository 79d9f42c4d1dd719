package printing

import (
	"fmt"
	"path"
	"strings"
)

// An Automatic says that the labels of receipts are printed without asking: those at a
// location of products whose SKU matches a pattern.
type Automatic struct {
	Location string `toml:"location,omitempty"` // its code; all locations if empty
	SKU      string `toml:"sku,omitempty"`      // like "OAT-*"; all products if empty
}

// check returns an error if the pattern is wrong.
func (a Automatic) check() error {
	if _, err := path.Match(a.SKU, ""); err != nil {
		return fmt.Errorf("sku = %q is not a pattern like OAT-*", a.SKU)
	}
	return nil
}

// IsAutomatic reports whether the labels of a receipt of a product at a location are
// printed without asking.
func (s Settings) IsAutomatic(location, sku string) bool {
	for _, a := range s.Automatic {
		if a.Location != "" && !strings.EqualFold(a.Location, location) {
			continue
		}

		// The pattern was checked, and "*" also matches "/".
		flat := strings.NewReplacer("/", "\x00")
		matches, err := path.Match(strings.ToLower(flat.Replace(a.SKU)), strings.ToLower(flat.Replace(sku)))
		if a.SKU == "" || err == nil && matches {
			return true
		}
	}

	return false
}
