package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/host"
	"bincard/server/api"
)

func TestVerifyStored(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "No answer."), true
	})
	a := attach(t, up)
	for range 3 {
		s.adjust(t, a.Node, 2)
	}
	_, err := host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.ErrorContains(t, err, "Stop it to verify")
	require.NoError(t, a.Node.Close())
	proof, err := host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.Equal(t, []int{3, 3, 1}, []int{proof.Operations, proof.Open, proof.Balances})
	require.Equal(t, up.URL, proof.Service)

	name := filepath.Join(up.Dir, "work.journal")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(name, data, 0o600))
	proof, err = host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Len(t, proof.Faults, 1)
	require.Contains(t, proof.Faults[0], "damaged")
}
