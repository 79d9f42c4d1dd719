package clip_test

import (
	"testing"

	"bincard/tui/clip"

	"github.com/stretchr/testify/require"
)

func TestRemote_ReturnsOSC52(t *testing.T) {
	t.Parallel()
	sequence, err := clip.Remote("OAT-1L")
	require.NoError(t, err)
	require.Equal(t, "\x1b]52;c;T0FULTFM\a", sequence)
}
