package dock

import (
	"bincard/tui/i18n"
	"sync"
	"time"

	"bincard/server/api"
)

// A Location is the location at which a terminal stands.
type Location struct {
	ID         api.ID
	Code, Name string
}

// LocationOf is the place that an embedded reference names; zero for nil.
func LocationOf(ref *api.PlaceRef) Location {
	if ref == nil {
		return Location{}
	}
	return Location{ID: ref.ID, Code: ref.Code, Name: ref.Name}
}

// LocationAt is the place of an id, with what an embedded reference says of it.
func LocationAt(id api.ID, ref *api.PlaceRef) Location {
	p := LocationOf(ref)
	if p.ID = id; p.Code == "" && p.IsSet() {
		p.Code = ShortID(id)
	}
	return p
}

func toLocation(p *api.Place) Location { return Location{ID: p.ID, Code: p.Code, Name: p.Name} }

// IsSet tells whether there is a place at all.
func (p Location) IsSet() bool { return p.ID != api.ID{} }

// String is the place as people say it: "WH-1 Main warehouse".
func (p Location) String() string {
	if p.Name == "" || p.Name == p.Code {
		return p.Code
	}
	return p.Code + " " + p.Name
}

// Options are what a Site is made of. Only Service is required.
type Options struct {
	Service  api.Service // acts for the caller already: see api.As
	Operator string      // who works here, named on every write
	Location Location    // where the terminal stands, if it is known
	// OnLocation hears of another place that was chosen, to keep it; it may be nil.
	OnLocation func(Location)
	// Exports is the folder in which files are written unless another one is
	// named; "" where this terminal writes none, as one over a network.
	Exports string
	// Settings keeps what the operator saved of this company and environment; in
	// memory if nil.
	Settings SettingsStore
	// Translator translates what the screens show; English if nil.
	Translator *i18n.Translator
	// Now is the time of the service; time.Now if nil.
	Now func() time.Time
	// ClockOffset is by how much the service's clock is ahead of this machine's;
	// nil where there is one clock.
	ClockOffset func() time.Duration
}

// A SettingsStore keeps small things by name between sessions. Save is on disk before
// it returns; Load answers nil for what was never saved.
type SettingsStore interface {
	Load(name string) ([]byte, error)
	Save(name string, data []byte) error
}

// A Site is what the screens need to know of the world: the service, who works
// and where. It is shared by all screens of a session and safe for use by
// several goroutines.
type Site struct {
	opts Options

	mu           sync.Mutex
	location     Location
	operator     string
	unknownCodes []UnknownCode
	supported    map[string]bool       // operation ID: whether the service has it
	access       *api.Access           // who the service says the caller is; nil until it did
	notFoundPath map[string]string     // operation ID: the path of one document that was not found
	cache        map[string]cacheEntry // what need not be read again soon
	syncStatus   *api.Sync             // how what it works on stands to the service
	badges       *syncBadges           // what rests on work that is not there
}

// NewSite makes a site.
func NewSite(opts Options) *Site {
	if opts.Settings == nil {
		opts.Settings = NewMemorySettings()
	}
	s := &Site{opts: opts, location: opts.Location, operator: opts.Operator, supported: map[string]bool{}, notFoundPath: map[string]string{}, cache: map[string]cacheEntry{}}
	s.loadUnknownCodes()
	return s
}

// T translates what the screens show.
func (s *Site) T() *i18n.Translator {
	if s == nil {
		return nil
	}
	return s.opts.Translator
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

// Location is where the terminal stands now.
func (s *Site) Location() Location {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.location
}

// SetLocation makes p the place where the terminal stands.
func (s *Site) SetLocation(p Location) {
	s.mu.Lock()
	s.location = p
	s.mu.Unlock()
	if s.opts.OnLocation != nil {
		s.opts.OnLocation(p)
	}
}

// Exports is the folder for files, "" where none are written.
func (s *Site) Exports() string { return s.opts.Exports }

// Settings keeps what the operator saved.
func (s *Site) Settings() SettingsStore { return s.opts.Settings }

// NewMemorySettings keeps things as long as the process lives.
func NewMemorySettings() SettingsStore { return &memorySettings{values: map[string][]byte{}} }

type memorySettings struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (s *memorySettings) Load(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name], nil
}

func (s *memorySettings) Save(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = data
	return nil
}
