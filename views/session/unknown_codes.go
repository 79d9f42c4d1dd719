package session

import (
	"encoding/json"
	"slices"
	"time"

	"bincard/views/count"
)

// An UnknownCode is an unknown code that was scanned in this shift.
type UnknownCode struct {
	Code     string    `json:"code"`
	Times    int       `json:"times"`
	Job      string    `json:"job,omitempty"` // where it was scanned last: "Receive › PO-1"
	Location string    `json:"place,omitempty"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// maxUnknownCodes limits the list of unknown codes.
const maxUnknownCodes = 500

// AddUnknownCode records a scan of an unknown code.
func (s *Site) AddUnknownCode(code, job string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.unknownCodes, func(x UnknownCode) bool { return x.Code == code })
	x := UnknownCode{Code: code, First: at}
	if i >= 0 {
		x = s.unknownCodes[i]
		s.unknownCodes = slices.Delete(s.unknownCodes, i, i+1)
	}
	x.Times, x.Job, x.Location, x.Last = x.Times+1, job, s.location.Code, at
	s.unknownCodes = append([]UnknownCode{x}, s.unknownCodes...)
	s.unknownCodes = s.unknownCodes[:min(maxUnknownCodes, len(s.unknownCodes))]
	s.saveUnknownCodes()
}

// unknownCodeAge is how long an unknown code stays on the list.
const unknownCodeAge = 12 * time.Hour

// saveUnknownCodes saves the list for the next session, ignoring errors; s.mu must be
// held.
func (s *Site) saveUnknownCodes() {
	if raw, err := json.Marshal(s.unknownCodes); err == nil {
		_ = s.opts.Settings.Save("strays", raw)
	}
}

// loadUnknownCodes restores the saved list.
func (s *Site) loadUnknownCodes() {
	raw, err := s.opts.Settings.Load("strays")
	if err == nil {
		_ = json.Unmarshal(raw, &s.unknownCodes)
	}
}

// UnknownCodes returns the unknown codes of the shift, latest first.
func (s *Site) UnknownCodes() []UnknownCode {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now() // the service's time, which may not be known at the start
	s.unknownCodes = slices.DeleteFunc(s.unknownCodes, func(x UnknownCode) bool { return now.Sub(x.Last) > unknownCodeAge })
	return slices.Clone(s.unknownCodes)
}

// RemoveUnknownCode removes a code from the list.
func (s *Site) RemoveUnknownCode(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unknownCodes = slices.DeleteFunc(s.unknownCodes, func(x UnknownCode) bool { return x.Code == code })
	s.saveUnknownCodes()
}

// noteUnknown records an unknown scan. Typed codes, which have no time, are not
// recorded.
func (s *Site) noteUnknown(r count.Label) {
	if len(r.Codes) > 0 && !r.Scan.At.IsZero() {
		s.AddUnknownCode(r.Codes[0], "", r.Scan.At)
	}
}
