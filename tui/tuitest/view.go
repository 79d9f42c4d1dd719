package tuitest

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// View returns the present view of the shell without colors.
func (d *Driver) View() string { return ansi.Strip(d.Model.View()) }

// Painted returns the present view of the shell with colors.
func (d *Driver) Painted() string { return d.Model.View() }

// Sees requires that the view contains every text.
func (d *Driver) Sees(texts ...string) *Driver {
	d.t.Helper()
	for _, text := range texts {
		require.Contains(d.t, d.View(), text)
	}
	return d
}

// SeesInOrder requires that the view contains the texts in this order.
func (d *Driver) SeesInOrder(texts ...string) *Driver {
	d.t.Helper()
	d.Sees(texts...)
	for i := 1; i < len(texts); i++ {
		require.Less(d.t, strings.Index(d.View(), texts[i-1]), strings.Index(d.View(), texts[i]), d.View())
	}
	return d
}

// Lacks requires that the view contains none of the texts.
func (d *Driver) Lacks(texts ...string) *Driver {
	d.t.Helper()
	for _, text := range texts {
		require.NotContains(d.t, d.View(), text)
	}
	return d
}

// Bells returns how often the terminal rang since the last call.
func (d *Driver) Bells() int {
	n := strings.Count(d.out.String(), "\a")
	text := strings.ReplaceAll(d.out.String(), "\a", "")
	d.out.Reset()
	d.out.WriteString(text)
	return n
}

// Written returns what was written to the terminal, without frames and bells.
func (d *Driver) Written() string { return strings.ReplaceAll(d.out.String(), "\a", "") }

// Quit reports whether the shell has quit.
func (d *Driver) Quit() bool { return d.quit }

// System returns the messages for the program itself, such as those that enable the mouse.
func (d *Driver) System() []tea.Msg { return d.system }
