package ledger

import (
	"fmt"
	"strings"

	"golang.org/x/text/cases"

	"bincard/server/api"
)

func (c *writeTx) createProduct(in *api.CreateProductInput) error {
	p := &product{Seq: c.entry.Seq, Product: api.Product{ID: c.newID("product"), OrganizationID: c.p.Organization,
		Environment: api.Environment(c.p.Environment), SKU: strings.TrimSpace(in.SKU), Name: strings.TrimSpace(in.Name),
		Barcodes: trimmed(in.Barcodes), BaseUnitCode: strings.TrimSpace(in.BaseUnitCode), Units: trimmedUnits(in.Units),
		Tracking: in.Tracking, Components: in.Components, ReorderPoint: in.ReorderPoint, Status: api.Active,
		Metadata: in.Metadata, CreatedAt: c.now, UpdatedAt: c.now}}
	if p.BaseUnitCode == "" {
		p.BaseUnitCode = "piece"
	}
	if p.Tracking == "" {
		p.Tracking = api.TrackNone
	}
	if err := c.checkProduct(&p.Product); err != nil {
		return err
	}
	if err := products.Insert(c.tx, p); err != nil {
		return err
	}
	c.products++
	return c.setDocument(p.Product)
}

// checkProduct checks a new product against existing ones and for consistency.
func (c *writeTx) checkProduct(p *api.Product) error {
	existing, err := findOne(c.r, products, "sku", foldName(p.SKU))
	if err != nil {
		return err
	}
	if existing != nil {
		return api.Fail(api.AlreadyExists, api.Details{"resource": "product", "field": "sku", "productId": existing.ID, "sku": existing.SKU},
			"Product %s already exists (%s). Use it, or choose another SKU.", existing.SKU, existing.Name)
	}
	var problems api.Problems
	checkUnits(&problems, p)
	if err := c.checkComponents(&problems, p); err != nil {
		return err
	}
	if err := c.checkBarcodes(&problems, p); err != nil {
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
func (c *writeTx) checkComponents(problems *api.Problems, p *api.Product) error {
	seen := map[api.ID]bool{}
	for i, part := range p.Components {
		path := fmt.Sprintf("components[%d].productId", i)
		x, err := products.Shared(c.r, part.ProductID[:])
		switch {
		case err != nil:
			return err
		case part.ProductID == p.ID:
			problems.Add(path, "distinct", "must not be the kit itself")
		case x == nil:
			problems.Add(path, "exists", "product does not exist in this organization and environment: %s", part.ProductID)
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

func trimmed(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.TrimSpace(s)
	}
	return out
}

func trimmedUnits(list []api.Unit) []api.Unit {
	out := make([]api.Unit, len(list))
	for i, u := range list {
		out[i] = api.Unit{UnitCode: strings.TrimSpace(u.UnitCode), Factor: u.Factor}
		if len(u.Barcodes) > 0 {
			out[i].Barcodes = trimmed(u.Barcodes)
		}
	}
	return out
}

// archiveProduct archives a product. Archiving it again has no effect.
func (c *writeTx) archiveProduct(in *api.ProductInput) error {
	shared, err := c.product("productId", in.ProductID)
	if err != nil {
		return err
	}
	p := *shared
	if p.Status != api.Archived {
		p.Status, p.UpdatedAt = api.Archived, c.now
		if err := products.Put(c.tx, &p); err != nil {
			return err
		}
		c.products--
	}
	return c.setDocument(p.Product)
}

func (tx *readTx) getProduct(in *api.ProductInput) (*api.Product, error) {
	p, err := tx.product("productId", in.ProductID)
	if err != nil {
		return nil, err
	}
	return &p.Product, nil
}

func (tx *readTx) listProducts(in *api.ListProductsInput) (*api.List[api.Product], error) {
	fold := cases.Fold()
	query, sku := fold.String(strings.TrimSpace(in.Query)), foldName(in.SKU)
	l := listing[product]{table: products, seq: func(p *product) uint64 { return p.Seq }, id: func(p *product) api.ID { return p.ID },
		keep: func(p *product) bool {
			return (in.SKU == "" || string(foldName(p.SKU)) == string(sku)) &&
				(query == "" || strings.Contains(fold.String(p.SKU), query) || strings.Contains(fold.String(p.Name), query))
		}}
	var rows []*product
	var next *string
	var err error
	switch {
	case in.Barcode != "":
		rows, err = l.pageOne(tx, in.Cursor, "barcode", barcodeKey(in.Barcode))
	case in.SKU != "":
		rows, err = l.pageOne(tx, in.Cursor, "sku", sku)
	default:
		rows, next, err = l.page(tx, in.Limit, 25, in.Cursor)
	}
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Product]{Items: make([]api.Product, len(rows)), NextCursor: next}
	for i, p := range rows {
		out.Items[i] = p.Product
	}
	return out, nil
}
