package tui_test

import (
	"testing"

	"bincard/tui"

	"github.com/stretchr/testify/require"
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
	k := tui.NewKeymap(map[string][]string{"arrive.close": {"f5"}, "dock.place": {"f6"}, "places.new": {"f3"}, "dock.all": {"f4"}, "dock.giveup": {"f9"}, "count.book": {"f10"}})
	require.Equal(t, tui.Keymap{"receive-transfer.close": {"f5"}, "panel.location": {"f6"}, "locations.new": {"f3"}, "panel.all": {"f4"}, "panel.discard": {"f9"}, "count.record": {"f10"}}, k)
}

func TestNewKeymap_RenamesWholeAction(t *testing.T) {
	t.Parallel()
	k := tui.NewKeymap(map[string][]string{"export.begin": {"f10"}, "count.begin": {"f9"}})
	require.Equal(t, tui.Keymap{"export.export": {"f10"}, "count.restart": {"f9"}}, k)
}

func TestNewKeymap_PresentNameWins(t *testing.T) {
	t.Parallel()
	for range 50 { // the order of a map differs
		k := tui.NewKeymap(map[string][]string{"dock.place": {"f6"}, "panel.location": {"f7"}})
		require.Equal(t, tui.Keymap{"panel.location": {"f7"}}, k)
	}
}
