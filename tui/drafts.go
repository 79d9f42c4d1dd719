package tui

// A Draft is unsent work on the screen of a route.
type Draft struct {
	Route string
	// Owner is the operator whose work it is. It is empty where nobody signs in, and in
	// drafts of earlier versions.
	Owner string
	// From is the operator whom the owner took it over from, or "".
	From string
	Data []byte
}

// Drafts stores unsent work, so that it survives esc, a crash and an empty battery. Each
// operator can have one draft of a route.
type Drafts interface {
	Load(route, owner string) (d Draft, ok bool, err error)
	Save(d Draft) error
	Discard(route, owner string) error
	List() ([]Draft, error) // by route, then by owner
}
