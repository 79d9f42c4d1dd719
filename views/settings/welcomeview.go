package settings

import (
	"fmt"
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
				return notOffered
			case w.busy:
				return fmt.Sprintf(waitFor, w.progress)
			}
			return ""
		}
	}
	if w.form != nil {
		label := labelMake
		if w.page == pageConnect {
			label = labelConnect
		}
		actions := []tui.Action{{ID: "welcome.go", Keys: []string{"f10", "ctrl+s"}, Label: label, Disabled: busy(false), Run: w.submit}}
		if w.page == pageConnect {
			actions = append(actions, tui.Action{ID: "welcome.test", Keys: []string{"f4"}, Label: labelTest, Short: shortTest,
				Disabled: busy(w.hooks.Test == nil), Run: w.test})
		}
		return append(actions, tui.Action{ID: "welcome.other", Keys: []string{"esc"}, Label: labelChoose, Short: shortChoose,
			Run: func() tea.Cmd { w.page, w.form = pageChoose, nil; return nil }})
	}
	return []tui.Action{
		{ID: "welcome.company", Keys: []string{"1"}, Label: labelCompany, Short: shortCompany, Disabled: busy(w.hooks.Create == nil),
			Help: helpCompany, Run: func() tea.Cmd { return w.openPage(pageCreate) }},
		{ID: "welcome.demo", Keys: []string{"2"}, Label: labelDemo, Short: shortDemo, Disabled: busy(w.hooks.Demo == nil),
			Help: helpDemo,
			Run:  func() tea.Cmd { return w.run(doingDemo, w.hooks.Demo) }},
		{ID: "welcome.connect", Keys: []string{"3"}, Label: labelConnect, Disabled: busy(w.hooks.Connect == nil),
			Help: helpConnect, Run: func() tea.Cmd { return w.openPage(pageConnect) }},
	}
}

// choices are the three ways in, with what each means.
func choices() [3][2]string {
	return [3][2]string{{wayCompany, aboutCompany}, {wayDemo, aboutDemo}, {wayConnect, aboutConnect}}
}

func (w *welcome) View(size tui.Size) string {
	t := w.env.Theme
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
			lines = append(lines, "", "  "+t.Unconfirmed(w.progress+" …"))
		}
		return dock.FitHeight(strings.Join(lines, "\n"), size.Height)
	}
	q := widget.Question{Ask: askBegin}
	if size.Small() {
		q.Ask = askBeginShort
	} else {
		lines = append(lines, "")
	}
	lines = append(lines, q.View(t, size.Width))
	for i, way := range choices() {
		number := string(rune('1' + i))
		if size.Small() {
			lines = append(lines, t.Strong.Render(number)+" "+widget.Clip(way[0], size.Width-2))
			continue
		}
		lines = append(lines, "", "   "+t.Strong.Render(number)+"  "+t.Text.Render(way[0]), "      "+t.Muted.Render(widget.Clip(way[1], size.Width-6)))
	}
	if w.busy {
		lines = append(lines, "", "   "+t.Unconfirmed(w.progress+" …"))
	}
	return strings.Join(lines, "\n")
}
