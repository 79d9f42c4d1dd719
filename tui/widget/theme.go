package widget

import (
	"fmt"
	"io"
	"strings"

	"bincard/tui/i18n"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The glyphs of the states. Each is painted beside its color, so that no state depends
// on color alone.
const (
	GlyphOK          = "✓" // accepted
	GlyphRefused     = "!" // refused, late, wrong
	GlyphUnconfirmed = "~" // not confirmed yet
	GlyphPending     = "○" // pending
	GlyphAsk         = "▸" // the question, or the selected row
)

// A Theme is a set of styles for one terminal. Its styles paint parts of a screen; its
// methods (OK, Refused, Warn, ...) paint a state with its glyph. It has no global state, so
// each session of a process has its own.
type Theme struct {
	Name string

	Text     lipgloss.Style // ordinary words
	Strong   lipgloss.Style // important numbers, titles
	Muted    lipgloss.Style // labels, hints, rules
	Accent   lipgloss.Style // the question, accepted work, bars
	Warning  lipgloss.Style // LIVE, late, not confirmed
	Error    lipgloss.Style // refused
	Selected lipgloss.Style // the selected row
}

// palette holds the colors of a theme. An empty color is the terminal's own.
type palette struct {
	text, muted, accent, warning, fault, selectedText, selectedBack lipgloss.Color
}

// The three colors of color-blind differ in brightness and in blue against yellow.
var palettes = map[string]palette{
	"dark": {
		muted:        "245",
		accent:       "80",
		warning:      "215",
		fault:        "210",
		selectedText: "231",
		selectedBack: "24",
	},
	"light": {
		muted:        "242",
		accent:       "25",
		warning:      "130",
		fault:        "160",
		selectedText: "16",
		selectedBack: "153",
	},
	"high-contrast": {
		text:         "15",
		muted:        "15",
		accent:       "14",
		warning:      "11",
		fault:        "9",
		selectedText: "0",
		selectedBack: "15",
	},
	"color-blind": {muted: "247", accent: "75", warning: "228", fault: "208", selectedText: "16", selectedBack: "75"},
	"mono":        {},
}

// themeAliases maps names that themes had in earlier versions to their present names.
var themeAliases = map[string]string{"colour-blind": "color-blind"}

// CanonicalTheme returns the present name of a theme. It returns names that are not aliases
// unchanged.
func CanonicalTheme(name string) string {
	if present, ok := themeAliases[name]; ok {
		return present
	}
	return name
}

// ThemeColors returns the numbers of the colors of a theme in the 256-color palette, without
// the terminal's own.
func ThemeColors(name string) (numbers []string) {
	p := palettes[CanonicalTheme(name)]
	for _, c := range []lipgloss.Color{p.text, p.muted, p.accent, p.warning, p.fault, p.selectedText, p.selectedBack} {
		if c != "" {
			numbers = append(numbers, string(c))
		}
	}

	return numbers
}

// ThemeNames returns the names of the themes in display order.
func ThemeNames() []string { return []string{"dark", "light", "high-contrast", "color-blind", "mono"} }

// ThemeLabels returns the names of the themes in a language.
func ThemeLabels(t *i18n.Translator) []string {
	return []string{
		t.GetC("dark", "theme"),
		t.GetC("light", "theme"),
		t.GetC("high contrast", "theme"),
		t.GetC("color-blind", "theme"),
		t.GetC("monochrome", "theme"),
	}
}

// NewTheme returns the theme with this name for the terminal behind w; "" is dark. The
// environment, in the form of os.Environ, decides how many colors there are. NO_COLOR in
// it turns any theme into mono. An unknown name is an error that lists the known names.
func NewTheme(name string, w io.Writer, environ []string) (Theme, error) {
	return newTheme(name, w, environ)
}

// RemoteTheme is NewTheme for a terminal at the other end of a network, of which only the
// environment is known (TERM, COLORTERM, NO_COLOR).
func RemoteTheme(name string, environ []string) (Theme, error) {
	return newTheme(name, io.Discard, environ, termenv.WithTTY(true))
}

func newTheme(name string, w io.Writer, environ []string, options ...termenv.OutputOption) (Theme, error) {
	if name == "" {
		name = "dark"
	}

	name = CanonicalTheme(name)
	if _, known := palettes[name]; !known {
		return Theme{}, fmt.Errorf("unknown theme %q: choose one of %s", name, strings.Join(ThemeNames(), ", "))
	}

	env := environment(environ)
	if env.Getenv("NO_COLOR") != "" {
		name = "mono"
	}

	options = append(options, termenv.WithEnvironment(env))
	renderer := lipgloss.NewRenderer(w, options...)
	profile := termenv.NewOutput(w, options...).EnvColorProfile()
	if name == "mono" && profile == termenv.Ascii && env.Getenv("TERM") != "dumb" {
		profile = termenv.ANSI // bold and reverse are not colors
	}

	renderer.SetColorProfile(profile)
	renderer.SetHasDarkBackground(name != "light")

	return build(name, renderer), nil
}

// FixedTheme returns the theme with this name and exactly this color profile, for sessions
// that know their terminal and for tests. An unknown name has no colors.
func FixedTheme(name string, profile termenv.Profile) Theme {
	name = CanonicalTheme(name)
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile)
	renderer.SetHasDarkBackground(name != "light")
	return build(name, renderer)
}

// PlainTheme returns mono without any attribute: it paints plain text.
func PlainTheme() Theme { return FixedTheme("mono", termenv.Ascii) }

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

// environment is a process environment of "KEY=value" lines.
type environment []string

// Environ returns all lines.
func (e environment) Environ() []string { return e }

// Getenv returns the last value of key, or "".
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

// Refused paints something that was refused, is late or is wrong: "! text".
func (t Theme) Refused(text string) string { return t.Error.Render(GlyphRefused + " " + text) }

// Warn paints a warning: "! text" in the warning color.
func (t Theme) Warn(text string) string { return t.Warning.Render(GlyphRefused + " " + text) }

// Unconfirmed paints something that is not confirmed yet: "~ text".
func (t Theme) Unconfirmed(text string) string {
	return t.Warning.Render(GlyphUnconfirmed + " " + text)
}

// Pending paints something that is pending: "○ text".
func (t Theme) Pending(text string) string { return t.Muted.Render(GlyphPending + " " + text) }

// Ask paints the question of a screen: "▸ text".
func (t Theme) Ask(text string) string { return t.Accent.Render(GlyphAsk) + " " + text }
