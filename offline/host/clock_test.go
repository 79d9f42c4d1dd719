package host_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A serviceClock is the clock of a service on a machine whose own clock is a day off.
type serviceClock struct{ time.Time }

func (c serviceClock) Now() time.Time           { return c.Time }
func (serviceClock) ClockOffset() time.Duration { return 24 * time.Hour }

// What is saved without the service has the time of the service's clock.
func TestAttach_SavesTheServicesTime(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, nil, "No answer."), true
	})
	at := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	up.Clock = serviceClock{at}
	a := attach(t, up)
	s.adjust(t, a.Node, 5)
	require.Equal(t, at, syncState(t, a.Node).Oldest.UTC())
	require.NoError(t, a.Node.Close())
}
