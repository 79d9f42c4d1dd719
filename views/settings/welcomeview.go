package settings

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func (w *welcome) Actions() []tui.Action {
	busy := func(missing bool) func() string {
		return func() string {
			switch {
			case missing:
				return "This is not offered here"
			case w.busy:
				return w.doing + ": wait for the answer"
			}
			return ""
		}
	}
	if w.form != nil {
		label := "make it"
		if w.page == connecting {
			label = "connect"
		}
		actions := []tui.Action{{ID: "welcome.go", Keys: []string{"f10", "ctrl+s"}, Label: label, Disabled: busy(false), Run: w.submit}}
		if w.page == connecting {
			actions = append(actions, tui.Action{ID: "welcome.test", Keys: []string{"f4"}, Label: "test connection", Short: "test",
				Disabled: busy(w.hooks.Test == nil), Run: w.test})
		}
		return append(actions, tui.Action{ID: "welcome.other", Keys: []string{"esc"}, Label: "choose again", Short: "again",
			Run: func() tea.Cmd { w.page, w.form = choosing, nil; return nil }})
	}
	return []tui.Action{
		{ID: "welcome.company", Keys: []string{"1"}, Label: "make a company", Short: "company", Disabled: busy(w.hooks.Create == nil),
			Help: "A new company with its stock on this machine", Run: func() tea.Cmd { return w.ask(creating) }},
		{ID: "welcome.demo", Keys: []string{"2"}, Label: "open the demo", Short: "demo", Disabled: busy(w.hooks.Demo == nil),
			Help: "A small made-up warehouse to try everything on",
			Run:  func() tea.Cmd { return w.do("Opening the demo", w.hooks.Demo) }},
		{ID: "welcome.connect", Keys: []string{"3"}, Label: "connect", Disabled: busy(w.hooks.Connect == nil),
			Help: "Work against a service that runs elsewhere", Run: func() tea.Cmd { return w.ask(connecting) }},
	}
}

// ways are the three ways in, with what each means.
var ways = [3][2]string{
	{"Make a company here", "its stock lives on this machine; others can join later"},
	{"Open the demo", "a small made-up warehouse; nothing in it is real"},
	{"Connect to a service", "your company has one: you need its address, id and a key"},
}

func (w *welcome) View(size tui.Size) string {
	t := w.env.Theme
	var lines []string
	if w.form != nil {
		if !size.Small() {
			lines = append(lines, "")
		}
		lines = append(lines, veil(t, w.form, w.fields, "key", "", size.Width))
		if w.result != "" {
			lines = append(lines, "")
			lines = append(lines, verdict(t, w.result, w.failed, size.Width)...)
		}
		if w.busy {
			lines = append(lines, "", "  "+t.Unsure(w.doing+" …"))
		}
		return dock.Within(strings.Join(lines, "\n"), size.Height)
	}
	q := widget.Question{Ask: "This machine holds no stock yet. How shall it begin?"}
	if size.Small() {
		q.Ask = "How to begin?"
	} else {
		lines = append(lines, "")
	}
	lines = append(lines, q.View(t, size.Width))
	for i, way := range ways {
		number := string(rune('1' + i))
		if size.Small() {
			lines = append(lines, t.Strong.Render(number)+" "+widget.Clip(way[0], size.Width-2))
			continue
		}
		lines = append(lines, "", "   "+t.Strong.Render(number)+"  "+t.Text.Render(way[0]), "      "+t.Muted.Render(widget.Clip(way[1], size.Width-6)))
	}
	if w.busy {
		lines = append(lines, "", "   "+t.Unsure(w.doing+" …"))
	}
	return strings.Join(lines, "\n")
}
