package viewtest

import (
	"testing"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/tuitest"
	"bincard/views/dock"

	"github.com/muesli/termenv"
)

// Themes looks at one screen in every theme at 80x24: open starts a terminal
// with the change it is given, on the screen.
func Themes(t testing.TB, name string, open func(change func(*tui.Options)) *tuitest.Driver) {
	t.Helper()
	for _, chosen := range theme.Names() {
		d := open(func(o *tui.Options) { o.Theme = theme.Fixed(chosen, termenv.ANSI256) })
		tuitest.Fits(t, d.Painted(), tuitest.Shape{Width: 80, Height: 24})
		tuitest.Golden(t, name+"-"+chosen, d.Painted())
	}
}

// Themes looks at a route of the house in every theme, each in a terminal of its
// own in which one has come as far as then goes; nil stays where it opened.
func (h *House) Themes(t testing.TB, name string, reg *tui.Registry, route string, then func(d *tuitest.Driver)) {
	t.Helper()
	Themes(t, name, func(change func(*tui.Options)) *tuitest.Driver {
		d := h.Terminal(t, reg, change, func(o *tui.Options) { o.Start = []string{route} })
		if then != nil {
			then(d)
		}
		return d
	})
}

// Themes does the same with a route of the stage.
func (s *Stage) Themes(name, route string, register func(*tui.Registry, *dock.Site), then func(d *tuitest.Driver)) {
	s.t.Helper()
	before := s.Theme
	defer func() { s.Theme = before }()
	Themes(s.t, name, func(change func(*tui.Options)) *tuitest.Driver {
		var o tui.Options
		change(&o)
		s.Theme = o.Theme
		d := s.Terminal(s.Service, route, register)
		if then != nil {
			then(d)
		}
		return d
	})
}
