package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/session"
)

// An alarmService is an edge with alarms.
type alarmService struct{ alarms []api.SyncAlarm }

func (s *alarmService) Do(context.Context, *api.Request) (*api.Response, error) {
	return &api.Response{Output: &api.Sync{State: api.SyncOnline, Alarms: s.alarms}}, nil
}

// A terminal whose own clock is right warns of the clock of its edge until that is set.
func TestClockWords_OfTheEdge(t *testing.T) {
	t.Parallel()
	edge, offset := &alarmService{alarms: []api.SyncAlarm{api.AlarmClock}}, time.Duration(0)
	site := session.NewSite(session.Options{Service: edge, ClockOffset: func() time.Duration { return offset }})
	requireWords := func(long, short string) {
		t.Helper()
		_, err := site.FetchSyncStatus(t.Context())
		require.NoError(t, err)
		require.Equal(t, long, site.ClockWords(false))
		require.Equal(t, short, site.ClockWords(true))
	}

	requireWords("The edge's clock differs from the service's.", "The edge's clock is wrong.")
	offset = -3 * time.Hour
	requireWords("This machine's clock is 3 h fast. Times shown are the service's.", "Clock 3 h fast. Service time shown.")

	edge.alarms, offset = nil, 0
	requireWords("", "")
}
