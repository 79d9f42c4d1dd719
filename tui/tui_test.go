package tui_test

import (
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui"
)

func TestCurrentRoute(t *testing.T) {
	t.Parallel()
	for old, current := range map[string]string{
		"arrive":                           "receive-transfer",
		"arrive/TR-1":                      "receive-transfer/TR-1",
		"places/new?code=WH-3":             "locations/new?code=WH-3",
		"low?place=all":                    "low?location=all",
		"movements?sku=place&place=arrive": "movements?sku=place&location=arrive",
	} {
		require.Equal(t, current, tui.CurrentRoute(old))
		require.Equal(t, old, tui.OldRoute(current))
	}
	for _, same := range []string{"", "home", "receive/arrive", "explain/place@WH-1", "stock?x"} {
		require.Equal(t, same, tui.CurrentRoute(same))
	}
}

func TestRegistry_FindsOldRoutes(t *testing.T) {
	t.Parallel()
	r := tui.NewRegistry().Add("receive-transfer/{id}", "", nil).Add("low", "", nil)
	_, route, err := r.Find("arrive/TR-1")
	require.NoError(t, err)
	require.Equal(t, "receive-transfer/TR-1", route.Path)
	_, route, err = r.Find("low?place=all")
	require.NoError(t, err)
	require.Equal(t, "all", route.Query.Get("location"))
}

func TestNewKeymap_RenamesActions(t *testing.T) {
	t.Parallel()
	k := tui.NewKeymap(map[string][]string{"arrive.close": {"f5"}, "dock.place": {"f6"}, "places.new": {"f3"}, "dock.all": {"f4"}, "dock.giveup": {"f9"}, "count.book": {"f10"}, "export.begin": {"f10"}, "count.begin": {"f9"}, "dock.again": {"f8"}})
	require.Equal(t, tui.Keymap{"receive-transfer.close": {"f5"}, "panel.location": {"f6"}, "locations.new": {"f3"}, "panel.all": {"f4"}, "panel.discard": {"f9"}, "count.record": {"f10"}, "export.export": {"f10"}, "count.restart": {"f9"}, "panel.retry": {"f8"}}, k)
}

func TestNewKeymap_KeepsWordsThatActionsHave(t *testing.T) {
	t.Parallel()
	own := map[string][]string{"panel.again": {"f5"}, "panel.retry": {"f6"}, "sync.again": {"f7"}, "sync.insist": {"f8"}}
	require.Equal(t, tui.Keymap(own), tui.NewKeymap(own))
}

func TestNewKeymap_PresentNameWins(t *testing.T) {
	t.Parallel()
	for range 50 { // the order of a map differs
		k := tui.NewKeymap(map[string][]string{"dock.place": {"f6"}, "panel.location": {"f7"}})
		require.Equal(t, tui.Keymap{"panel.location": {"f7"}}, k)
	}
}

func TestRegistry_Find(t *testing.T) {
	t.Parallel()
	r := tui.NewRegistry()
	for _, p := range []string{"home", "explain/{balance}", "receive/new", "receive/{id}"} {
		r.Add(p, p, nil)
	}
	require.Equal(t, "home", r.Home())
	e, route, err := r.Find(tui.Path("explain", "A/B?C@WH 1") + "?days=7")
	require.NoError(t, err)
	require.Equal(t, "explain/{balance}", e.Pattern)
	require.Equal(t, "A/B?C@WH 1", route.Param("balance"))
	require.Equal(t, "7", route.Query.Get("days"))
	e, _, err = r.Find("receive/new")
	require.NoError(t, err)
	require.Equal(t, "receive/new", e.Pattern)
	for _, bad := range []string{"receive", "receive/", "receive/a/b", "no", "explain/%zz", "home?%zz"} {
		_, _, err = r.Find(bad)
		require.ErrorContains(t, err, bad)
	}
}

func TestEnv_LatestReplacesOlderWork(t *testing.T) {
	t.Parallel()
	env, cancel := tui.Env{}.Bind(context.Background(), 7, time.Second)
	work := func(name string) tui.WorkMsg {
		return env.Latest(name, func(context.Context) tea.Msg { return nil })().(tui.WorkMsg)
	}
	first, other, second := work("list"), work("total"), work("list")
	require.Equal(t, 7, first.Screen)
	require.True(t, first.Stale())
	require.Error(t, first.Context.Err())
	require.False(t, other.Stale())
	require.False(t, second.Stale())
	require.NoError(t, second.Context.Err())
	cancel()
	require.Error(t, second.Context.Err(), "its screen is closed")
}

func TestEnv_ContextEndsWithTheScreen(t *testing.T) {
	t.Parallel()
	require.NoError(t, tui.Env{}.Context().Err(), "an Env without a screen")
	env, cancel := tui.Env{}.Bind(context.Background(), 1, time.Second)
	passedOn := env
	cancel()
	require.Error(t, passedOn.Context().Err())
}

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

func TestClassOf(t *testing.T) {
	t.Parallel()
	for s, want := range map[[2]int]tui.Class{
		{20, 16}: tui.Narrow, {40, 8}: tui.Short, {80, 24}: tui.Standard, {120, 40}: tui.Wide, {200, 60}: tui.Wall,
		{0, 0}: tui.Narrow, {1, 1}: tui.Narrow, {300, 5}: tui.Short, {60, 24}: tui.Narrow, {200, 24}: tui.Standard, {150, 60}: tui.Wide,
	} {
		require.Equal(t, want, tui.ClassOf(s[0], s[1]), s)
	}
}
