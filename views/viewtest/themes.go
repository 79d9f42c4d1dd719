package viewtest

import (
	"testing"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/tuitest"

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
