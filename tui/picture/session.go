// Package picture makes pictures of real screens: a shell on a clock that
// stands, worked by the same scans and keys as at the dock, and its cells with
// their colours as SVG. The same work makes the same picture, byte for byte.
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

// New starts a shell at a moment and runs all that its first screens ask for.
func New(opts shell.Options, now time.Time) *Session {
	s := &Session{now: now}
	opts.Clock, opts.Output, opts.Silent, opts.NoSignals = s, io.Discard, true, true
	s.headless = shell.NewHeadless(opts)
	s.Size(80, 24)
	s.run(s.headless.Protect(s.headless.Model().Init))
	return s
}

// Now is the time on the pictures.
func (s *Session) Now() time.Time { return s.now }

// Tick never comes: nothing moves by itself on a picture.
func (s *Session) Tick(time.Duration, func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return nil }
}

// run runs a command and everything that follows from it.
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

// step does a deed, a second after the one before.
func (s *Session) step(deed func() tea.Cmd) *Session {
	s.now = s.now.Add(time.Second)
	s.run(s.headless.Protect(deed))
	return s
}

// Size makes the screen so large.
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

// Type types a line into the screen's input, and enters it where that is wanted.
func (s *Session) Type(text string) *Session {
	return s.step(func() tea.Cmd { return s.headless.Type(text) })
}

// Back goes back one screen.
func (s *Session) Back() *Session { return s.step(s.headless.Back) }

// Picture is the screen as it stands, as SVG.
func (s *Session) Picture(title string) string {
	return SVG(s.headless.Model().View(), s.width, s.height, title)
}
