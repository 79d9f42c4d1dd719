package dock

import (
	"sync"
	"time"

	"bincard/server/api"
)

// A Place is the location at which a terminal stands.
type Place struct {
	ID         api.ID
	Code, Name string
}

// PlaceOf is the place that an embedded reference names; zero for nil.
func PlaceOf(ref *api.PlaceRef) Place {
	if ref == nil {
		return Place{}
	}
	return Place{ID: ref.ID, Code: ref.Code, Name: ref.Name}
}

// PlaceAt is the place of an id, with what an embedded reference says of it.
func PlaceAt(id api.ID, ref *api.PlaceRef) Place {
	p := PlaceOf(ref)
	if p.ID = id; p.Code == "" && p.Chosen() {
		p.Code = Brief(id)
	}
	return p
}

func placeOf(p *api.Place) Place { return Place{ID: p.ID, Code: p.Code, Name: p.Name} }

// Chosen tells whether there is a place at all.
func (p Place) Chosen() bool { return p.ID != api.ID{} }

// String is the place as people say it: "WH-1 Main warehouse".
func (p Place) String() string {
	if p.Name == "" || p.Name == p.Code {
		return p.Code
	}
	return p.Code + " " + p.Name
}

// Options are what a Site is made of. Only Service is required.
type Options struct {
	Service  api.Service // acts for the caller already: see api.As
	Operator string      // who works here, named on every write
	Place    Place       // where the terminal stands, if it is known
	// OnPlace hears of another place that was chosen, to keep it; it may be nil.
	OnPlace func(Place)
	// Exports is the folder in which files are written unless another one is
	// named; "" where this terminal writes none, as one over a network.
	Exports string
	// Shelf keeps what the operator saved of this company and environment; in
	// memory if nil.
	Shelf Shelf
	// Now is the time of the service; time.Now if nil.
	Now func() time.Time
	// ClockOffset is by how much the service's clock is ahead of this machine's;
	// nil where there is one clock.
	ClockOffset func() time.Duration
}

// A Shelf keeps small things by name between sessions. Save is on disk before
// it returns; Load answers nil for what was never saved.
type Shelf interface {
	Load(name string) ([]byte, error)
	Save(name string, data []byte) error
}

// A Site is what the screens need to know of the world: the service, who works
// and where. It is shared by all screens of a session and safe for use by
// several goroutines.
type Site struct {
	opts Options

	mu       sync.Mutex
	place    Place
	operator string
	strays   []Stray
	known    map[string]bool   // operation ID: whether the service has it
	access   *api.Access       // who the service says the caller is; nil until it did
	doubt    map[string]string // operation ID: the path of one document that was not found
	memories map[string]memory // what need not be read again soon
	stands   *api.Sync         // how what it works on stands to the service
	marks    *marks            // what rests on work that is not there
}

// NewSite makes a site.
func NewSite(opts Options) *Site {
	if opts.Shelf == nil {
		opts.Shelf = MemoryShelf()
	}
	s := &Site{opts: opts, place: opts.Place, operator: opts.Operator, known: map[string]bool{}, doubt: map[string]string{}, memories: map[string]memory{}}
	s.recall()
	return s
}

// Operator is who works here; it may be empty.
func (s *Site) Operator() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.operator
}

// SetOperator makes a person the one who works here, named on every write from now on.
func (s *Site) SetOperator(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.operator = name
}

// Place is where the terminal stands now.
func (s *Site) Place() Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.place
}

// SetPlace makes p the place where the terminal stands.
func (s *Site) SetPlace(p Place) {
	s.mu.Lock()
	s.place = p
	s.mu.Unlock()
	if s.opts.OnPlace != nil {
		s.opts.OnPlace(p)
	}
}

// Exports is the folder for files, "" where none are written.
func (s *Site) Exports() string { return s.opts.Exports }

// Shelf keeps what the operator saved.
func (s *Site) Shelf() Shelf { return s.opts.Shelf }

// MemoryShelf keeps things as long as the process lives.
func MemoryShelf() Shelf { return &shelf{kept: map[string][]byte{}} }

type shelf struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (s *shelf) Load(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[name], nil
}

func (s *shelf) Save(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[name] = data
	return nil
}
