package tui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui"
)

func TestLimit_Allows(t *testing.T) {
	t.Parallel()
	both := tui.Limit{Pieces: 10, Percent: 10}
	for name, c := range map[string]struct {
		limit            tui.Limit
		change, recorded int64
		allowed          bool
	}{
		"nothing":                     {tui.Limit{}, 0, 0, false},
		"everything":                  {tui.Limit{Unlimited: true}, -1000, 1, true},
		"at the pieces":               {both, -10, 5, true},
		"above the pieces":            {both, -11, 5, false},
		"within the percentage":       {both, 100, 1000, true},
		"above the percentage":        {both, 101, 1000, false},
		"pieces only":                 {tui.Limit{Pieces: 3}, 4, 1000, false},
		"percentage only":             {tui.Limit{Percent: 50}, -1, 1, false},
		"percentage of what is there": {tui.Limit{Percent: 100}, -1, 1, true},
		"no change, with a limit":     {both, 0, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.allowed, c.limit.Allows(tui.Need{Change: c.change, Recorded: c.recorded}))
		})
	}
	require.False(t, both.Allows(tui.Need{Change: -5, Earlier: -6, Recorded: 30}), "split")
	require.True(t, both.Allows(tui.Need{Change: -40, Earlier: -60, Recorded: 940}), "as one change of 1000")
	require.True(t, both.Allows(tui.Need{Change: 60, Earlier: -60}), "taken back")
	p := tui.Permissions{tui.MayAdjust: both}
	require.True(t, p.Allow())
	require.True(t, p.Allow(tui.Need{Permission: tui.MayAdjust, Change: 3}))
	require.False(t, p.Allow(tui.Need{Permission: tui.MayAdjust, Change: 3}, tui.Need{Permission: tui.MayAdjust, Change: 30}), "each line")
	require.False(t, p.Allow(tui.Need{Permission: tui.MayCancel}))
}
