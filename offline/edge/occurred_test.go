package edge_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// The service learns when a client of the edge says that its work happened. The client's own
// id and number are not passed on: the service knows the edge by its own.
func TestEdge_PassesOnWhenWorkHappened(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	device, client := s.service("Scanner 1", nil), uuid.New()
	said := s.world.Clock.Now().Add(-2 * time.Hour)
	s.cut.Store(true)
	_, err := api.AdjustStock.Call(t.Context(), device, s.adjust(s.main, 3), api.Key("said"), api.OccurredAt(said), api.From(client, 7))
	require.NoError(t, err)
	unsaid := s.world.Clock.Now()
	_, err = api.AdjustStock.Call(t.Context(), device, s.adjust(s.main, 4), api.Key("unsaid"))
	require.NoError(t, err)
	for _, wrong := range []time.Duration{-367 * 24 * time.Hour, 6 * time.Minute} {
		_, err = api.AdjustStock.Call(t.Context(), device, s.adjust(s.main, 5), api.OccurredAt(s.world.Clock.Now().Add(wrong)))
		require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
	}
	s.world.Clock.Advance(time.Hour)
	s.cut.Store(false)
	s.eventually("the edge has synced", func() bool {
		s.world.Clock.Advance(time.Second)
		return s.node.Status().Waiting == 0
	})
	occurred, clients := map[string]time.Time{}, map[api.ID]bool{}
	for _, c := range ledgertest.Do(s.world, api.ListChanges, api.ListChangesInput{}).Items {
		if c.Client != nil {
			occurred[c.Key] = c.OccurredAt
			clients[c.Client.ID] = true
			require.Equal(t, "Scanner 1", c.Device)
		}
	}
	require.Equal(t, map[string]time.Time{"said": said, "unsaid": unsaid}, occurred)
	require.Len(t, clients, 1)
	require.NotContains(t, clients, client)
}
