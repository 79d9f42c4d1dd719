package count

import (
	"bincard/server/api"
)

// A ScanResult is the result of a scan. It was counted (Entry), rejected (Err), needs
// a confirmation (Question), or must be looked up (Lookup).
type ScanResult struct {
	Entry    *FeedEntry
	Err      error
	Other    *api.Match // what the code is if it names no line, if known
	Question string
	Confirm  func() ScanResult // called if the operator confirms the question, or chooses to go on despite Err
	Lookup   []string          // codes to look up, most likely first; continue with ResolveScan
}

func rejected(err error) ScanResult { return ScanResult{Err: err} }
