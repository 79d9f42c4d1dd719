package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/host"
	"bincard/server/api"
)

// TestSetUpstream_ComparesTheLastChange moves a node to a service of the same epoch that
// does not know its last change, as a copy of an older disk.
func TestSetUpstream_ComparesTheLastChange(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	up.URL = "https://moved.example"
	var asked api.ListChangesInput
	diverged := true
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		in, ok := req.Input.(*api.ListChangesInput)
		if !ok || !diverged {
			return nil, nil, false
		}
		asked = *in
		return nil, api.Fail(api.ChangesGone, api.Details{"reason": string(api.GoneDiverged)}, "Other changes."), true
	})
	before, err := host.SetUpstream(t.Context(), up, false)
	require.ErrorContains(t, err, "another history")
	require.ErrorContains(t, err, "--other-history")
	require.NotEmpty(t, asked.Hash)
	require.Positive(t, *asked.After)

	again, err := host.SetUpstream(t.Context(), up, true)
	require.NoError(t, err)
	require.Equal(t, before, again, "the failed attempt changed nothing")
	diverged, up.URL = false, "https://back.example"
	_, err = host.SetUpstream(t.Context(), up, false)
	require.NoError(t, err, "the service has the history")
}
