package session

import (
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/label/printing"
)

// Options configure a Site. Only Service is required.
type Options struct {
	Service  api.Service // acts for the caller already: see api.As
	Operator string      // recorded with every write
	Location Location    // where the operator works, if known
	// OnLocation is called when another location is chosen; may be nil.
	OnLocation func(Location)
	// Local means that the service is a ledger on this machine.
	Local bool
	// Exports is the default folder for files; "" if this terminal cannot write files,
	// such as a remote one.
	Exports string
	// CheckFile checks files for an import; nil if this terminal imports none, such as a
	// remote one.
	CheckFile FileChecker
	// Settings stores the operator's settings for this organization and environment;
	// in memory if nil.
	Settings SettingsStore
	// LargeDifference has the limits of a large difference of a count where the
	// organization sets none; the default ones if nil.
	LargeDifference *LargeDifference
	// Labels prints the labels of this terminal; it prints none if nil.
	Labels *printing.Service
	// Translator translates the screens; English if nil.
	Translator *i18n.Translator
	// Now returns the service's time; time.Now if nil.
	Now func() time.Time
	// ClockOffset returns by how much the service's clock is ahead of this machine's;
	// nil if there is one clock.
	ClockOffset func() time.Duration
}

// A Site is the session that all screens of a terminal share: the connection to the
// service, the worker, and what the screens remember for each other. It is safe for
// concurrent use: each part has its own lock.
type Site struct {
	opts Options

	connection
	worker
	clock
	cache
	selection
	received
	unknownCodes
	passed passedDocuments
}

// NewSite returns a site with the given options.
func NewSite(opts Options) *Site {
	if opts.Settings == nil {
		opts.Settings = NewMemorySettings()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}

	s := &Site{
		opts:         opts,
		connection:   connection{service: opts.Service, support: newSupport(opts.Translator)},
		worker:       worker{operator: opts.Operator, location: opts.Location, onLocation: opts.OnLocation},
		clock:        clock{t: opts.Translator, now: opts.Now, offset: opts.ClockOffset},
		unknownCodes: unknownCodes{settings: opts.Settings, now: opts.Now},
	}

	s.service = proving{opts.Service, s}
	s.loadUnknownCodes()

	return s
}

// IsLocal reports whether the service is a ledger on this machine: there is nothing to
// sync.
func (s *Site) IsLocal() bool { return s.opts.Local }

// T returns the session's translator.
func (s *Site) T() *i18n.Translator {
	if s == nil {
		return nil
	}
	return s.opts.Translator
}

// Exports returns the folder for files, or "" if this terminal cannot write files.
func (s *Site) Exports() string { return s.opts.Exports }

// Settings returns the store of the operator's settings.
func (s *Site) Settings() SettingsStore { return s.opts.Settings }

// AddUnknownCode records a scan of an unknown code.
func (s *Site) AddUnknownCode(code, job string, at time.Time) {
	s.add(UnknownCode{Code: code, Job: job, Location: s.Location().Code, Last: at})
}
