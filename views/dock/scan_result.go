package dock

import (
	"bincard/server/api"
)

// A ScanResult is what became of a scan. Exactly one of its kinds is set: it was
// counted (Said), refused (Err), may be meant (Doubt), or the service must be
// asked what it is (Ask).
type ScanResult struct {
	Entry    *FeedEntry
	Err      error
	Other    *api.Match // with Err: what the code is instead, where that is known
	Question string
	Confirm  func() ScanResult // what a second scan of the same code does
	Lookup   []string          // codes to look up, most likely first; answer with Told
}

// feedKind is what an entry of the feed is about, where its text has another form.
type feedKind string

const (
	typedCount feedKind = "typed"
	serialScan feedKind = "serial"
	lotScan    feedKind = "lot"
)

// FeedEntry is a line of what the scanner said: "box OAT-1L L42-A +12 48".
type FeedEntry struct {
	At     string   `json:"at"` // time of day
	Kind   feedKind `json:"kind,omitempty"`
	Source string   `json:"what"` // in the language of the session
	SKU    string   `json:"sku,omitempty"`
	Lot    string   `json:"lot,omitempty"`
	Change string   `json:"change,omitempty"`
	Total  string   `json:"now,omitempty"`
}

func rejected(err error) ScanResult { return ScanResult{Err: err} }
