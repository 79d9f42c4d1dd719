package api

import (
	"time"

	"bincard/server/api/role"
)

// Tracking is how the stock of a product is tracked.
type Tracking string

const (
	TrackNone   Tracking = "none"
	TrackLot    Tracking = "lot"
	TrackSerial Tracking = "serial"
)

// Values lists the tracking modes.
func (Tracking) Values() []string {
	return []string{string(TrackNone), string(TrackLot), string(TrackSerial)}
}

// A Product is an item that can be stocked.
type Product struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	SKU            string      `json:"sku"`
	Name           string      `json:"name"`
	Barcodes       []string    `json:"barcodes"`
	BaseUnitCode   string      `json:"baseUnitCode"`
	Units          []Unit      `json:"units"`
	Tracking       Tracking    `json:"tracking"`
	Components     []Component `json:"components"`
	// ReorderPoint is the available quantity below which stock is low.
	ReorderPoint *int64 `json:"reorderPoint,omitzero"`
	// Shelves are its places at each location where it has one.
	Shelves  []ProductShelves `json:"shelves,omitzero"`
	Status   UseStatus        `json:"status"`
	Metadata Metadata         `json:"metadata,omitzero"`
	// Version is what If-Match of a correction names. It grows with each change, and is absent while it is 1.
	Version   int64     `json:"version,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// CurrentVersion returns the version that a correction expects.
func (p *Product) CurrentVersion() int64 { return max(1, p.Version) }

// ProductShelves are the places of a product at a location. They say where to put it and where
// to look for it; balances do not know them.
type ProductShelves struct {
	LocationID ID `json:"locationId"`
	// Shelves are short codes such as A-03-2, the main one first.
	Shelves []string `json:"shelves"`
}

// MainShelf returns the first shelf of a product at a location, or "".
func (p *Product) MainShelf(location ID) string {
	if shelves := p.ShelvesAt(location); len(shelves) > 0 {
		return shelves[0]
	}
	return ""
}

// ShelvesAt returns the shelves of a product at a location.
func (p *Product) ShelvesAt(location ID) []string {
	for _, s := range p.Shelves {
		if s.LocationID == location {
			return s.Shelves
		}
	}
	return nil
}

// A Unit is a packaging of a product that contains a number of base units.
type Unit struct {
	UnitCode string   `json:"unitCode,omitzero" required:"true" maxLength:"40"`
	Factor   int64    `json:"factor,omitzero" required:"true" minimum:"1"`
	Barcodes []string `json:"barcodes,omitzero" maxItems:"20"`
}

// A Component is a product and its quantity in a kit.
type Component struct {
	ProductID ID    `json:"productId,omitzero" required:"true"`
	Quantity  int64 `json:"quantity,omitzero" required:"true" minimum:"1"`
}

// CreateProductInput describes a new product.
type CreateProductInput struct {
	SKU          string      `json:"sku,omitzero" required:"true" maxLength:"100"`
	Name         string      `json:"name,omitzero" required:"true" text:"name"`
	Barcodes     []string    `json:"barcodes,omitzero" maxItems:"20"`
	BaseUnitCode string      `json:"baseUnitCode,omitzero" maxLength:"40" doc:"default: piece"`
	Units        []Unit      `json:"units,omitzero" maxItems:"20"`
	Tracking     Tracking    `json:"tracking,omitzero" doc:"default: none"`
	Components   []Component `json:"components,omitzero" maxItems:"100"`
	ReorderPoint *int64      `json:"reorderPoint,omitzero" minimum:"0"`
	Metadata     Metadata    `json:"metadata,omitzero"`
}

// ProductInput identifies a product.
type ProductInput struct {
	ProductID ID `json:"-" path:"productId"`
}

// ChangeProductInput corrects a product. What it omits stays.
type ChangeProductInput struct {
	ProductID    ID          `json:"-" path:"productId"`
	Name         string      `json:"name,omitzero" text:"name"`
	BaseUnitCode string      `json:"baseUnitCode,omitzero" maxLength:"40"`
	Units        []Unit      `json:"units,omitzero" maxItems:"20" doc:"replaces all of them"`
	Tracking     Tracking    `json:"tracking,omitzero" doc:"can change while no stock exists or is expected"`
	Components   []Component `json:"components,omitzero" maxItems:"100" doc:"replaces all of them; can change while no stock exists or is expected"`
	ReorderPoint *int64      `json:"reorderPoint,omitzero" minimum:"0" doc:"0 removes it"`
	Metadata     Metadata    `json:"metadata,omitzero" doc:"replaces all of it"`
}

// A ResourceHistory is what has changed a product or a location, newest first. It has the
// last MaxResourceChanges changes; the change feed has all.
type ResourceHistory struct {
	Items []ResourceChange `json:"items"`
}

// MaxResourceChanges is how many changes a ResourceHistory has at most.
const MaxResourceChanges = 20

// A ResourceChange is one change of a product or a location.
type ResourceChange struct {
	// Version is the version after the change.
	Version int64 `json:"version"`
	// Before has the fields that differ, as they were; null is no value.
	Before Metadata `json:"before"`
	// After has the same fields, as they became.
	After  Metadata `json:"after"`
	Reason string   `json:"reason,omitzero"`
	// Actor is the actor of the API key.
	Actor Actor `json:"actor"`
	// CreatedBy is the operator, if any.
	CreatedBy *Actor    `json:"createdBy,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// LinkBarcodeInput describes a barcode to add to a product or to a package of it.
type LinkBarcodeInput struct {
	ProductID ID     `json:"-" path:"productId"`
	Barcode   string `json:"barcode,omitzero" required:"true" maxLength:"100"`
	Factor    *int64 `json:"factor,omitzero" minimum:"1" doc:"base units in the package; default: 1, the product itself"`
}

// UnlinkBarcodeInput describes a barcode to remove from a product or from a package of it.
type UnlinkBarcodeInput struct {
	ProductID ID     `json:"-" path:"productId"`
	Barcode   string `json:"barcode,omitzero" required:"true" maxLength:"100" text:"any"`
	Reason    string `json:"reason,omitzero" required:"true" maxLength:"1000" text:"note"`
}

// SetShelvesInput says where a product is at a location.
type SetShelvesInput struct {
	ProductID  ID       `json:"-" path:"productId"`
	LocationID ID       `json:"locationId,omitzero" required:"true"`
	Shelves    []string `json:"shelves,omitzero" maxItems:"6" maxLength:"40" doc:"short codes, the main one first; without any, the product has no shelf there"`
}

// ListProductsInput filters the products.
type ListProductsInput struct {
	SKU     string `json:"-" query:"sku" doc:"exact SKU"`
	Barcode string `json:"-" query:"barcode" doc:"barcode of the product or a unit"`
	// Shelf is looked up at LocationID.
	Shelf      string `json:"-" query:"shelf" maxLength:"40" doc:"shelf at the location"`
	LocationID ID     `json:"-" query:"locationId" doc:"location of the shelf"`
	TextFilter
	Page
}

func (in *ListProductsInput) validate(p *Problems) {
	if (in.Shelf == "") != (in.LocationID == NoID) {
		p.Add("shelf", "pair", "needs locationId, and locationId needs shelf")
	}
}

var (
	// CreateProduct creates a product.
	CreateProduct = operation[CreateProductInput, Product](Spec{
		ID: "createProduct", Method: "POST", Path: "/products", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone, Permission: role.MayCreateProducts,
		Conflicts: []Code{AlreadyExists},
		Summary:   "Create a product", Extension: true})
	// GetProduct returns one product.
	GetProduct = operation[ProductInput, Product](Spec{
		ID: "getProduct", Method: "GET", Path: "/products/{productId}", Scope: InventoryRead,
		Summary: "Read one product", Extension: true})
	// ListProducts returns the products, newest first.
	ListProducts = operation[ListProductsInput, List[Product]](Spec{
		ID: "listProducts", Method: "GET", Path: "/products", Scope: InventoryRead,
		Summary: "List products", Extension: true})
	// ChangeProduct corrects a product. If-Match is the version that was read.
	ChangeProduct = operation[ChangeProductInput, Product](Spec{
		ID: "changeProduct", Method: "PATCH", Path: "/products/{productId}", Scope: InventoryWrite,
		Direction: DirectionNone, AllLocations: true, Permission: role.MayCreateProducts,
		Conflicts: []Code{AlreadyExists, ProductArchived},
		Example:   Example{"name": "Oat drink 1 l", "reorderPoint": 48},
		Summary:   "Correct a product", Extension: true})
	// GetProductHistory returns the changes of a product.
	GetProductHistory = operation[ProductInput, ResourceHistory](Spec{
		ID: "getProductHistory", Method: "GET", Path: "/products/{productId}/history", Scope: InventoryRead,
		Summary: "Read the changes of a product", Extension: true})
	// ArchiveProduct takes a product out of use; its stock stays readable.
	ArchiveProduct = operation[ProductInput, Product](Spec{
		ID: "archiveProduct", Method: "POST", Path: "/products/{productId}/archive", Scope: InventoryWrite,
		Direction: DirectionNone, AllLocations: true, Permission: role.MayCreateProducts,
		Conflicts: []Code{},
		Summary:   "Archive a product", Extension: true})
	// SetShelves sets the shelves of a product at a location.
	SetShelves = operation[SetShelvesInput, Product](Spec{
		ID: "setShelves", Method: "POST", Path: "/products/{productId}/shelves", Scope: InventoryWrite,
		Direction: DirectionNone,
		Conflicts: []Code{ProductArchived},
		Example:   Example{"shelves": []any{"A-03-2"}},
		Summary:   "Set the shelves of a product", Extension: true})
	// LinkBarcode adds a barcode to a product, or to its package with a factor, which it
	// adds if the product has none.
	LinkBarcode = operation[LinkBarcodeInput, Product](Spec{
		ID: "linkBarcode", Method: "POST", Path: "/products/{productId}/barcodes", Scope: InventoryWrite,
		Direction: DirectionNone, Permission: role.MayLinkBarcodes,
		Conflicts: []Code{AlreadyExists, ProductArchived},
		Example:   Example{"barcode": "24006381333935", "factor": 24},
		Summary:   "Link a barcode to a product", Extension: true})
	// UnlinkBarcode removes a barcode from a product or its package, which stays. The
	// barcode can be linked again, to any product.
	UnlinkBarcode = operation[UnlinkBarcodeInput, Product](Spec{
		ID: "unlinkBarcode", Method: "POST", Path: "/products/{productId}/barcodes/unlink", Scope: InventoryWrite,
		Direction: DirectionNone, Permission: role.MayLinkBarcodes,
		Conflicts: []Code{},
		Example:   Example{"barcode": "24006381333935", "reason": "Linked to the wrong product"},
		Summary:   "Unlink a barcode from a product", Extension: true})
)

// A ProductRef summarizes a product in another resource.
type ProductRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	SKU  string `json:"sku"`
}
