package api

import (
	"time"

	"bincard/server/api/role"
)

// LocationType is the type of a location.
type LocationType string

const (
	Warehouse LocationType = "warehouse"
	Shop      LocationType = "store"
	Virtual   LocationType = "virtual"
)

// Values lists the location types.
func (LocationType) Values() []string {
	return []string{string(Warehouse), string(Shop), string(Virtual)}
}

// A Place is a location, an owner or a channel.
type Place struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	Code           string      `json:"code"`
	Name           string      `json:"name"`
	Type           string      `json:"type"`
	// Version is what If-Match of a correction names. It grows with each change, and is absent while it is 1.
	Version   int64     `json:"version,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// CurrentVersion returns the version that a correction expects.
func (p *Place) CurrentVersion() int64 { return max(1, p.Version) }

// CreateLocationInput describes a new location.
type CreateLocationInput struct {
	Code string       `json:"code,omitzero" required:"true" maxLength:"40"`
	Name string       `json:"name,omitzero" required:"true" text:"name"`
	Type LocationType `json:"type,omitzero" required:"true"`
}

// LocationInput identifies a location.
type LocationInput struct {
	LocationID ID `json:"-" path:"locationId"`
}

// ChangeLocationInput corrects a location. What it omits stays.
type ChangeLocationInput struct {
	LocationID ID           `json:"-" path:"locationId"`
	Name       string       `json:"name,omitzero" text:"name"`
	Type       LocationType `json:"type,omitzero"`
}

// CreatePlaceInput describes a new owner or channel.
type CreatePlaceInput struct {
	Code string `json:"code,omitzero" required:"true" maxLength:"40"`
	Name string `json:"name,omitzero" required:"true" text:"name"`
	Type string `json:"type,omitzero" required:"true" maxLength:"40"`
}

// ListPlacesInput filters locations, owners or channels.
type ListPlacesInput struct {
	Code string `json:"-" query:"code" doc:"exact code"`
	Page
}

var (
	// CreateLocation creates a location.
	CreateLocation = operation[CreateLocationInput, Place](Spec{
		ID: "createLocation", Method: "POST", Path: "/locations", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone, AllLocations: true, Permission: role.MayCreateProducts,
		Conflicts: []Code{AlreadyExists},
		Example:   Example{"name": "Main warehouse"},
		Summary:   "Create a location", Extension: true})
	// ListLocations returns the locations, newest first.
	ListLocations = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listLocations", Method: "GET", Path: "/locations", Scope: InventoryRead,
		Summary: "List locations", Extension: true})
	// ChangeLocation corrects a location. If-Match is the version that was read.
	ChangeLocation = operation[ChangeLocationInput, Place](Spec{
		ID: "changeLocation", Method: "PATCH", Path: "/locations/{locationId}", Scope: InventoryWrite,
		Direction: DirectionNone, AllLocations: true, Permission: role.MayCreateProducts,
		Conflicts: []Code{},
		Example:   Example{"name": "Warehouse North"},
		Summary:   "Correct a location", Extension: true})
	// GetLocationHistory returns the changes of a location.
	GetLocationHistory = operation[LocationInput, ResourceHistory](Spec{
		ID: "getLocationHistory", Method: "GET", Path: "/locations/{locationId}/history", Scope: InventoryRead,
		Summary: "Read the changes of a location", Extension: true})
	// CreateOwner creates an owner of stock.
	CreateOwner = operation[CreatePlaceInput, Place](Spec{
		ID: "createOwner", Method: "POST", Path: "/owners", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone, AllLocations: true,
		Conflicts: []Code{AlreadyExists},
		Example:   Example{"code": "NORDIC", "name": "Nordic Foods", "type": "supplier"},
		Summary:   "Create an owner", Extension: true})
	// ListOwners returns the owners, newest first.
	ListOwners = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listOwners", Method: "GET", Path: "/owners", Scope: InventoryRead,
		Summary: "List owners", Extension: true})
	// CreateChannel creates a sales channel.
	CreateChannel = operation[CreatePlaceInput, Place](Spec{
		ID: "createChannel", Method: "POST", Path: "/channels", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone, AllLocations: true,
		Conflicts: []Code{AlreadyExists},
		Example:   Example{"code": "web", "name": "Web shop", "type": "shop"},
		Summary:   "Create a channel", Extension: true})
	// ListChannels returns the channels, newest first.
	ListChannels = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listChannels", Method: "GET", Path: "/channels", Scope: InventoryRead,
		Summary: "List channels", Extension: true})
)

// A PlaceRef summarizes a location, owner or channel in another resource.
type PlaceRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Code string `json:"code"`
	Type string `json:"type"`
}

// NameAndCode returns the name and the code, or "" if there is no place.
func (p *PlaceRef) NameAndCode() (name, code string) {
	if p == nil {
		return "", ""
	}
	return p.Name, p.Code
}
