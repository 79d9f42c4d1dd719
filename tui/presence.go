package tui

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// OpenWork is work that somebody has open at a terminal, or has counted there and not sent.
type OpenWork struct {
	Route  string
	Person string
	Pieces int64     // counted and not sent, at another terminal
	Since  time.Time // when it was opened; zero if it is not open

	Counted bool // something is counted, at this terminal
}

// On reports whether the work is on the document of a route: on one of several, perhaps, or by
// the screen of another job.
func (w OpenWork) On(route string) bool {
	document := route[strings.LastIndexByte(route, '/')+1:]
	return w.Route == route || len(document) == idLength && strings.Contains(w.Route, document)
}

// idLength is the length of an ID in a route.
const idLength = 36

// A Presence is what is open at this terminal and at others. Its methods may be called from
// any goroutine; a nil Presence has nothing.
type Presence struct {
	mu      sync.Mutex
	own     []OpenWork
	others  []OpenWork
	changed chan struct{}
}

// NewPresence returns a Presence with nothing open.
func NewPresence() *Presence { return &Presence{changed: make(chan struct{}, 1)} }

// Changed receives a value after SetOwn has changed something.
func (p *Presence) Changed() <-chan struct{} { return p.changed }

// SetOwn sets what is open at this terminal.
func (p *Presence) SetOwn(list []OpenWork) {
	if p == nil {
		return
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Equal(p.own, list) {
		return
	}

	p.own = list
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Own returns what is open at this terminal.
func (p *Presence) Own() []OpenWork {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.own)
}

// SetOthers sets what is open at other terminals, and reports whether that is new.
func (p *Presence) SetOthers(list []OpenWork) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	same := slices.Equal(p.others, list)
	p.others = list
	return !same
}

// Others returns what is open at other terminals.
func (p *Presence) Others() []OpenWork {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.others)
}

// PresenceMsg tells all screens that what is open at other terminals has changed.
type PresenceMsg struct{}
