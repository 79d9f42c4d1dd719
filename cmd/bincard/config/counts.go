package config

import (
	"fmt"

	"github.com/BurntSushi/toml"

	"bincard/server/api"
	"bincard/views/session"
)

// Counts says which differences of a count are large. A setting that is missing is the
// default one.
type Counts struct {
	LargePieces  *int64 `toml:"large_pieces,omitempty"`
	LargePercent *int64 `toml:"large_percent,omitempty"`
}

// LargeDifference returns the limits of a difference, those of the default where c has none.
func (c Counts) LargeDifference() *session.LargeDifference {
	out := session.DefaultLargeDifference()
	if c.LargePieces != nil {
		out.Pieces = *c.LargePieces
	}
	if c.LargePercent != nil {
		out.Percent = *c.LargePercent
	}
	return &out
}

// checkCounts returns the first mistake in the limits of counts. unknown are the keys of the
// file that this version does not know: a limit that is not understood must not be ignored.
func (c *Settings) checkCounts(text string, unknown []toml.Key) error {
	for _, key := range unknown {
		if key[0] == "counts" && len(key) > 1 {
			return fmt.Errorf("line %d: unknown setting %q of [counts]: use large_pieces or large_percent",
				lineOf(text, "counts", key[1]), key[1])
		}
	}

	for _, x := range []struct {
		key   string
		value *int64
		most  int64
	}{{"large_pieces", c.Counts.LargePieces, api.MaxCountLimitPieces}, {"large_percent", c.Counts.LargePercent, api.MaxCountLimitPercent}} {
		if x.value != nil && (*x.value < 0 || *x.value > x.most) {
			return fmt.Errorf("line %d: %s = %d is out of range: use a number from 0 to %d",
				lineOf(text, "counts", x.key), x.key, *x.value, x.most)
		}
	}

	return nil
}
