package shell_test

import (
	"testing"

	"bincard/tui/shell"

	"github.com/stretchr/testify/require"
)

func TestRemote_ReturnsOSC52(t *testing.T) {
	t.Parallel()
	sequence, err := shell.RemoteCopySequence("OAT-1L")
	require.NoError(t, err)
	require.Equal(t, "\x1b]52;c;T0FULTFM\a", sequence)
}
