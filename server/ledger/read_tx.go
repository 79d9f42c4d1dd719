package ledger

import (
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A readTx is one look at a partition, at one instant.
type readTx struct {
	l           *Ledger
	r           store.Reader
	p           store.Partition
	caller      *api.Caller
	now         time.Time
	localPos    LocalPosition // of a write over a replica
	lastBalance api.Balance   // the last that showID rendered

	// The names that were asked for: an answer has most of its many times.
	productRefs []*api.ProductRef
	placeRefs   []namedPlace
}

type namedPlace struct {
	in  *store.Table[placeRow]
	ref *api.PlaceRef
}

// maxRefs bounds the names that are remembered.
const maxRefs = 16

// A product is an api.Product as it is kept, with its place in the lists.
type product struct {
	api.Product
	store.Unknown
	Seq uint64 `json:"seq"`
}

// A placeRow is a location, an owner or a channel as it is kept.
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
		{Name: "seq", Keys: func(p *product) [][]byte { return [][]byte{seqKey(p.Seq)} }},
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
			{Name: "seq", Keys: func(e *placeRow) [][]byte { return [][]byte{seqKey(e.Seq)} }},
			{Name: "code", Keys: func(e *placeRow) [][]byte { return [][]byte{foldName(e.Code)} }},
		},
	}
}

// productRef names a product; nil when there is none.
func (rd *readTx) productRef(id api.ID) *api.ProductRef {
	for _, ref := range rd.productRefs {
		if ref.ID == id {
			return ref
		}
	}
	p, err := products.Shared(rd.r, id[:])
	if p == nil || err != nil {
		return nil
	}
	ref := &api.ProductRef{ID: p.ID, Name: p.Name, SKU: p.SKU}
	if len(rd.productRefs) < maxRefs {
		rd.productRefs = append(rd.productRefs, ref)
	}
	return ref
}

// placeRef names a location, owner or channel; nil when there is none.
func (rd *readTx) placeRef(t *store.Table[placeRow], id api.ID) *api.PlaceRef {
	for _, known := range rd.placeRefs {
		if known.ref.ID == id && known.in == t {
			return known.ref
		}
	}
	e, err := t.Shared(rd.r, id[:])
	if e == nil || err != nil {
		return nil
	}
	ref := &api.PlaceRef{ID: e.ID, Name: e.Name, Code: e.Code, Type: e.Type}
	if len(rd.placeRefs) < maxRefs {
		if rd.placeRefs == nil {
			rd.placeRefs = make([]namedPlace, 0, 4)
		}
		rd.placeRefs = append(rd.placeRefs, namedPlace{t, ref})
	}
	return ref
}

// product reads a product that an input names; field is the input's name for it.
func (rd *readTx) product(field string, id api.ID) (*product, error) {
	p, err := products.Shared(rd.r, id[:])
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, notFound("product", field, id)
	}
	return p, nil
}

// activeProduct is product, refused when it is archived: nothing new is begun with it.
func (rd *readTx) activeProduct(field string, id api.ID) (*product, error) {
	p, err := rd.product(field, id)
	if err == nil && p.Status == api.Archived {
		return nil, api.Fail(api.ProductArchived, api.Details{field: id, "sku": p.SKU},
			"%s is archived. Choose another product.", p.SKU)
	}
	return p, err
}

// stockKeyOf is the place that an input names, with the organization's default owner
// and channel where it names none.
func (rd *readTx) stockKeyOf(productID, locationID, ownerID, channelID api.ID) (stockKey, error) {
	at := stockKey{productID, locationID, ownerID, channelID}
	if at.Owner == (api.ID{}) || at.Channel == (api.ID{}) {
		org, err := rd.organization()
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
		e, err := x.t.Shared(rd.r, x.id[:])
		if err != nil {
			return at, err
		}
		if e == nil {
			return at, notFound(x.kind, x.kind+"Id", x.id)
		}
	}
	return at, nil
}

// notFound answers for what is not there, and for what is another tenant's.
func notFound(kind, field string, id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": kind, field: id},
		"No %s %s in this organization and environment.", kind, id)
}

// organizationNotFound answers for an organization that is not there.
func organizationNotFound(id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": "organization", "organizationId": id}, "Organization %s does not exist.", id)
}

var ownOrganization = &store.Table[api.Organization]{
	Name:  "organization",
	Key:   func(o *api.Organization) []byte { return o.ID[:] },
	Codec: store.JSON[api.Organization](),
}

// organization is the partition's own, with its defaults; each partition keeps
// a copy, since a transaction sees nothing else.
func (rd *readTx) organization() (*api.Organization, error) {
	o, err := ownOrganization.Shared(rd.r, rd.p.Organization[:])
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, organizationNotFound(rd.p.Organization)
	}
	return o, nil
}
