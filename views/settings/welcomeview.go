package settings

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

func (w *welcome) Actions() []tui.Action {
	t := w.T

	busy := func(missing bool) func() string {
		return func() string {
			switch {
			case missing:
				return t.Get("This is not available here")
			case w.busy:
				return t.Get("%s: wait for the answer", w.progress)
			}

			return ""
		}
	}

	if w.form != nil {
		label := t.Get("create")
		if w.page == pageConnect {
			label = t.Get("connect")
		}

		actions := []tui.Action{
			{
				ID:       "welcome.go",
				Key:      "ctrl+s",
				MoreKeys: []string{"f10"},
				Label:    label,
				Disabled: busy(false),
				Run:      w.submit,
			},
		}
		if w.page == pageConnect {
			actions = append(actions, tui.Action{
				ID:       "welcome.test",
				Key:      "f4",
				Label:    t.Get("test connection"),
				Short:    t.Get("test"),
				Disabled: busy(w.hooks.Test == nil),
				Run:      w.test,
			})
		}

		return append(
			actions,
			tui.Action{ID: "welcome.other", Key: "esc", Label: t.Get("back"), Short: t.Get("back"),
				Run: func() tea.Cmd { w.page, w.form = pageChoose, nil; return nil }},
		)
	}

	return []tui.Action{
		{
			ID:       "welcome.company",
			Key:      "1",
			Label:    t.Get("create a company"),
			Short:    t.Get("company"),
			Disabled: busy(w.hooks.Create == nil),
			Help:     t.Get("Create a company with its stock on this machine"),
			Run:      func() tea.Cmd { return w.openPage(pageCreate) },
		},
		{
			ID:       "welcome.demo",
			Key:      "2",
			Label:    t.Get("open the demo"),
			Short:    t.Get("demo"),
			Disabled: busy(w.hooks.Demo == nil),
			Help:     t.Get("Try everything in a small sample warehouse"),
			Run:      func() tea.Cmd { return w.run(t.Get("Opening the demo"), w.hooks.Demo) },
		},
		{
			ID:       "welcome.connect",
			Key:      "3",
			Label:    t.Get("connect"),
			Disabled: busy(w.hooks.Connect == nil),
			Help:     t.Get("Connect to a service that runs elsewhere"),
			Run:      func() tea.Cmd { return w.openPage(pageConnect) },
		},
	}
}

// choices returns the three choices with their explanations.
func choices(t *i18n.Translator) [3][2]string {
	return [3][2]string{
		{t.Get("Create a company"), t.Get("its stock is stored on this machine; others can join later")},
		{t.Get("Open the demo"), t.Get("a small sample warehouse with made-up data")},
		{t.Get("Connect to a service"), t.Get("your company already has a server: enter its address, ID and a key")},
	}
}

func (w *welcome) View(size tui.Size) string {
	t := w.Theme
	var lines []string
	if w.form != nil {
		if !size.Small() {
			lines = append(lines, "")
		}

		lines = append(lines, w.form.View(t, size.Width))
		if w.result != "" {
			lines = append(lines, "")
			lines = append(lines, resultLines(t, w.result, w.failed, size.Width)...)
		}
		if w.busy {
			lines = append(lines, "", "  "+t.Unconfirmed(w.progress+"…"))
		}

		return panel.FitHeight(strings.Join(lines, "\n"), size.Height)
	}

	q := widget.Question{Ask: w.T.Get("This machine has no data yet. How do you want to start?")}
	if size.Small() {
		q.Ask = w.T.Get("How to start?")
	} else {
		lines = append(lines, "")
	}

	lines = append(lines, q.View(t, size.Width))
	for i, choice := range choices(w.T) {
		number := string(rune('1' + i))
		if size.Small() {
			lines = append(lines, t.Strong.Render(number)+" "+widget.Clip(choice[0], size.Width-2))
			continue
		}
		lines = append(lines, "", "   "+t.Strong.Render(number)+"  "+t.Text.Render(choice[0]),
			"      "+t.Muted.Render(widget.Clip(choice[1], size.Width-6)))
	}

	if w.busy {
		lines = append(lines, "", "   "+t.Unconfirmed(w.progress+"…"))
	}

	return strings.Join(lines, "\n")
}
