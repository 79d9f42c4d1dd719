package main

import (
	"io"
	"reflect"
	"time"

	"bincard/tui/scan"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
)

// A pictureSession runs a shell on a clock that it controls and takes scans and keys, for
// pictures of its screen. The same input gives the same picture, byte for byte. It is for
// one goroutine.
type pictureSession struct {
	headless      *shell.Headless
	now           time.Time
	width, height int
}

// newPictureSession starts a shell at the time now and runs the commands of its first screens.
func newPictureSession(opts shell.Options, now time.Time) *pictureSession {
	s := &pictureSession{now: now}
	opts.Clock, opts.Output, opts.Silent, opts.NoSignals = s, io.Discard, true, true
	s.headless = shell.NewHeadless(opts)
	s.Size(80, 24)
	s.run(s.headless.Protect(s.headless.Model().Init))
	return s
}

// Now returns the time on the pictures.
func (s *pictureSession) Now() time.Time { return s.now }

// Tick returns a command that never calls the function: nothing on a picture changes by
// itself.
func (s *pictureSession) Tick(time.Duration, func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return nil }
}

// run runs a command and all commands that follow from its message.
func (s *pictureSession) run(cmd tea.Cmd) {
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
func (s *pictureSession) step(action func() tea.Cmd) *pictureSession {
	s.now = s.now.Add(time.Second)
	s.run(s.headless.Protect(action))
	return s
}

// Size changes the size of the screen.
func (s *pictureSession) Size(width, height int) *pictureSession {
	s.width, s.height = width, height
	s.run(func() tea.Msg { return tea.WindowSizeMsg{Width: width, Height: height} })
	return s
}

// Open opens a route.
func (s *pictureSession) Open(route string) *pictureSession {
	return s.step(func() tea.Cmd { return s.headless.Go(route) })
}

// Scan scans a code.
func (s *pictureSession) Scan(code string) *pictureSession {
	return s.step(func() tea.Cmd { return s.headless.Scan(scan.Parse(code, s.now)) })
}

// Picture returns the present screen as SVG.
func (s *pictureSession) Picture(title string) string {
	return drawSVG(s.headless.Model().View(), s.width, s.height, title)
}
