// Package theme holds the colours of the terminal and the glyphs that say the
// same thing without colour: one accent, one warning, one error.
package theme

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The glyphs that stand beside every colour, so that no state is told by colour alone.
const (
	GlyphOK          = "✓" // accepted
	GlyphRefused     = "!" // refused, late, wrong
	GlyphUnconfirmed = "~" // not confirmed yet
	GlyphPending     = "○" // waits
	GlyphAsk         = "▸" // the question, or the chosen row
)

// A Theme is a set of styles bound to one terminal. It holds no global state:
// many sessions may run in one process, each with its own.
type Theme struct {
	Name string

	Text     lipgloss.Style // ordinary words
	Strong   lipgloss.Style // what one looks for: numbers that count, titles
	Muted    lipgloss.Style // labels, hints, rules
	Accent   lipgloss.Style // the question, accepted work, the bar
	Warning  lipgloss.Style // LIVE, late, not confirmed
	Error    lipgloss.Style // refused
	Selected lipgloss.Style // the chosen row
}

// palette is a theme's colours; an empty one leaves the terminal's own.
type palette struct {
	text, muted, accent, warning, fault, selectedText, selectedBack lipgloss.Color
}

// The colour-blind one tells its three colours apart by blue against yellow and
// by brightness, which everybody sees.
var palettes = map[string]palette{
	"dark":          {muted: "245", accent: "80", warning: "215", fault: "210", selectedText: "231", selectedBack: "24"},
	"light":         {muted: "242", accent: "25", warning: "130", fault: "160", selectedText: "16", selectedBack: "153"},
	"high-contrast": {text: "15", muted: "15", accent: "14", warning: "11", fault: "9", selectedText: "0", selectedBack: "15"},
	"colour-blind":  {muted: "247", accent: "75", warning: "228", fault: "208", selectedText: "16", selectedBack: "75"},
	"mono":          {},
}

// Colors are the numbers of the colours that a theme paints with, of the 256;
// none where it uses the terminal's own.
func Colors(name string) (numbers []string) {
	p := palettes[name]
	for _, c := range []lipgloss.Color{p.text, p.muted, p.accent, p.warning, p.fault, p.selectedText, p.selectedBack} {
		if c != "" {
			numbers = append(numbers, string(c))
		}
	}
	return numbers
}

// Names are the themes in the order a chooser shows them.
func Names() []string { return []string{"dark", "light", "high-contrast", "colour-blind", "mono"} }

// New makes the theme called name ("" is dark) for the terminal behind w.
// The environment, as os.Environ gives it, decides how many colours there are;
// NO_COLOR in it turns any theme into mono. A name nobody knows is an error
// that tells the known ones.
func New(name string, w io.Writer, environ []string) (Theme, error) {
	return newTheme(name, w, environ)
}

// Remote makes the theme called name for a terminal at the other end of a
// network, of which only its environment is known (TERM, COLORTERM, NO_COLOR).
func Remote(name string, environ []string) (Theme, error) {
	return newTheme(name, io.Discard, environ, termenv.WithTTY(true))
}

func newTheme(name string, w io.Writer, environ []string, options ...termenv.OutputOption) (Theme, error) {
	if name == "" {
		name = "dark"
	}
	if _, known := palettes[name]; !known {
		return Theme{}, fmt.Errorf("unknown theme %q: choose one of %s", name, strings.Join(Names(), ", "))
	}
	env := environment(environ)
	if env.Getenv("NO_COLOR") != "" {
		name = "mono"
	}
	options = append(options, termenv.WithEnvironment(env))
	renderer := lipgloss.NewRenderer(w, options...)
	profile := termenv.NewOutput(w, options...).EnvColorProfile()
	if name == "mono" && profile == termenv.Ascii && env.Getenv("TERM") != "dumb" {
		profile = termenv.ANSI // bold and reverse are not colours
	}
	renderer.SetColorProfile(profile)
	renderer.SetHasDarkBackground(name != "light")
	return build(name, renderer), nil
}

// Fixed makes the theme called name with exactly this colour profile, for
// sessions that know their terminal and for tests. An unknown name is mono.
func Fixed(name string, profile termenv.Profile) Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile)
	renderer.SetHasDarkBackground(name != "light")
	return build(name, renderer)
}

// Plain is mono without any attribute: what it paints is bare text.
func Plain() Theme { return Fixed("mono", termenv.Ascii) }

func build(name string, r *lipgloss.Renderer) Theme {
	p := palettes[name]
	t := Theme{
		Name:     name,
		Text:     color(r, p.text),
		Strong:   color(r, p.text).Bold(true),
		Muted:    color(r, p.muted),
		Accent:   color(r, p.accent),
		Warning:  color(r, p.warning),
		Error:    color(r, p.fault).Bold(true),
		Selected: color(r, p.selectedText).Background(p.selectedBack),
	}
	switch name {
	case "mono":
		t.Warning, t.Selected = t.Warning.Bold(true), r.NewStyle().Reverse(true)
	case "high-contrast":
		t.Accent, t.Warning = t.Accent.Bold(true), t.Warning.Bold(true)
	}
	return t
}

func color(r *lipgloss.Renderer, c lipgloss.Color) lipgloss.Style {
	s := r.NewStyle()
	if c != "" {
		s = s.Foreground(c)
	}
	return s
}

// environment is a process environment given as "KEY=value" lines.
type environment []string

// Environ returns the lines themselves.
func (e environment) Environ() []string { return e }

// Getenv returns the last value of key, or nothing.
func (e environment) Getenv(key string) string {
	value := ""
	for _, line := range e {
		if k, v, ok := strings.Cut(line, "="); ok && k == key {
			value = v
		}
	}
	return value
}

// OK paints an accepted line: "✓ text".
func (t Theme) OK(text string) string { return t.Accent.Render(GlyphOK) + " " + text }

// Refused paints what was refused, is late or is wrong: "! text".
func (t Theme) Refused(text string) string { return t.Error.Render(GlyphRefused + " " + text) }

// Warn paints what deserves a look: "! text" in the warning colour.
func (t Theme) Warn(text string) string { return t.Warning.Render(GlyphRefused + " " + text) }

// Unconfirmed paints what is not confirmed yet: "~ text".
func (t Theme) Unconfirmed(text string) string {
	return t.Warning.Render(GlyphUnconfirmed + " " + text)
}

// Pending paints what waits: "○ text".
func (t Theme) Pending(text string) string { return t.Muted.Render(GlyphPending + " " + text) }

// Ask paints the question of a screen: "▸ text".
func (t Theme) Ask(text string) string { return t.Accent.Render(GlyphAsk) + " " + text }
