package shell_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// formScreen is a screen with a form that scans fill.
type formScreen struct {
	form  *widget.Form
	scans []string
	saved int
}

func (s *formScreen) Init(tui.Env) tea.Cmd         { return nil }
func (s *formScreen) Title() string                { return "Form" }
func (s *formScreen) Actions() []tui.Action        { return nil }
func (s *formScreen) View(tui.Size) string         { return s.form.Summary() }
func (s *formScreen) AcceptsKey(k tea.KeyMsg) bool { return s.form.AcceptsKey(k) }
func (s *formScreen) OnScan(got scan.Scan) tea.Cmd {
	s.scans = append(s.scans, got.Text)
	s.form.Scan(s.form.Focused(), got.Text)
	return nil
}

func (s *formScreen) Update(m tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := m.(tea.KeyMsg); ok && s.form.Key(k) {
		s.saved++
	}
	return s, nil
}

func newFormScreen(t *testing.T, fields ...widget.Field) (*tuitest.Driver, *formScreen) {
	t.Helper()
	s := &formScreen{form: widget.NewForm(nil, fields...)}
	return tuitest.Screen(t, func(tui.Env) (tui.Screen, error) { return s, nil }), s
}

// burst sends text in one piece, as over a slow connection.
func burst(d *tuitest.Driver, text string) {
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
	d.Advance(300 * time.Millisecond)
}

func TestBurst_AppendsToTheTextOfAForm(t *testing.T) {
	t.Parallel()
	d, s := newFormScreen(t, widget.Field{Name: "url"}, widget.Field{Name: "count", Kind: widget.NumberField})
	burst(d, "http://127.")
	burst(d, "0.1:8099")
	require.Equal(t, "http://127.0.1:8099", s.form.Value("url"))
	d.Scan("/api") // with the enter that ends the text
	require.Equal(t, "http://127.0.1:8099/api", s.form.Value("url"))
	require.Equal(t, "count", s.form.Focused())
	burst(d, "1234")
	burst(d, "L162-B")
	require.Equal(t, "1234L162-B", s.form.Value("count"))
	require.Empty(t, s.scans)
	d.Key("enter")
	require.Zero(t, s.saved)
}

func TestBurst_OfAScannerIsAScan(t *testing.T) {
	t.Parallel()
	d, s := newFormScreen(t, widget.Field{Name: "code"})
	d.Type("ab").Scan("OAT-1L")
	burst(d, "9521000000025")
	burst(d, "(01)09521000000025(10)L1")
	require.Equal(t, []string{"OAT-1L", "9521000000025", "(01)09521000000025(10)L1"}, s.scans)
	p, job := openShell(t)
	burst(p, "BOX-1")
	require.Equal(t, []string{"BOX-1"}, job.got, "a quantity is no form")
}

func TestBurst_IsTextInThePalette(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Key("ctrl+p").Sees("Type an action or a screen")
	burst(d, "quit")
	d.Sees("Type an action or a screen", "quit").Lacks("all actions")
	require.Empty(t, job.got)
	d.Key("esc", "ctrl+p")
	burst(d, "9521000000025")
	require.Equal(t, []string{"9521000000025"}, job.got, "only a scanner sends it")
	d.Key("ctrl+p").Scan("BOX-1")
	require.Equal(t, []string{"9521000000025", "BOX-1"}, job.got, "a key ended it")
}

// The keys of a person may arrive in two pieces: the text, and then enter.
func TestBurst_EnterRightAfterTypedText(t *testing.T) {
	t.Parallel()
	enter := tea.KeyMsg{Type: tea.KeyEnter}
	d, job := openShell(t)
	d.Key("ctrl+p")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("quit")})
	d.Advance(60 * time.Millisecond)
	d.Sees("Type an action or a screen").Send(enter)
	d.Advance(300 * time.Millisecond)
	d.Lacks("Type an action or a screen")
	require.Empty(t, job.got)

	f, s := newFormScreen(t, widget.Field{Name: "name"}, widget.Field{Name: "count"})
	f.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Dora Berg")})
	f.Advance(60 * time.Millisecond)
	f.Send(enter)
	require.Equal(t, "count", s.form.Focused())

	f, s = newFormScreen(t, widget.Field{Name: "name"}, widget.Field{Name: "count"})
	f.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("9521000000025")})
	f.Advance(60 * time.Millisecond)
	f.Send(enter)
	require.Equal(t, "name", s.form.Focused(), "it belongs to the scan")
	require.Equal(t, []string{"9521000000025"}, s.scans)
}
