package api

// ActorType is the type of an actor.
type ActorType string

const (
	User      ActorType = "user"
	APIKey    ActorType = "api_key"
	SystemJob ActorType = "system"
)

// Values lists the actor types.
func (ActorType) Values() []string {
	return []string{string(User), string(APIKey), string(SystemJob)}
}

// An Actor is who made a change: a person, an API key or the service.
type Actor struct {
	Type  ActorType `json:"type"`
	ID    string    `json:"id,omitzero"`
	Label string    `json:"label"`
}

// A ProductRef summarizes a product in another resource.
type ProductRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	SKU  string `json:"sku"`
}

// A PlaceRef summarizes a location, owner or channel in another resource.
type PlaceRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Code string `json:"code"`
	Type string `json:"type"`
}
