package session

import (
	"encoding/json"
	"slices"
	"sync"
	"time"
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

// unknownCodeAge is how long an unknown code stays on the list.
const unknownCodeAge = 12 * time.Hour

// unknownCodes are the unknown codes of the shift, saved for the next session.
type unknownCodes struct {
	settings SettingsStore
	now      func() time.Time // the service's time, which may not be known at the start

	mu    sync.Mutex
	codes []UnknownCode
}

// loadUnknownCodes restores the saved list.
func (u *unknownCodes) loadUnknownCodes() {
	raw, err := u.settings.Load("strays")
	if err == nil {
		_ = json.Unmarshal(raw, &u.codes)
	}
}

// save saves the list, ignoring errors; mu must be held.
func (u *unknownCodes) save() {
	if raw, err := json.Marshal(u.codes); err == nil {
		_ = u.settings.Save("strays", raw)
	}
}

// add adds a scan of an unknown code.
func (u *unknownCodes) add(x UnknownCode) {
	u.mu.Lock()
	defer u.mu.Unlock()
	x.First, x.Times = x.Last, 1
	i := slices.IndexFunc(u.codes, func(y UnknownCode) bool { return y.Code == x.Code })
	if i >= 0 {
		x.First, x.Times = u.codes[i].First, u.codes[i].Times+1
		u.codes = slices.Delete(u.codes, i, i+1)
	}

	u.codes = append([]UnknownCode{x}, u.codes...)
	u.codes = u.codes[:min(maxUnknownCodes, len(u.codes))]
	u.save()
}

// UnknownCodes returns the unknown codes of the shift, latest first.
func (u *unknownCodes) UnknownCodes() []UnknownCode {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	u.codes = slices.DeleteFunc(u.codes, func(x UnknownCode) bool { return now.Sub(x.Last) > unknownCodeAge })
	return slices.Clone(u.codes)
}

// RemoveUnknownCode removes a code from the list.
func (u *unknownCodes) RemoveUnknownCode(code string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.codes = slices.DeleteFunc(u.codes, func(x UnknownCode) bool { return x.Code == code })
	u.save()
}
