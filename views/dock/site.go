package dock

import (
	"sync"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// A Location is a location of the organization.
type Location struct {
	ID         api.ID
	Code, Name string
}

// LocationOf returns the location of an embedded reference; zero for nil.
func LocationOf(ref *api.PlaceRef) Location {
	if ref == nil {
		return Location{}
	}
	return Location{ID: ref.ID, Code: ref.Code, Name: ref.Name}
}

// LocationAt returns the location with an ID, with the code and name of an embedded
// reference.
func LocationAt(id api.ID, ref *api.PlaceRef) Location {
	p := LocationOf(ref)
	if p.ID = id; p.Code == "" && p.IsSet() {
		p.Code = ShortID(id)
	}
	return p
}

func toLocation(p *api.Place) Location { return Location{ID: p.ID, Code: p.Code, Name: p.Name} }

// IsSet reports whether the location is not zero.
func (l Location) IsSet() bool { return l.ID != api.ID{} }

// String returns the code and the name: "WH-1 Main warehouse".
func (l Location) String() string {
	if l.Name == "" || l.Name == l.Code {
		return l.Code
	}
	return l.Code + " " + l.Name
}

// Options configure a Site. Only Service is required.
type Options struct {
	Service  api.Service // acts for the caller already: see api.As
	Operator string      // recorded with every write
	Location Location    // where the operator works, if known
	// OnLocation is called when another location is chosen; may be nil.
	OnLocation func(Location)
	// Exports is the default folder for files; "" if this terminal cannot write files,
	// such as a remote one.
	Exports string
	// Settings stores the operator's settings for this organization and environment;
	// in memory if nil.
	Settings SettingsStore
	// Translator translates the screens; English if nil.
	Translator *i18n.Translator
	// Now returns the service's time; time.Now if nil.
	Now func() time.Time
	// ClockOffset returns by how much the service's clock is ahead of this machine's;
	// nil if there is one clock.
	ClockOffset func() time.Duration
}

// A SettingsStore stores small values by name between sessions. Save returns after the
// data is on disk. Load returns nil for a name that was never saved.
type SettingsStore interface {
	Load(name string) ([]byte, error)
	Save(name string, data []byte) error
}

// A Site is the session that all screens of a terminal share: the service, the
// operator and the location. It is safe for concurrent use.
type Site struct {
	opts Options

	mu           sync.Mutex
	location     Location
	operator     string
	unknownCodes []UnknownCode
	supported    map[string]bool       // operation ID: whether the service supports it
	access       *api.Access           // of the caller; nil until the service has reported it
	notFoundPath map[string]string     // operation ID: path of a document that was not found
	cache        map[string]cacheEntry // by name
	syncStatus   *api.Sync             // latest; nil without a node
	badges       *syncBadges           // documents and balances with unsynced work
}

// NewSite returns a site with the given options.
func NewSite(opts Options) *Site {
	if opts.Settings == nil {
		opts.Settings = NewMemorySettings()
	}
	s := &Site{opts: opts, location: opts.Location, operator: opts.Operator, supported: map[string]bool{}, notFoundPath: map[string]string{}, cache: map[string]cacheEntry{}}
	s.loadUnknownCodes()
	return s
}

// T returns the session's translator.
func (s *Site) T() *i18n.Translator {
	if s == nil {
		return nil
	}
	return s.opts.Translator
}

// Operator returns who works here; it may be empty.
func (s *Site) Operator() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.operator
}

// SetOperator sets the operator, who is recorded with every write from now on.
func (s *Site) SetOperator(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.operator = name
}

// Location returns where the operator works.
func (s *Site) Location() Location {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.location
}

// SetLocation changes where the operator works.
func (s *Site) SetLocation(p Location) {
	s.mu.Lock()
	s.location = p
	s.mu.Unlock()
	if s.opts.OnLocation != nil {
		s.opts.OnLocation(p)
	}
}

// Exports returns the folder for files, or "" if this terminal cannot write files.
func (s *Site) Exports() string { return s.opts.Exports }

// Settings returns the store of the operator's settings.
func (s *Site) Settings() SettingsStore { return s.opts.Settings }

// NewMemorySettings returns a store that lasts as long as the process.
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
