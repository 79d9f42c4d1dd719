package viewtest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

// Themes opens one screen in every theme at 80x24 and requires that it fits, says
// the same words in each, and uses the colors of its theme alone. open starts a
// terminal with the change it is given, on the screen.
func Themes(t testing.TB, name string, open func(change func(*shell.Options)) *tuitest.Driver) {
	t.Helper()
	text := ""
	for _, chosen := range widget.ThemeNames() {
		view := open(func(o *shell.Options) { o.Theme = widget.FixedTheme(chosen, termenv.ANSI256) }).Painted()
		tuitest.Fits(t, view, tuitest.Shape{Width: 80, Height: 24})
		if text == "" {
			text = ansi.Strip(view)
		}

		require.Equal(t, text, ansi.Strip(view), "%s in %s", name, chosen)
		for _, c := range colors(view) {
			require.Contains(t, widget.ThemeColors(chosen), c, "%s in %s: %q", name, chosen, view)
		}
	}
}

var colorCodes = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// colors returns the numbers of the 256 colors that a view uses.
func colors(view string) (numbers []string) {
	for _, m := range colorCodes.FindAllStringSubmatch(view, -1) {
		codes := strings.Split(m[1], ";")
		for i := 0; i < len(codes); i++ {
			code, _ := strconv.Atoi(codes[i])
			switch {
			case (code == 38 || code == 48) && i+2 < len(codes):
				numbers = append(numbers, codes[i+2])
				i += 2
			case code >= 30 && code <= 37 || code >= 40 && code <= 47:
				numbers = append(numbers, strconv.Itoa(code%10))
			case code >= 90 && code <= 97 || code >= 100 && code <= 107:
				numbers = append(numbers, strconv.Itoa(code%10+8))
			}
		}
	}

	slices.Sort(numbers)

	return slices.Compact(numbers)
}

// Themes runs the function Themes with a route of the warehouse. then, if not nil,
// brings each terminal to the state under test.
func (w *Warehouse) Themes(t testing.TB, name string, reg *tui.Registry, route string, then func(d *tuitest.Driver)) {
	t.Helper()
	Themes(t, name, func(change func(*shell.Options)) *tuitest.Driver {
		d := w.Terminal(t, reg, change, func(o *shell.Options) { o.Start = []string{route} })
		if then != nil {
			then(d)
		}
		return d
	})
}
