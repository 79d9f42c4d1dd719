package dock

import (
	"bincard/server/api"
)

// An Outcome is what became of a scan. Exactly one of its kinds is set: it was
// counted (Said), refused (Err), may be meant (Doubt), or the service must be
// asked what it is (Ask).
type Outcome struct {
	Said  *Said
	Err   error
	Other *api.Match // with Err: what the code is instead, where that is known
	Doubt string
	Yes   func() Outcome // what a second scan of the same code does
	Ask   []string       // codes to look up, most likely first; answer with Told
}

// Said is a line of what the scanner said: "box OAT-1L L42-A +12 48".
type Said struct {
	At     string `json:"at"` // time of day
	What   string `json:"what"`
	SKU    string `json:"sku,omitempty"`
	Lot    string `json:"lot,omitempty"`
	Change string `json:"change,omitempty"`
	Now    string `json:"now,omitempty"`
}

func refused(err error) Outcome { return Outcome{Err: err} }
