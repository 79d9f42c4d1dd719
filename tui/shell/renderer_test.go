package shell_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// recorder records the output to a terminal.
type recorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *recorder) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// since returns what was written after the first n bytes.
func (w *recorder) since(n int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()[n:]
}

func (w *recorder) shows(t *testing.T, text string, from int) int {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(ansi.Strip(w.since(from)), text) },
		30*time.Second, time.Millisecond, "%q was not painted", text)
	return len(w.since(0))
}

// start starts a program on a long list and moves to its second row. Later frames
// have the size that the program received after its start.
func (w *recorder) start(t *testing.T) (p *tuitest.Program, painted int) {
	t.Helper()
	p = tuitest.Start(t, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", longList), Output: w})
	p.Input("\x1b[B")
	return p, w.shows(t, "▸ OAT-1 ", 0)
}

func TestRenderer_PaintsChangedLines(t *testing.T) {
	t.Parallel()
	w := &recorder{}
	p, n := w.start(t)
	p.Input("\x1b[B")
	w.shows(t, "▸ OAT-2 ", n)
	require.NotContains(t, ansi.Strip(w.since(n)), "OAT-5 ")
	require.NotContains(t, ansi.Strip(w.since(n)), "quit", "the footer did not change")
}

func TestRenderer_RepaintsAfterResize(t *testing.T) {
	t.Parallel()
	w := &recorder{}
	p, n := w.start(t)
	p.Size(80, 24) // the same size, but possibly another terminal
	w.shows(t, "OAT-5 ", n)
}

// TestRenderer_StopsWithTheAlternateScreen ends sessions while their frames keep changing.
func TestRenderer_StopsWithTheAlternateScreen(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := &recorder{}
		in, keys := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- shell.Run(ctx, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", longList),
				Input: in, Output: w, NoSignals: true, FPS: 1000})
		}()
		n := w.shows(t, "▸ OAT-0 ", 0)
		go func() {
			for {
				if _, err := io.WriteString(keys, "\x1b[B"); err != nil {
					return
				}
			}
		}()
		w.shows(t, "▸ OAT-", n)
		cancel()
		require.NoError(t, <-ended)
		keys.Close()
		_, after, left := strings.Cut(w.since(0), "\x1b[?1049l")
		require.True(t, left)
		require.Empty(t, strings.TrimSpace(ansi.Strip(after)))
	}
}
