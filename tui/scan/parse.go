package scan

import "time"

// Parse understands one code, read at now.
func Parse(raw string, now time.Time) Scan {
	return Scan{Raw: raw, Text: raw, Kind: KindPlain, At: now}
}
