package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Product is the stored form of api.Product.
type Product struct {
	api.Product
	store.Unknown
	Seq     uint64               `json:"seq"`
	Changes []api.ResourceChange `json:"changes,omitzero"` // newest first
}

// Products has all products.
var Products = store.NewTable(store.Table[Product]{
	Name:  "products",
	Key:   func(p *Product) []byte { return p.ID[:] },
	Codec: store.JSON[Product](),
	Indexes: []store.Index[Product]{
		{Name: "seq", Keys: func(p *Product) [][]byte { return [][]byte{journal.SeqKey(p.Seq)} }},
		{Name: "sku", Keys: func(p *Product) [][]byte { return [][]byte{FoldName(p.SKU)} }},
		{Name: "shelf", Keys: func(p *Product) (keys [][]byte) {
			for _, at := range p.Shelves {
				for _, shelf := range at.Shelves {
					keys = append(keys, Join(at.LocationID[:], FoldName(shelf)))
				}
			}
			return keys
		}},
		{Name: "barcode", Keys: func(p *Product) [][]byte { return barcodeKeys(&p.Product) }},
	},
})

// ProductRef returns the reference of a product, or nil.
func (tx *Tx) ProductRef(id api.ID) *api.ProductRef {
	for _, ref := range tx.productRefs {
		if ref.ID == id {
			return ref
		}
	}

	p, err := tx.SharedProduct(id)
	if p == nil || err != nil {
		return nil
	}

	ref := &api.ProductRef{ID: p.ID, Name: p.Name, SKU: p.SKU}
	if len(tx.productRefs) < maxRefs {
		tx.productRefs = append(tx.productRefs, ref)
	}

	return ref
}

// SharedProduct returns a product that must not be changed, or nil. It caches the last one,
// because most writes are about one product.
func (tx *Tx) SharedProduct(id api.ID) (*Product, error) {
	if p := tx.lastProduct; p != nil && p.ID == id {
		return p, nil
	}
	p, err := Products.Shared(tx.Reader, id[:])
	tx.lastProduct = p
	return p, err
}

// Product reads the product that a request names in field.
func (tx *Tx) Product(field string, id api.ID) (*Product, error) {
	p, err := tx.SharedProduct(id)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, NotFound("product", field, id)
	}
	return p, nil
}

// ActiveProduct is like Product, but rejects archived products.
func (tx *Tx) ActiveProduct(field string, id api.ID) (*Product, error) {
	p, err := tx.Product(field, id)
	if err == nil && p.Status == api.Archived {
		return nil, api.Fail(api.ProductArchived, api.Details{"productId": id, "sku": p.SKU},
			"%s is archived. Choose another product.", p.SKU)
	}
	return p, err
}

// GetProduct returns a product.
func (tx *Tx) GetProduct(in *api.ProductInput) (*api.Product, error) {
	p, err := tx.Product("productId", in.ProductID)
	if err != nil {
		return nil, err
	}
	return &p.Product, nil
}

// ProductHistory returns the changes of a product.
func (tx *Tx) ProductHistory(in *api.ProductInput) (*api.ResourceHistory, error) {
	p, err := tx.Product("productId", in.ProductID)
	if err != nil {
		return nil, err
	}
	return &api.ResourceHistory{Items: append([]api.ResourceChange{}, p.Changes...)}, nil
}

// ListProducts returns a page of products, newest first.
func (tx *Tx) ListProducts(in *api.ListProductsInput) (*api.List[api.Product], error) {
	text := newTextFilter(in.Query)
	l := Listing[Product]{
		Table: Products,
		Seq:   func(p *Product) uint64 { return p.Seq },
		ID:    func(p *Product) api.ID { return p.ID },
		Keep: func(p *Product) bool {
			return (in.SKU == "" || sameName(p.SKU, in.SKU)) &&
				text.in(append([]string{p.SKU, p.Name}, p.Barcodes...)...)
		},
	}

	switch {
	case in.Shelf != "":
		l.useFew("shelf", [][]byte{Join(in.LocationID[:], FoldName(api.CleanCode(in.Shelf)))})
	case in.Barcode != "":
		l.useFew("barcode", BarcodeKeys(in.Barcode))
	case in.SKU != "":
		l.useFew("sku", NameKeys(in.SKU))
	}

	rows, next, err := l.Page(tx, in.Page)

	return ListOf(rows, next, err, func(p *Product) *api.Product { return &p.Product })
}
