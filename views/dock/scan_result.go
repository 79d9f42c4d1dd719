package dock

import (
	"bincard/server/api"
)

// A ScanResult is the result of a scan. It was counted (Entry), rejected (Err), needs
// a confirmation (Question), or must be looked up (Lookup).
type ScanResult struct {
	Entry    *FeedEntry
	Err      error
	Other    *api.Match // with Err: what the code is, if known
	Question string
	Confirm  func() ScanResult // called if the operator confirms the question
	Lookup   []string          // codes to look up, most likely first; continue with ResolveScan
}

// feedKind selects the text format of a feed entry.
type feedKind string

const (
	typedCount feedKind = "typed"
	serialScan feedKind = "serial"
	lotScan    feedKind = "lot"
)

// A FeedEntry is a line of the feed: "box OAT-1L L42-A +12 48".
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
