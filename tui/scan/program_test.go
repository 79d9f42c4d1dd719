package scan_test

import (
	"bytes"
	"io"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// listener is a program that only collects.
type listener struct {
	play   func(tea.KeyMsg) []string
	events []string
}

func (l *listener) Init() tea.Cmd { return nil }

func (l *listener) View() string { return "" }

func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		l.events = append(l.events, l.play(k)...)
		if k.Type == tea.KeyF10 {
			return l, tea.Quit
		}
	}
	return l, nil
}

// TestCollector_BytesOfAProgram sends bytes through Bubble Tea's reader, which decides what becomes
// one message. The clock does not move, so all keys come at the same time.
func TestCollector_BytesOfAProgram(t *testing.T) {
	t.Parallel()
	const f10 = "\x1b[21~"
	for name, c := range map[string]struct {
		bytes string
		want  []string
	}{
		"separator":     {"]C10109506000134352" + "10AB C\x1d3012\r", []string{"[0109506000134352" + "10AB C\x1d3012]", "f10"}},
		"framed":        {"\x02q/LOC-1\x03\r\n", []string{"[q/LOC-1]", "f10"}},
		"CR LF":         {"LOC-1\r\nLOC-2\r\n", []string{"[LOC-1]", "[LOC-2]", "f10"}},
		"paste":         {"\x1b[200~10A\x1d3012\r\x1b[201~", []string{"[10A\x1d3012]", "f10"}},
		"whole arrow":   {"\x1b[A", []string{"up", "f10"}},
		"scan and move": {"LOC-1\x1b[B", []string{"[LOC-1]", "down", "f10"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			collector, _ := newCollector()
			l := &listener{play: func(k tea.KeyMsg) []string { return names(collector.Key(k).Events) }}
			in := bytes.NewBufferString(c.bytes + f10)
			_, err := tea.NewProgram(l, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutSignals()).Run()
			require.NoError(t, err)
			require.Equal(t, c.want, l.events)
		})
	}
}
