package tuitest

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// View is what the shell paints now, without colours.
func (d *Driver) View() string { return ansi.Strip(d.Model.View()) }

// Painted is what the shell paints now, with colours.
func (d *Driver) Painted() string { return d.Model.View() }

// Sees requires that the view shows every text.
func (d *Driver) Sees(texts ...string) *Driver {
	d.t.Helper()
	for _, text := range texts {
		require.Contains(d.t, d.View(), text)
	}
	return d
}

// Lacks requires that the view shows none of the texts.
func (d *Driver) Lacks(texts ...string) *Driver {
	d.t.Helper()
	for _, text := range texts {
		require.NotContains(d.t, d.View(), text)
	}
	return d
}

// Bells is how often the terminal rang since the last call.
func (d *Driver) Bells() int {
	n := strings.Count(d.out.String(), "\a")
	text := strings.ReplaceAll(d.out.String(), "\a", "")
	d.out.Reset()
	d.out.WriteString(text)
	return n
}

// Written is what was written to the terminal beside the frames, bells apart.
func (d *Driver) Written() string { return strings.ReplaceAll(d.out.String(), "\a", "") }

// Quit reports whether the shell has asked to end.
func (d *Driver) Quit() bool { return d.quit }

// System are the messages for the program itself, such as the mouse's.
func (d *Driver) System() []tea.Msg { return d.system }
