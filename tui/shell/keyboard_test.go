package shell_test

import (
	"io"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"bincard/tui/shell"
)

func TestKeyboard_NextSessionGetsUnhandledKeys(t *testing.T) {
	t.Parallel()
	terminal, line, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { terminal.Close(); line.Close() })
	k := shell.NewKeyboard(line)
	k.Stop() // no session
	require.NoError(t, k.Close())
	first, err := k.Begin()
	require.NoError(t, err)
	press := func(keys string) {
		_, err := terminal.WriteString(keys)
		require.NoError(t, err)
	}
	read := func(from io.Reader) string {
		buf := make([]byte, 2)
		n, err := from.Read(buf)
		require.NoError(t, err)
		return string(buf[:n])
	}
	press("a")
	require.Equal(t, "a", read(first))
	press("\r\x11bcd")
	require.Equal(t, "\r\x11", read(first), "raw")
	stopped := make(chan struct{})
	go func() { k.Stop(); close(stopped) }()
	for err == nil { // what was read before Stop
		var n int
		if n, err = first.Read(make([]byte, 0)); err == nil {
			require.Zero(t, n)
		}
	}
	require.ErrorIs(t, err, io.EOF)
	<-stopped
	second, err := k.Begin()
	require.NoError(t, err)
	require.Equal(t, "bc", read(second))
	require.Equal(t, "d", read(second))
	require.NoError(t, k.Close())
}
