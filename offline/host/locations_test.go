package host_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/host"
	"bincard/server/api"
)

func TestAttach_LocationsAreKept(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	shop := s.world.Location("SHOP-1")
	s.world.Stock(s.mug, shop.ID, 7)
	onHand := func(codes ...string) int64 {
		t.Helper()
		up.Locations = codes
		a := attach(t, up)
		defer func() { require.NoError(t, a.Node.Close()) }()
		sum := int64(-1)
		require.Eventually(t, func() bool {
			list, err := api.ListBalances.Call(t.Context(), a.Node, api.ListBalancesInput{})
			if err != nil {
				return false
			}
			sum = 0
			for _, b := range list.Items {
				sum += b.OnHand
			}
			want := syncState(t, a.Node).Locations
			switch {
			case len(want) == 1 && want[0] == "SHOP-1":
				return sum == 7
			case len(want) == 0:
				return sum == 37
			}
			return sum == 30
		}, 30*time.Second, 5*time.Millisecond)
		return sum
	}
	require.EqualValues(t, 37, onHand())
	require.EqualValues(t, 7, onHand("SHOP-1"))
	require.EqualValues(t, 7, onHand(), "as at the last start")
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		if req.Spec == api.ListLocations.Spec {
			return nil, api.Fail(api.Unavailable, nil, "No answer."), true
		}
		return nil, nil, false
	})
	require.EqualValues(t, 7, onHand("SHOP-1", "SHOP-1"), "a known location needs no answer")
	up.Locations = []string{"WH-1"}
	_, err := host.Attach(t.Context(), up)
	require.ErrorContains(t, err, "cannot look up the location WH-1")
	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	up.Locations = []string{"WH-9"}
	_, err = host.Attach(t.Context(), up)
	require.EqualError(t, err, "the service has no location WH-9: check the code")
	require.EqualValues(t, 7, onHand(), "a failed start changes nothing")
	require.EqualValues(t, 37, onHand(host.AllLocations))
	require.EqualValues(t, 37, onHand())
}

func TestAttach_LocationsOfAnotherProgram(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.world.Location("SHOP-1")
	up.Locations = []string{"SHOP-1"}
	first := attach(t, up)
	require.Empty(t, first.Notes)
	require.Empty(t, attach(t, up).Notes)
	up.Locations = []string{"WH-1"}
	require.Equal(t, []string{"Another program on this machine works offline with the data of SHOP-1. Close it to change the locations."}, attach(t, up).Notes)
}
