package api

// ActorType tells what kind of actor did something.
type ActorType string

const (
	User      ActorType = "user"
	APIKey    ActorType = "api_key"
	SystemJob ActorType = "system"
)

// Values lists the kinds of actors.
func (ActorType) Values() []string {
	return []string{string(User), string(APIKey), string(SystemJob)}
}

// An Actor is who did something: a person, a key, or the service itself.
type Actor struct {
	Type  ActorType `json:"type"`
	ID    string    `json:"id,omitzero"`
	Label string    `json:"label"`
}

// ProductRef names a product where another resource mentions it.
type ProductRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	SKU  string `json:"sku"`
}

// PlaceRef names a location, owner or channel where another resource mentions it.
type PlaceRef struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Code string `json:"code"`
	Type string `json:"type"`
}
