package ledger

import (
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A readTx is a read transaction on a partition, at one point in time.
type readTx struct {
	r           store.Reader
	p           store.Partition
	caller      *api.Caller
	now         time.Time
	lastBalance api.Balance // cache of showID

	// Cached references: most occur many times in a response.
	productRefs []*api.ProductRef
	placeRefs   []namedPlace
}

type namedPlace struct {
	in  *store.Table[placeRow]
	ref *api.PlaceRef
}

// maxRefs limits the cached references of each kind.
const maxRefs = 16

// A product is the stored form of api.Product.
type product struct {
	api.Product
	store.Unknown
	Seq uint64 `json:"seq"`
}

// A placeRow is the stored form of a location, owner or channel.
type placeRow struct {
	api.Place
	store.Unknown
	Seq uint64 `json:"seq"`
}

var products = &store.Table[product]{
	Name:  "products",
	Key:   func(p *product) []byte { return p.ID[:] },
	Codec: store.JSON[product](),
	Indexes: []store.Index[product]{
		{Name: "seq", Keys: func(p *product) [][]byte { return [][]byte{journal.SeqKey(p.Seq)} }},
		{Name: "sku", Keys: func(p *product) [][]byte { return [][]byte{foldName(p.SKU)} }},
		{Name: "barcode", Keys: func(p *product) [][]byte { return barcodeKeys(&p.Product) }},
	},
}

var (
	locations = placeTable("locations")
	owners    = placeTable("owners")
	channels  = placeTable("channels")
)

func placeTable(name string) *store.Table[placeRow] {
	return &store.Table[placeRow]{
		Name:  name,
		Key:   func(e *placeRow) []byte { return e.ID[:] },
		Codec: store.JSON[placeRow](),
		Indexes: []store.Index[placeRow]{
			{Name: "seq", Keys: func(e *placeRow) [][]byte { return [][]byte{journal.SeqKey(e.Seq)} }},
			{Name: "code", Keys: func(e *placeRow) [][]byte { return [][]byte{foldName(e.Code)} }},
		},
	}
}

// productRef returns the reference of a product, or nil.
func (tx *readTx) productRef(id api.ID) *api.ProductRef {
	for _, ref := range tx.productRefs {
		if ref.ID == id {
			return ref
		}
	}
	p, err := products.Shared(tx.r, id[:])
	if p == nil || err != nil {
		return nil
	}
	ref := &api.ProductRef{ID: p.ID, Name: p.Name, SKU: p.SKU}
	if len(tx.productRefs) < maxRefs {
		tx.productRefs = append(tx.productRefs, ref)
	}
	return ref
}

// placeRef returns the reference of a location, owner or channel, or nil.
func (tx *readTx) placeRef(t *store.Table[placeRow], id api.ID) *api.PlaceRef {
	for _, cached := range tx.placeRefs {
		if cached.ref.ID == id && cached.in == t {
			return cached.ref
		}
	}
	e, err := t.Shared(tx.r, id[:])
	if e == nil || err != nil {
		return nil
	}
	ref := &api.PlaceRef{ID: e.ID, Name: e.Name, Code: e.Code, Type: e.Type}
	if len(tx.placeRefs) < maxRefs {
		if tx.placeRefs == nil {
			tx.placeRefs = make([]namedPlace, 0, 4)
		}
		tx.placeRefs = append(tx.placeRefs, namedPlace{t, ref})
	}
	return ref
}

// product reads the product that a request names in field.
func (tx *readTx) product(field string, id api.ID) (*product, error) {
	p, err := products.Shared(tx.r, id[:])
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, notFound("product", field, id)
	}
	return p, nil
}

// activeProduct is like product, but rejects archived products.
func (tx *readTx) activeProduct(field string, id api.ID) (*product, error) {
	p, err := tx.product(field, id)
	if err == nil && p.Status == api.Archived {
		return nil, api.Fail(api.ProductArchived, api.Details{field: id, "sku": p.SKU},
			"%s is archived. Choose another product.", p.SKU)
	}
	return p, err
}

// stockKeyOf returns the stock key of a request, with the organization's default
// owner and channel if not given.
func (tx *readTx) stockKeyOf(productID, locationID, ownerID, channelID api.ID) (stockKey, error) {
	at := stockKey{productID, locationID, ownerID, channelID}
	if at.Owner == (api.ID{}) || at.Channel == (api.ID{}) {
		org, err := tx.organization()
		if err != nil {
			return at, err
		}
		if at.Owner == (api.ID{}) {
			at.Owner = org.DefaultOwnerID
		}
		if at.Channel == (api.ID{}) {
			at.Channel = org.DefaultChannelID
		}
	}
	for _, x := range []struct {
		t    *store.Table[placeRow]
		kind string
		id   api.ID
	}{{locations, "location", at.Location}, {owners, "owner", at.Owner}, {channels, "channel", at.Channel}} {
		e, err := x.t.Shared(tx.r, x.id[:])
		if err != nil {
			return at, err
		}
		if e == nil {
			return at, notFound(x.kind, x.kind+"Id", x.id)
		}
	}
	return at, nil
}

// notFound is also the error for another tenant's data.
func notFound(kind, field string, id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": kind, field: id},
		"No %s %s in this organization and environment.", kind, id)
}

// organization returns the partition's organization with its defaults.
func (tx *readTx) organization() (*api.Organization, error) { return account.OwnOf(tx.r, tx.p) }
