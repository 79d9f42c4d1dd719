package tui_test

import (
	"testing"

	"bincard/tui"

	"github.com/stretchr/testify/require"
)

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
