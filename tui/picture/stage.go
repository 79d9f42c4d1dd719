// Package picture makes pictures of real screens: a shell on a clock that
// stands, worked by the same scans and keys as at the dock, and its cells with
// their colours as SVG. The same work makes the same picture, byte for byte.
package picture

import (
	"io"
	"reflect"
	"time"

	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Stage is a shell to take pictures of. It is for one goroutine.
type Stage struct {
	face          *tui.Face
	now           time.Time
	width, height int
}

// New starts a shell at a moment and runs all that its first screens ask for.
func New(opts tui.Options, now time.Time) *Stage {
	s := &Stage{now: now}
	opts.Clock, opts.Output, opts.Silent, opts.NoSignals = s, io.Discard, true, true
	s.face = tui.NewFace(opts)
	s.Size(80, 24)
	s.run(s.face.Turn(s.face.Model().Init))
	return s
}

// Now is the time on the pictures.
func (s *Stage) Now() time.Time { return s.now }

// Tick never comes: nothing moves by itself on a picture.
func (s *Stage) Tick(time.Duration, func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return nil }
}

// run runs a command and everything that follows from it.
func (s *Stage) run(cmd tea.Cmd) {
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
	_, next := s.face.Model().Update(msg)
	s.run(next)
}

// do does a deed, a second after the one before.
func (s *Stage) do(deed func() tea.Cmd) *Stage {
	s.now = s.now.Add(time.Second)
	s.run(s.face.Turn(deed))
	return s
}

// Size makes the screen so large.
func (s *Stage) Size(width, height int) *Stage {
	s.width, s.height = width, height
	s.run(func() tea.Msg { return tea.WindowSizeMsg{Width: width, Height: height} })
	return s
}

// Open opens a route.
func (s *Stage) Open(route string) *Stage {
	return s.do(func() tea.Cmd { return s.face.Go(route) })
}

// Scan scans a code.
func (s *Stage) Scan(code string) *Stage {
	return s.do(func() tea.Cmd { return s.face.Scan(scan.Parse(code, s.now)) })
}

// Type types a line into the screen's input, and enters it where that is wanted.
func (s *Stage) Type(text string) *Stage {
	return s.do(func() tea.Cmd { return s.face.Type(text) })
}

// Back goes back one screen.
func (s *Stage) Back() *Stage { return s.do(s.face.Back) }

// Picture is the screen as it stands, as SVG.
func (s *Stage) Picture(title string) string {
	return SVG(s.face.Model().View(), s.width, s.height, title)
}
