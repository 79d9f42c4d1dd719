package tuitest

import (
	"testing"

	"bincard/tui"

	"github.com/stretchr/testify/require"
)

// DraftRoutes returns the routes of all drafts.
func DraftRoutes(t testing.TB, drafts tui.Drafts) (routes []string) {
	t.Helper()
	list, err := drafts.List()
	require.NoError(t, err)
	for _, d := range list {
		routes = append(routes, d.Route)
	}
	return routes
}
