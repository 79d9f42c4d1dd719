package api

import "time"

// LocationType tells what kind of place a location is.
type LocationType string

const (
	Warehouse LocationType = "warehouse"
	Shop      LocationType = "store"
	Virtual   LocationType = "virtual"
)

// Values lists the kinds of locations.
func (LocationType) Values() []string {
	return []string{string(Warehouse), string(Shop), string(Virtual)}
}

// A Place is a location, an owner or a channel: who and where a balance belongs to.
type Place struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	Code           string      `json:"code"`
	Name           string      `json:"name"`
	Type           string      `json:"type"`
	CreatedAt      time.Time   `json:"createdAt"`
	UpdatedAt      time.Time   `json:"updatedAt"`
}

// CreateLocationInput makes a location known.
type CreateLocationInput struct {
	Code string       `json:"code,omitzero" required:"true" maxLength:"40"`
	Name string       `json:"name,omitzero" required:"true"`
	Type LocationType `json:"type,omitzero" required:"true"`
}

// CreatePlaceInput makes an owner or a channel known.
type CreatePlaceInput struct {
	Code string `json:"code,omitzero" required:"true" maxLength:"40"`
	Name string `json:"name,omitzero" required:"true"`
	Type string `json:"type,omitzero" required:"true" maxLength:"40"`
}

// ListPlacesInput finds locations, owners or channels.
type ListPlacesInput struct {
	Code   string `json:"-" query:"code" doc:"exactly this code"`
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"100" default:"25" doc:"page size"`
	Cursor string `json:"-" query:"cursor" doc:"id cursor from the previous page"`
}

var (
	// CreateLocation makes a location known.
	CreateLocation = operation[CreateLocationInput, Place](Spec{
		ID: "createLocation", Method: "POST", Path: "/locations", Scope: InventoryWrite, Status: 201,
		Summary: "Create a location", Extension: true})
	// ListLocations answers the locations, newest first.
	ListLocations = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listLocations", Method: "GET", Path: "/locations", Scope: InventoryRead,
		Summary: "List locations", Extension: true})
	// CreateOwner makes an owner of stock known.
	CreateOwner = operation[CreatePlaceInput, Place](Spec{
		ID: "createOwner", Method: "POST", Path: "/owners", Scope: InventoryWrite, Status: 201,
		Summary: "Create an owner", Extension: true})
	// ListOwners answers the owners, newest first.
	ListOwners = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listOwners", Method: "GET", Path: "/owners", Scope: InventoryRead,
		Summary: "List owners", Extension: true})
	// CreateChannel makes a sales channel known.
	CreateChannel = operation[CreatePlaceInput, Place](Spec{
		ID: "createChannel", Method: "POST", Path: "/channels", Scope: InventoryWrite, Status: 201,
		Summary: "Create a channel", Extension: true})
	// ListChannels answers the channels, newest first.
	ListChannels = operation[ListPlacesInput, List[Place]](Spec{
		ID: "listChannels", Method: "GET", Path: "/channels", Scope: InventoryRead,
		Summary: "List channels", Extension: true})
)
