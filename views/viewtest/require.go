package viewtest

import (
	"slices"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/tuitest"

	"github.com/stretchr/testify/require"
)

// RequireCount requires that n pieces are counted and not booked.
func RequireCount(t testing.TB, d *tuitest.Driver, n int64) {
	t.Helper()
	require.Regexp(t, `This count +`+(*i18n.Translator)(nil).Count(n)+` `, d.View())
}

// RequireErrors requires an error that contains the texts, with at least two bells,
// and acknowledges it.
func RequireErrors(t testing.TB, d *tuitest.Driver, texts ...string) {
	t.Helper()
	for _, text := range texts {
		require.Contains(t, d.Model.Fault(), text)
	}
	require.GreaterOrEqual(t, d.Advance(time.Second).Bells(), 2)
	d.Key("enter")
	require.Empty(t, d.Model.Fault())
}

// RequireOneKey requires that an operation was sent n times, each with the same key.
func RequireOneKey(t testing.TB, p *FaultProxy, op *api.Spec, n int) {
	t.Helper()
	keys := p.Keys(op)
	require.Len(t, keys, n)
	require.Len(t, slices.Compact(keys), 1, "it was sent with other keys")
}
