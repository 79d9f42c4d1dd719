package e2e_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

// rows is a screen with a list of 100,000 rows.
type rows struct {
	env  tui.Env
	list widget.List[int]
}

func (r *rows) Init(env tui.Env) tea.Cmd { r.env = env; return nil }
func (r *rows) Title() string            { return "Movements" }
func (r *rows) Actions() []tui.Action    { return nil }
func (r *rows) View(s tui.Size) string   { return r.list.View(r.env.Theme, s.Width, s.Height) }

func (r *rows) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		r.list.Key(k)
	}
	return r, nil
}

func manyRows(tui.Env) (tui.Screen, error) {
	r := &rows{list: widget.NewList(func(i int) string { return fmt.Sprint(i) },
		widget.Column[int]{Title: "sku", Cell: func(i int) string { return fmt.Sprintf("OAT-%d", i) }},
		widget.Column[int]{Title: "operation", Width: 17, Rank: 1, Cell: func(int) string { return "inbound_receive" }},
		widget.Column[int]{Title: "after", Width: 9, Right: true, Cell: func(i int) string { return i18n.New(i18n.Language{}).Count(int64(i)) }})}
	all := make([]int, 100_000)
	for i := range all {
		all[i] = i
	}
	r.list.SetRows(all)
	return r, nil
}

// terminalOutput collects the program's output and notifies of each write.
type terminalOutput struct {
	mu     sync.Mutex
	text   bytes.Buffer
	notify chan struct{}
}

func (p *terminalOutput) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.text.Write(b)
	p.mu.Unlock()
	select {
	case p.notify <- struct{}{}:
	default:
	}
	return len(b), nil
}

// waitFor waits until text is painted after the last match.
func (p *terminalOutput) waitFor(b *testing.B, text string) {
	b.Helper()
	late := time.After(waitTimeout)
	for {
		p.mu.Lock()
		found := bytes.Contains([]byte(ansi.Strip(p.text.String())), []byte(text))
		if found {
			p.text.Reset()
		}
		p.mu.Unlock()
		if found {
			return
		}
		select {
		case <-p.notify:
		case <-late:
			b.Fatalf("%q was not painted", text)
		}
	}
}

// BenchmarkKeyToFrame measures the time from a key to the painted bytes, in a list of
// 100,000 rows at 200x60.
func BenchmarkKeyToFrame(b *testing.B) {
	p := &terminalOutput{notify: make(chan struct{}, 1)}
	s := tuitest.Start(b, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", manyRows), Output: p})
	s.Size(200, 60)
	p.waitFor(b, "OAT-50 ")
	var times durations
	for i := 1; b.Loop(); i++ {
		<-time.After(time.Duration(17+i*7%23) * time.Millisecond) // not in step with the frames
		begun := time.Now()
		s.Input("\x1b[B")
		p.waitFor(b, fmt.Sprintf("▸ OAT-%d ", i))
		times = append(times, time.Since(begun))
	}
	times.report(b, "p50", "p99", "max")
}
