package dock

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Stray is a code that was scanned in this shift and that nobody knows.
type Stray struct {
	Code  string    `json:"code"`
	Times int       `json:"times"`
	Job   string    `json:"job,omitempty"` // where it was scanned last: "Receive › PO-1"
	Place string    `json:"place,omitempty"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// mostStrays bounds what is remembered of a shift.
const mostStrays = 500

// Stray remembers a code that nobody knows.
func (s *Site) Stray(code, job string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.strays, func(x Stray) bool { return x.Code == code })
	x := Stray{Code: code, First: at}
	if i >= 0 {
		x = s.strays[i]
		s.strays = slices.Delete(s.strays, i, i+1)
	}
	x.Times, x.Job, x.Place, x.Last = x.Times+1, job, s.place.Code, at
	s.strays = append([]Stray{x}, s.strays...)
	s.strays = s.strays[:min(mostStrays, len(s.strays))]
	s.kept()
}

// shift is how long a code that nobody knows is remembered.
const shift = 12 * time.Hour

// kept keeps the list for the next session; s is locked. What cannot be kept is
// lost with the session.
func (s *Site) kept() {
	if raw, err := json.Marshal(s.strays); err == nil {
		_ = s.opts.Shelf.Save("strays", raw)
	}
}

// recall brings back the codes of the shift that nobody knew.
func (s *Site) recall() {
	raw, err := s.opts.Shelf.Load("strays")
	if err == nil {
		_ = json.Unmarshal(raw, &s.strays)
	}
}

// Strays are the codes of the shift that nobody knows, the last first.
func (s *Site) Strays() []Stray {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now() // of the service, which may be known only after the start
	s.strays = slices.DeleteFunc(s.strays, func(x Stray) bool { return now.Sub(x.Last) > shift })
	return slices.Clone(s.strays)
}

// Forget drops a code from the list of those that nobody knows.
func (s *Site) Forget(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strays = slices.DeleteFunc(s.strays, func(x Stray) bool { return x.Code == code })
	s.kept()
}

// An UnknownCodeError tells that a code is sound, but means nothing here.
type UnknownCodeError struct {
	Code string
	text string
}

func (e *UnknownCodeError) Error() string { return e.text }

// stray remembers a scan that nobody knows; what was typed is none.
func (s *Site) stray(r Reading) {
	if len(r.Codes) > 0 && !r.Scan.At.IsZero() {
		s.Stray(r.Codes[0], "", r.Scan.At)
	}
}

// unknowns remembers a code that nobody knows, and offers the list of them.
func (b *Bench) unknowns(err error) []tui.Action {
	var unknown *UnknownCodeError
	if !errors.As(err, &unknown) {
		return nil
	}
	b.Site.Stray(unknown.Code, widget.Clean(b.Name), b.Env.Now())
	return []tui.Action{StrayAction()}
}

// StrayAction opens the list of the codes that nobody knows.
func StrayAction() tui.Action {
	return tui.Action{ID: "dock.unknown", Keys: []string{"f11"}, Label: labelUnknown, Short: shortUnknown, Help: helpUnknown,
		Run: func() tea.Cmd { return tui.Open("unknown") }}
}
