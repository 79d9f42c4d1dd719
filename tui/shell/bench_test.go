package shell_test

import (
	"fmt"
	"testing"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// longScreen is a screen with a long list.
type longScreen struct {
	env  tui.Env
	list widget.List[int]
}

func (l *longScreen) Init(env tui.Env) tea.Cmd { l.env = env; return nil }
func (l *longScreen) Title() string            { return "Movements" }
func (l *longScreen) Actions() []tui.Action    { return nil }
func (l *longScreen) View(s tui.Size) string   { return l.list.View(l.env.Theme, s.Width, s.Height) }
func (l *longScreen) OnScan(scan.Scan) tea.Cmd { return tui.Accepted() }

func (l *longScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		l.list.Key(k)
	}
	return l, nil
}

func longList(tui.Env) (tui.Screen, error) {
	l := &longScreen{list: widget.NewList(func(i int) string { return fmt.Sprint(i) },
		widget.Column[int]{Title: "sku", Cell: func(i int) string { return fmt.Sprintf("OAT-%d", i) }},
		widget.Column[int]{Title: "operation", Width: 17, Rank: 1, Cell: func(int) string { return "inbound_receive" }},
		widget.Column[int]{Title: "after", Width: 9, Right: true, Cell: func(i int) string { return i18n.New(i18n.Language{}).Count(int64(i)) }})}
	rows := make([]int, 100_000)
	for i := range rows {
		rows[i] = i
	}
	l.list.SetRows(rows)
	return l, nil
}

// BenchmarkKeyToView measures from a key to the painted screen, with 100,000 rows.
func BenchmarkKeyToView(b *testing.B) {
	d := tuitest.Screen(b, longList)
	d.Size(200, 60)
	down := tea.KeyMsg{Type: tea.KeyDown}
	b.ReportAllocs()
	for b.Loop() {
		d.Send(down)
		d.Painted()
	}
}
