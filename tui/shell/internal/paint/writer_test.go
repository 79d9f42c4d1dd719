package paint_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"bincard/tui/shell/internal/paint"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
)

func TestWriter_DiscardsFramesAfterAltScreen(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(io.Writer, string) (int, error){
		"as text":  io.WriteString,
		"as bytes": func(w io.Writer, s string) (int, error) { return w.Write([]byte(s)) },
	} {
		t.Run(name+" on a file", func(t *testing.T) {
			t.Parallel()
			file, err := os.Create(t.TempDir() + "/out")
			require.NoError(t, err)
			defer file.Close()
			require.Equal(t, "frame "+ansi.ResetModeAltScreenSaveCursor+"bye", writtenAround(t, paint.NewWriter(file), write, func() string {
				text, err := os.ReadFile(file.Name())
				require.NoError(t, err)
				return string(text)
			}))
		})
		t.Run(name+" on a line", func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			require.Equal(t, "frame "+ansi.ResetModeAltScreenSaveCursor+"bye", writtenAround(t, paint.NewWriter(&out), write, out.String))
		})
	}
}

// writtenAround leaves the alternate screen with a frame before and one after, and returns
// everything that was written.
func writtenAround(t *testing.T, s *paint.Writer, write func(io.Writer, string) (int, error), all func() string) string {
	t.Helper()
	s.Frame([]byte("frame "))
	_, err := write(s.Output(), ansi.ResetModeAltScreenSaveCursor)
	require.NoError(t, err)
	s.Frame([]byte("late frame"))
	_, err = write(s.Output(), "bye")
	require.NoError(t, err)
	return all()
}

func TestWriter_Size(t *testing.T) {
	t.Parallel()
	screen, line, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { screen.Close(); line.Close() })
	require.NoError(t, pty.Setsize(screen, &pty.Winsize{Rows: 16, Cols: 20}))
	s := paint.NewWriter(line)
	width, height, ok := s.Size()
	require.True(t, ok)
	require.Equal(t, [2]int{20, 16}, [2]int{width, height})
	file, ok := s.Output().(interface {
		io.ReadWriteCloser
		Fd() uintptr
	})
	require.True(t, ok, "Bubble Tea could not query its size")
	require.True(t, term.IsTerminal(int(file.Fd())))

	_, _, ok = paint.NewWriter(&bytes.Buffer{}).Size()
	require.False(t, ok)
}
