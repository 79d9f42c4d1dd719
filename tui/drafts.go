package tui

// Drafts stores unsent work by route, so that it survives esc, a crash and an empty
// battery.
type Drafts interface {
	Load(route string) (data []byte, ok bool, err error)
	Save(route string, data []byte) error
	Discard(route string) error
	Routes() ([]string, error) // those with a draft, sorted
}
