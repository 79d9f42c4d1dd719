package panel

import (
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// linePause is how long an operator needs to see that the program went to another line.
const linePause = time.Second

// A lineGuard makes sure that nothing is counted on a line that nobody chose. After the
// program went to another line, what is pressed may be meant for the one before. It is
// ignored until a scan or an arrow chooses a line, or nothing is pressed for linePause.
type lineGuard struct {
	line  count.Line // the current line, as seen last
	since time.Time  // when the pause began; zero if the operator chose the line
}

// choose notes that the operator chose the current line.
func (g *lineGuard) choose(current *count.Line) { g.line, g.since = *current, time.Time{} }

// see notes the current line. The program went to it if nobody chose it.
func (g *lineGuard) see(current *count.Line, now time.Time) {
	if current.Key != g.line.Key {
		g.line, g.since = *current, now
	}
}

// waits reports whether what is pressed now is ignored. A time before the pause is that of
// input that had to wait.
func (g *lineGuard) waits(now time.Time) bool {
	return !g.since.IsZero() && now.Sub(g.since) < linePause
}

// ignore says that a key is ignored. The pause begins again.
func (g *lineGuard) ignore(t *i18n.Translator, now time.Time) tea.Cmd {
	g.since = now
	return tui.Warn(t.Get("Ignored: %s is next. Scan it, or wait a second", g.line.Item.SKU))
}

// isOfLine reports whether an action may be meant for the line before. Damage and what
// records the count are of what is counted.
func isOfLine(a tui.Action) bool {
	switch a.ID {
	case "panel.damaged", "fulfill.pick", "fulfill.pack":
		return false
	}
	return slices.ContainsFunc(a.Keys, func(key string) bool { return key == "+" || key == "-" || len(key) > 1 && key[0] == 'f' })
}

// guard holds back the actions that may be meant for the line before.
func (g *lineGuard) guard(env tui.Env, actions []tui.Action) []tui.Action {
	if !g.waits(env.Now()) {
		return actions
	}
	for i, a := range actions {
		if !isOfLine(a) {
			continue
		}
		actions[i].Dangerous, actions[i].Supervisor, actions[i].Needs = false, false, nil
		actions[i].Run = func() tea.Cmd {
			if now := env.Now(); g.waits(now) {
				return g.ignore(env.T, now)
			}
			return tui.Perform(a)
		}
	}
	return actions
}
