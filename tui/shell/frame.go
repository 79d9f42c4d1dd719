package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/shell/internal/input"
	"bincard/tui/shell/internal/paint"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// frame paints everything: the header, the screen on top with what is above it, and the
// footer.
type frame struct {
	parts
	screens       *screens
	actions       *actions
	width, height int
	status        tui.Status
}

// refreshHeader calls Options.Header.
func (f *frame) refreshHeader() {
	if f.opts.Header != nil {
		f.status = f.opts.Header()
	}
}

// view paints the terminal: exactly height lines, at most width wide. mark is for drivers.
func (f *frame) view(mark string) string {
	t := f.opts.Theme
	l := f.layout()
	lines := []string{f.header(mark).Line(l.Class, l.Width)}
	if l.Title {
		lines = append(lines, " "+t.Text.Render(widget.Clip(widget.Clean(f.screens.top().screen.Title()), l.Width-1)))
	}
	if l.Rules {
		lines = append(lines, t.Muted.Render(widget.Rule(l.Width)))
	}

	body, from, to := f.bodyLines(l)
	if !l.Rules {
		f.alerts.toast.Over(t, body, l.Width, l.Class, from, to)
	}

	lines = append(lines, body...)
	if l.Rules {
		lines = append(lines, f.lowerRule(l))
	}

	lines = append(lines, l.Footer...)

	return strings.Join(paint.Clamp(lines, l.Width, l.Height), "\n")
}

func (f *frame) layout() paint.Layout {
	title := false
	if s := f.screens.top(); s != nil {
		title = s.screen.Title() != ""
	}
	return paint.NewLayout(f.width, f.height, title, f.footer(tui.ClassOf(f.width, f.height) < tui.Standard))
}

func (f *frame) header(mark string) paint.Header {
	h := paint.Header{
		Theme:        f.opts.Theme,
		Status:       f.status,
		Spinner:      f.pending.Spinner(),
		WaitingScans: f.input.Scans(),
		Mark:         mark,
	}

	if s := f.screens.top(); s != nil {
		h.Title = paint.ShortTitle(s.screen)
	}
	if f.login.Enabled() {
		h.Person = f.login.Operator()
		h.Status.Operator = h.Person
	}

	return h
}

// bodyLines paints the body at its full height: the screen on top and what is above it. The
// lines from from to to ask something.
func (f *frame) bodyLines(l paint.Layout) (lines []string, from, to int) {
	top, t, height := f.screens.top(), f.opts.Theme, l.Body.Height
	if top == nil || height == 0 {
		return nil, 0, 0
	}

	if f.login.Required() {
		lines = f.login.View(t, l.Body)
		to = len(lines)
		lines = paint.Fill(lines, height)
		if f.dialogTakesKeys() {
			return paint.Cover(lines, f.dialogs.View(t, l.Body), -1, 0)
		}
		return lines, 0, to
	}

	if f.dialogs.CoversBody() {
		return paint.Fill(f.dialogs.View(t, l.Body), height), 0, height - 1
	}

	lines, question, keep := paint.TakeMarker(strings.Split(top.screen.View(l.Body), "\n"))
	lines = paint.Fill(lines, height)
	switch {
	case f.dialogs.Open():
		return paint.Cover(lines, f.dialogs.View(t, l.Body), question, keep)
	case f.alerts.fault.Active():
		var hints []string
		for _, a := range enabled(f.alerts.fault.Actions) {
			hints = append(hints, paint.Hint(f.opts.Translator, f.opts.Keys, a))
		}
		return paint.Cover(lines, f.alerts.fault.View(t, f.t, l.Body, hints), question, keep)
	}

	for i := height - 1; i >= 0; i-- {
		if strings.Contains(lines[i], widget.GlyphAsk) {
			return lines, i, i + 1
		}
	}

	return lines, 0, 0
}

// lowerRule separates body and footer. It shows the toast or the number of waiting scans.
func (f *frame) lowerRule(l paint.Layout) string {
	if text := f.alerts.toast.Line(f.opts.Theme, l.Width-1); text != "" {
		return " " + text
	}
	if n := f.input.Scans(); n > 0 {
		return f.opts.Theme.Pending(f.t.Get("%d scans waiting", n))
	}
	return f.opts.Theme.Muted.Render(widget.Rule(l.Width))
}

// footer returns the actions that the footer offers, and the exits that it always shows.
func (f *frame) footer(small bool) paint.Footer {
	footer := paint.Footer{T: f.opts.Translator, Theme: f.opts.Theme, Keys: f.opts.Keys}
	top, fault := f.screens.top(), &f.alerts.fault
	switch {
	case f.dialogTakesKeys():
		all := f.dialogs.Actions()
		footer.Actions, footer.Exits = all[:len(all)-1], all[len(all)-1:]
		return footer
	case f.login.Required():
		footer.Actions = f.login.Actions()
		return footer
	case fault.Active():
		next := tui.Action{Key: "enter", Label: f.t.Get("continue"), Run: f.alerts.acknowledge, Shell: true}
		if fault.ConfirmScan {
			next.Label, next.Short = f.t.Get("skip this scan"), f.t.Get("skip")
		}
		footer.Actions = append([]tui.Action{next}, enabled(fault.Actions)...)
		return footer

	case top == nil:
		return footer
	}

	shell := f.actions.shell()
	footer.Actions = enabled(top.screen.Actions())
	_, leaves := input.ActionFor(f.opts.Keys, footer.Actions, "esc") // the screen has its own way back
	home := len(f.screens.list) == 1
	back := tui.Action{Key: "esc", Label: f.t.Get("back"), Run: f.screens.back, Shell: true}
	if small {
		footer.Help, footer.HelpLine = shell[1], home
		if !leaves && !home {
			back.Label = ""
			footer.Exits = []tui.Action{back}
		}
		return footer
	}

	help := tui.Action{Key: "?", Label: f.t.Get("help"), Run: f.actions.help, Shell: true}
	if top.accepts(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'?'}}) {
		help = shell[1]
		help.NoFooter = false
	}

	footer.Actions, footer.Exits = append(footer.Actions, shell[2], shell[0]), []tui.Action{help}
	switch {
	case leaves:
	case home:
		footer.Exits = append(footer.Exits, shell[5])
	default:
		footer.Exits = append(footer.Exits, back)
	}

	return footer
}

// enabled returns the actions that can run now and belong in the footer.
func enabled(actions []tui.Action) []tui.Action {
	var list []tui.Action
	for _, a := range actions {
		if !a.NoFooter && a.DisabledReason() == "" {
			list = append(list, a)
		}
	}

	return list
}
