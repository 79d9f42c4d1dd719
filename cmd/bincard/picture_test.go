package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

// scanScreen shows the last scan and its time.
type scanScreen struct {
	env  tui.Env
	last string
}

func (p *scanScreen) Init(env tui.Env) tea.Cmd             { p.env = env; return nil }
func (p *scanScreen) Update(tea.Msg) (tui.Screen, tea.Cmd) { return p, nil }
func (p *scanScreen) Title() string                        { return "Page" }
func (p *scanScreen) Actions() []tui.Action                { return nil }
func (p *scanScreen) View(tui.Size) string {
	return p.env.Theme.Accent.Render(p.last) + "  " + p.env.Theme.Selected.Render("a < b & c")
}

func (p *scanScreen) OnScan(s scan.Scan) tea.Cmd {
	p.last = s.Text + " at " + p.env.Now().Format(time.TimeOnly)
	return tui.Accepted()
}

func draw(t *testing.T) string {
	t.Helper()
	reg := tui.NewRegistry().Add("page", "Page", func(tui.Env) (tui.Screen, error) { return &scanScreen{}, nil })
	s := newPictureSession(shell.Options{Registry: reg, Theme: widget.FixedTheme("dark", termenv.ANSI256)}, time.Date(2026, 11, 20, 13, 52, 0, 0, time.UTC))
	return s.Size(80, 24).Scan("AAAA-1").Picture("A <page>")
}

func TestSession_Picture(t *testing.T) {
	t.Parallel()
	svg := draw(t)
	require.Equal(t, svg, draw(t), "the same input gives the same picture")
	for _, part := range []string{`width="700" height="460"`, "<title>A &lt;page&gt;</title>", `fill="#5fd7d7"`, ">AAAA-1 at 13:52:01<",
		`<rect x="`, `fill="#005f87"`, ">a &lt; b &amp; c<"} {
		require.Contains(t, svg, part)
	}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}

func TestSVG_ColorSequences(t *testing.T) {
	t.Parallel()
	svg := drawSVG("\x1b[1;38;2;1;2;3mbold\x1b[22mthin\x1b[0m \x1b[7mturned\x1b[27m \x1b[91mred\x1b[39m \x1b[48;5;232mdark\x1b[m plain", 40, 1, "")
	for _, part := range []string{`fill="#010203" font-weight="bold">bold<`, `fill="#010203">thin<`, `fill="#16181d">turned<`,
		`fill="#ff0000">red<`, `fill="#080808"/>`, ">plain<"} {
		require.Contains(t, svg, part)
	}
}

// TestPictures_AreCurrent compares the pictures in the README with the screens.
func TestPictures_AreCurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, pictures(t.Context(), dir, io.Discard))
	for _, shot := range screenshots {
		now, err := os.ReadFile(filepath.Join(dir, shot.name+".svg"))
		require.NoError(t, err)
		kept, err := os.ReadFile(filepath.Join("..", "..", ".pictures", shot.name+".svg"))
		require.NoError(t, err)
		require.Equal(t, string(now), string(kept), "%s changed: run make pictures", shot.name)
	}
	kept, err := os.ReadDir(filepath.Join("..", "..", ".pictures"))
	require.NoError(t, err)
	require.Len(t, kept, len(screenshots))
}
