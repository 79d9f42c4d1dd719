package session

import (
	"slices"
	"sync"

	"bincard/tui/label/printing"
)

// received are the labels of the last receipt.
type received struct {
	mu    sync.Mutex
	batch []printing.Copies
}

// Labels returns what prints the labels of this terminal, or nil if it prints none.
func (s *Site) Labels() *printing.Service { return s.opts.Labels }

// HasPrinter reports whether a label printer is set up for the operator's location.
func (s *Site) HasPrinter() bool {
	if s.opts.Labels == nil {
		return false
	}
	_, err := s.opts.Labels.Settings.Choose("", s.Location().Code, s.opts.Labels.Terminal)
	return err == nil
}

// Received returns the labels of the last receipt on this terminal.
func (r *received) Received() []printing.Copies {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.batch)
}

// SetReceived records the labels of a receipt, which can then be printed.
func (r *received) SetReceived(batch []printing.Copies) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batch = slices.Clone(batch)
}
