// Package catalog creates and archives what stock refers to: products, lots and places.
package catalog

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/cases"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkBarcodes reports barcodes that occur twice on a new product, and rejects
// those that another product has.
func checkBarcodes(c *posting.Tx, problems *api.Problems, p *api.Product) error {
	seen := map[string]bool{}
	check := func(path, code string) error {
		keys := stored.BarcodeKeys(code)
		key := string(keys[0])
		if seen[key] {
			problems.Add(path, "distinct", "appears twice on this product: %s", code)
		}

		seen[key] = true
		other, err := stored.FindOne(c.Reader, stored.Products, "barcode", keys)
		if err != nil || other == nil || other.ID == p.ID {
			return err
		}

		return api.Fail(api.AlreadyExists,
			api.Details{"resource": "product", "field": path, "barcode": code, "productId": other.ID, "sku": other.SKU},
			"Barcode %s already belongs to %s (%s). Remove it from one of the products.", code, other.SKU, other.Name)
	}

	for i, code := range p.Barcodes {
		if err := check(fmt.Sprintf("barcodes[%d]", i), code); err != nil {
			return err
		}
	}

	for i, u := range p.Units {
		for j, code := range u.Barcodes {
			if err := check(fmt.Sprintf("units[%d].barcodes[%d]", i, j), code); err != nil {
				return err
			}
		}
	}

	return nil
}

// CreateProduct creates a product, whose SKU and barcodes must be new.
func CreateProduct(c *posting.Tx, in *api.CreateProductInput) error {
	p := &stored.Product{
		Seq: c.Entry.Seq,
		Product: api.Product{
			ID:             c.NewID("product"),
			OrganizationID: c.Partition.Organization,
			Environment:    api.Environment(c.Partition.Environment),
			SKU:            api.CleanCode(in.SKU),
			Name:           strings.TrimSpace(in.Name),
			Barcodes:       cleanCodes(in.Barcodes),
			BaseUnitCode:   strings.TrimSpace(in.BaseUnitCode),
			Units:          cleanUnits(in.Units),
			Tracking:       in.Tracking,
			Components:     in.Components,
			ReorderPoint:   in.ReorderPoint,
			Status:         api.Active,
			Metadata:       in.Metadata,
			CreatedAt:      c.Now,
			UpdatedAt:      c.Now,
		},
	}

	if p.BaseUnitCode == "" {
		p.BaseUnitCode = "piece"
	}
	if p.Tracking == "" {
		p.Tracking = api.TrackNone
	}
	if err := checkProduct(c, in.SKU, &p.Product); err != nil {
		return err
	}
	if err := stored.Products.Insert(c.Writer, p); err != nil {
		return err
	}

	c.Products++

	return c.SetDocument(p.Product)
}

// checkProduct checks a new product, with the SKU as it was given, against existing ones and
// for consistency.
func checkProduct(c *posting.Tx, sku string, p *api.Product) error {
	existing, err := stored.FindOne(c.Reader, stored.Products, "sku", stored.NameKeys(sku))
	if err != nil {
		return err
	}
	if existing != nil {
		return api.Fail(api.AlreadyExists,
			api.Details{"resource": "product", "field": "sku", "productId": existing.ID, "sku": existing.SKU},
			"Product %s already exists (%s). Use it, or choose another SKU.", existing.SKU, existing.Name)
	}

	var problems api.Problems
	checkUnits(&problems, p)
	if err := checkComponents(c, &problems, p); err != nil {
		return err
	}
	if err := checkBarcodes(c, &problems, p); err != nil {
		return err
	}

	return problems.Err()
}

func checkUnits(problems *api.Problems, p *api.Product) {
	fold := cases.Fold()
	seen := map[string]bool{fold.String(p.BaseUnitCode): true}
	for i, u := range p.Units {
		code := fold.String(u.UnitCode)
		if seen[code] {
			problems.Add(fmt.Sprintf("units[%d].unitCode", i), "distinct",
				"must differ from the base unit (%s) and the other units, is %s", p.BaseUnitCode, u.UnitCode)
		}
		seen[code] = true
	}
}

// checkComponents checks that the components of a kit are distinct products that are
// not kits, which also rules out cycles.
func checkComponents(c *posting.Tx, problems *api.Problems, p *api.Product) error {
	seen := map[api.ID]bool{}
	for i, part := range p.Components {
		path := fmt.Sprintf("components[%d].productId", i)
		x, err := stored.Products.Shared(c.Reader, part.ProductID[:])
		switch {
		case err != nil:
			return err
		case part.ProductID == p.ID:
			problems.Add(path, "distinct", "must not be the kit itself")
		case x == nil:
			problems.Add(path, "exists", "product does not exist in this organization and environment: %s",
				part.ProductID)
		case seen[part.ProductID]:
			problems.Add(path, "distinct", "lists %s twice; combine the quantities", x.SKU)
		case x.Status == api.Archived:
			problems.Add(path, "active", "is %s, which is archived", x.SKU)
		case len(x.Components) > 0:
			problems.Add(path, "level", "is %s, which is itself a kit; components cannot be kits", x.SKU)
		}

		seen[part.ProductID] = true
	}

	return nil
}

func cleanCodes(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = api.CleanCode(s)
	}
	return out
}

func cleanUnits(list []api.Unit) []api.Unit {
	out := make([]api.Unit, len(list))
	for i, u := range list {
		out[i] = api.Unit{UnitCode: strings.TrimSpace(u.UnitCode), Factor: u.Factor}
		if len(u.Barcodes) > 0 {
			out[i].Barcodes = cleanCodes(u.Barcodes)
		}
	}

	return out
}

// activeProduct returns a copy of a product that is not archived.
func activeProduct(c *posting.Tx, id api.ID) (*stored.Product, error) {
	p, err := stored.Find(c.Reader, stored.Products, "product", id)
	if err == nil {
		_, err = c.ActiveProduct("productId", id)
	}
	return p, err
}

// ChangeProduct corrects a product. A correction that changes nothing keeps the version.
func ChangeProduct(c *posting.Tx, in *api.ChangeProductInput) error {
	p, err := activeProduct(c, in.ProductID)
	if err != nil {
		return err
	}
	if err := c.CheckVersion(p.CurrentVersion()); err != nil {
		return err
	}

	before := p.Product
	p.Name = cmp.Or(strings.TrimSpace(in.Name), p.Name)
	p.BaseUnitCode = cmp.Or(strings.TrimSpace(in.BaseUnitCode), p.BaseUnitCode)
	p.Tracking = cmp.Or(in.Tracking, p.Tracking)
	if in.Units != nil {
		p.Units = cleanUnits(in.Units)
	}
	if in.Components != nil {
		p.Components = in.Components
	}
	if in.Metadata != nil {
		p.Metadata = in.Metadata
	}
	if in.ReorderPoint != nil {
		p.ReorderPoint = in.ReorderPoint
		if *in.ReorderPoint == 0 {
			p.ReorderPoint = nil
		}
	}

	if err := checkChange(c, &before, &p.Product); err != nil {
		return err
	}

	return saveProduct(c, p)
}

// maxShelfLocations is at how many locations a product can have shelves.
const maxShelfLocations = 200

// SetShelves sets the shelves of a product at a location.
func SetShelves(c *posting.Tx, in *api.SetShelvesInput) error {
	p, err := activeProduct(c, in.ProductID)
	if err != nil {
		return err
	}
	if _, err := stored.Find(c.Reader, stored.Locations, "location", in.LocationID); err != nil {
		return err
	}

	var problems api.Problems
	seen := map[string]bool{}
	shelves := cleanCodes(in.Shelves)
	for i, shelf := range shelves {
		folded := cases.Fold().String(shelf)
		if seen[folded] {
			problems.Add(fmt.Sprintf("shelves[%d]", i), "distinct", "appears twice: %s", shelf)
		}
		seen[folded] = true
	}

	others := slices.DeleteFunc(slices.Clone(p.Shelves), func(at api.ProductShelves) bool {
		return at.LocationID == in.LocationID
	})
	if len(others) >= maxShelfLocations {
		problems.Add("locationId", "maxItems", "the product has shelves at %d locations, the most it can have",
			maxShelfLocations)
	}
	if err := problems.Err(); err != nil {
		return err
	}

	if len(shelves) > 0 {
		others = append(others, api.ProductShelves{LocationID: in.LocationID, Shelves: shelves})
	}
	if p.Shelves = others; len(others) == 0 {
		p.Shelves = nil
	}

	slices.SortFunc(
		p.Shelves,
		func(a, b api.ProductShelves) int { return bytes.Compare(a.LocationID[:], b.LocationID[:]) },
	)

	return saveProduct(c, p)
}

// saveProduct saves a product with its next version and what has changed, which may be nothing.
func saveProduct(c *posting.Tx, p *stored.Product) error {
	before, err := stored.Products.Shared(c.Reader, p.ID[:])
	if err != nil {
		return err
	}
	changed, err := addChange(c, &p.Changes, p.CurrentVersion(), before.Product, p.Product)
	if err != nil {
		return err
	}

	if changed {
		p.Version, p.UpdatedAt = p.CurrentVersion()+1, c.Now
		if err := stored.Products.Put(c.Writer, p); err != nil {
			return err
		}
	}

	return c.SetDocument(p.Product)
}

// checkChange checks a corrected product.
func checkChange(c *posting.Tx, before, p *api.Product) error {
	var problems api.Problems
	checkUnits(&problems, p)
	if err := checkBarcodes(c, &problems, p); err != nil {
		return err
	}

	unstocked := func(path string) error {
		at, err := stockedAt(c, p.ID)
		if at != "" {
			problems.Add(path, "stock", "cannot change while stock of %s exists or is expected at %s", p.SKU, at)
		}
		return err
	}

	if p.Tracking != before.Tracking {
		if err := unstocked("tracking"); err != nil {
			return err
		}
	}

	if !slices.Equal(p.Components, before.Components) {
		if err := checkComponents(c, &problems, p); err != nil {
			return err
		}
		if len(before.Components) == 0 { // a kit cannot have become a component
			if err := checkNotComponent(c, &problems, p); err != nil {
				return err
			}
		}
		if err := unstocked("components"); err != nil {
			return err
		}
	}

	return problems.Err()
}

// checkNotComponent checks that a product that becomes a kit is not a component of one.
func checkNotComponent(c *posting.Tx, problems *api.Problems, p *api.Product) error {
	return stored.Products.Scan(c.Reader, store.Range{}, func(kit *stored.Product) error {
		if slices.ContainsFunc(kit.Components, func(x api.Component) bool { return x.ProductID == p.ID }) {
			problems.Add("components", "level", "must be empty: %s is a component of %s", p.SKU, kit.SKU)
		}
		return nil
	})
}

// stockedAt returns the code of a location that has or expects stock of a product, or "".
func stockedAt(c *posting.Tx, product api.ID) (code string, err error) {
	err = stored.BalanceKeys.ScanIndex(c.Reader, "product", store.Prefix(product[:]), func(k *stored.BalanceKey) error {
		b, err := c.Balance(k.ID)
		if err != nil || b == nil || b.Quantities() == (api.Quantities{}) || code != "" {
			return err
		}
		place, err := stored.Locations.Shared(c.Reader, k.Location[:])
		if err == nil && place != nil {
			code = place.Code
		}
		return err
	})

	return code, err
}

// ArchiveProduct archives a product. Archiving it again has no effect.
func ArchiveProduct(c *posting.Tx, in *api.ProductInput) error {
	p, err := stored.Find(c.Reader, stored.Products, "product", in.ProductID)
	if err != nil {
		return err
	}

	if p.Status != api.Archived {
		p.Status = api.Archived
		c.Products--
	}

	return saveProduct(c, p)
}
