// Package picture draws screens as SVG for the documentation.
//
// A Session runs a shell on a clock that it controls and takes scans and keys. Picture
// returns its screen; SVG draws any painted text. The same input gives the same picture,
// byte for byte.
package picture

import (
	"io"
	"reflect"
	"time"

	"bincard/tui/scan"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
)

// A Session is a shell to take pictures of. It is for one goroutine.
type Session struct {
	headless      *shell.Headless
	now           time.Time
	width, height int
}

// New starts a shell at the time now and runs the commands of its first screens.
func New(opts shell.Options, now time.Time) *Session {
	s := &Session{now: now}
	opts.Clock, opts.Output, opts.Silent, opts.NoSignals = s, io.Discard, true, true
	s.headless = shell.NewHeadless(opts)
	s.Size(80, 24)
	s.run(s.headless.Protect(s.headless.Model().Init))
	return s
}

// Now returns the time on the pictures.
func (s *Session) Now() time.Time { return s.now }

// Tick returns a command that never calls the function: nothing on a picture changes by
// itself.
func (s *Session) Tick(time.Duration, func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return nil }
}

// run runs a command and all commands that follow from its message.
func (s *Session) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if msg == nil {
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			s.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	_, next := s.headless.Model().Update(msg)
	s.run(next)
}

// step runs an action one second after the previous one.
func (s *Session) step(action func() tea.Cmd) *Session {
	s.now = s.now.Add(time.Second)
	s.run(s.headless.Protect(action))
	return s
}

// Size changes the size of the screen.
func (s *Session) Size(width, height int) *Session {
	s.width, s.height = width, height
	s.run(func() tea.Msg { return tea.WindowSizeMsg{Width: width, Height: height} })
	return s
}

// Open opens a route.
func (s *Session) Open(route string) *Session {
	return s.step(func() tea.Cmd { return s.headless.Go(route) })
}

// Scan scans a code.
func (s *Session) Scan(code string) *Session {
	return s.step(func() tea.Cmd { return s.headless.Scan(scan.Parse(code, s.now)) })
}

// Picture returns the present screen as SVG.
func (s *Session) Picture(title string) string {
	return SVG(s.headless.Model().View(), s.width, s.height, title)
}
