package shell_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// menu is a home screen with two jobs.
type menu struct{ env tui.Env }

func (h *menu) Init(env tui.Env) tea.Cmd             { h.env = env; return nil }
func (h *menu) Update(tea.Msg) (tui.Screen, tea.Cmd) { return h, nil }
func (h *menu) Title() string                        { return "" }

func (h *menu) View(size tui.Size) string {
	q := widget.Question{Ask: "Scan anything or choose a job"}
	return q.View(h.env.Theme, size.Width) + "\n\n  1 Receive        12 expected"
}

func (h *menu) Actions() []tui.Action {
	return []tui.Action{
		{ID: "home.receive", Key: "1", Label: "receive", Run: func() tea.Cmd { return tui.Open("receive/PO-1") }},
		{ID: "home.ship", Key: "2", Label: "ship", Disabled: func() string { return "Nothing is to be shipped" }},
	}
}

func (h *menu) OnScan(s scan.Scan) tea.Cmd { return tui.Open(tui.Path("receive", s.Text)) }

// jobScreen is a sample job: it counts scans and books them.
type jobScreen struct {
	env        tui.Env
	question   widget.Question
	feed       widget.Feed
	now        int
	busy       bool
	stayReason string
	slow       bool     // counts scans with Env.Do
	lookup     bool     // looks codes up with Env.Do, which fails
	got        []string // every message and scan, for the tests
}

func newJobScreen(env tui.Env) (tui.Screen, error) {
	if env.Route.Param("id") == "NONE" {
		return nil, errors.New("there is no inbound NONE: scan it again or look it up with F2")
	}
	d := &jobScreen{question: widget.Number("Scan a box, a piece or a lot, or type a number")}
	if draft, ok := env.Draft(); ok {
		d.now, _ = strconv.Atoi(string(draft))
	}
	return d, nil
}

type (
	bookedMsg  struct{ n int }
	unknownMsg string
	countedMsg int
)

func (d *jobScreen) Init(env tui.Env) tea.Cmd { d.env = env; return nil }
func (d *jobScreen) Title() string            { return "Receive › " + d.env.Route.Param("id") }
func (d *jobScreen) Busy() bool               { return d.busy }
func (d *jobScreen) CanLeave() (bool, string) { return d.stayReason == "", d.stayReason }

func (d *jobScreen) Snapshot() []byte {
	if d.now == 0 {
		return nil
	}
	return []byte(strconv.Itoa(d.now))
}

func (d *jobScreen) AcceptsKey(k tea.KeyMsg) bool { return d.question.AcceptsKey(k) }

func (d *jobScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		d.got = append(d.got, "key "+msg.String())
		if text, done := d.question.Key(msg); done {
			d.now, _ = strconv.Atoi(text)
		}
	case countedMsg:
		d.now += int(msg)
	case unknownMsg:
		return d, tui.Fail(errors.New(string(msg)))
	case bookedMsg:
		d.busy, d.now = false, 0
		return d, tui.Toast(fmt.Sprintf("booked %d", msg.n))
	default:
		d.got = append(d.got, fmt.Sprint(msg))
	}
	return d, nil
}

func (d *jobScreen) OnScan(s scan.Scan) tea.Cmd {
	d.got = append(d.got, s.Text)
	switch {
	case d.slow:
		return d.env.Do(func(context.Context) tea.Msg { return countedMsg(12) })
	case d.lookup:
		return d.env.Do(func(context.Context) tea.Msg { return unknownMsg(s.Text + " is unknown") })
	case s.Text == "WRONG1":
		return tui.Fail(errors.New("OAT-1L was expected, this is SOY-1L (Soy drink 1 l). Nothing was counted"),
			tui.Action{ID: "panel.other", Key: "f8", Label: "receive it on another delivery",
				Run: func() tea.Cmd { return tui.Toast("another delivery") }})
	case s.Text == "DOUBT1":
		return tui.ConfirmScan("L99-X is another lot than before", s, func() tea.Cmd { d.now += 100; return tui.Accepted() })
	}
	d.now += 12
	d.feed.OK("box", s.Text, "+12", strconv.Itoa(d.now))
	return tui.Accepted()
}

func (d *jobScreen) book() tea.Cmd {
	d.busy = true
	n := d.now
	return d.env.Do(func(context.Context) tea.Msg { return bookedMsg{n} })
}

func (d *jobScreen) Actions() []tui.Action {
	nothing := func() string {
		if d.now == 0 {
			return "Nothing is counted yet"
		}
		return ""
	}
	return []tui.Action{
		{ID: "panel.record", Key: "enter", Label: fmt.Sprintf("book %d", d.now), Disabled: nothing, Run: d.book},
		{ID: "panel.all", Key: "+", Label: "all 144", Short: "all", Run: func() tea.Cmd { d.now = 144; return nil }},
		{ID: "panel.damaged", Key: "f4", Label: "damaged", Short: "dam", Run: func() tea.Cmd {
			return tui.Prompt(tui.Request{Text: "How many are damaged?", OnText: func(s string) tea.Cmd { d.got = append(d.got, "damaged "+s); return nil }})
		}},
		{ID: "panel.short", Key: "f5", Label: "close short", Short: "short", Dangerous: true,
			Ask: "Close PO-1 with 144 pieces missing?", Run: func() tea.Cmd { d.got = append(d.got, "closed"); return nil }},
	}
}

func (d *jobScreen) View(size tui.Size) string {
	t := d.env.Theme
	pairs := []widget.Pair{{Label: "expected", Value: "240"}, {Label: "received", Value: "96"}, {Label: "now", Value: strconv.Itoa(d.now)}}
	top := widget.Fields(t, size.Width, pairs...)
	if size.Class == tui.Short {
		top = widget.Row(t, size.Width, pairs...)
	}
	return strings.Join([]string{top, widget.Bar(t, 96, 240, min(20, size.Width)), d.question.View(t, size.Width),
		d.feed.View(t, size.Width, 5)}, "\n")
}

func registry() *tui.Registry {
	return tui.NewRegistry().
		Add("home", "Home", func(tui.Env) (tui.Screen, error) { return &menu{}, nil }).
		Add("receive/{id}", "Receive", newJobScreen).
		Add("probe", "Probe", func(tui.Env) (tui.Screen, error) { return &probe{}, nil }).
		Add("probe/{n}", "", func(tui.Env) (tui.Screen, error) { return &probe{}, nil })
}

func status() tui.Status {
	return tui.Status{Company: "Harbor Goods", Environment: "TEST", Location: "WH-1 Main warehouse",
		Operator: "Ada", Connection: "ONLINE 2s"}
}

// openShell starts a shell on a jobScreen.
func openShell(t *testing.T, change ...func(*shell.Options)) (*tuitest.Driver, *jobScreen) {
	t.Helper()
	opts := shell.Options{Registry: registry(), Status: status(), Start: []string{"receive/PO-1"}}
	for _, c := range change {
		c(&opts)
	}
	d := tuitest.New(t, opts)
	top, _ := d.Model.Top().(*jobScreen)
	return d, top
}

// probe is a screen that runs the commands of a test.
type probe struct {
	env  tui.Env
	got  []string
	view string
	acts []tui.Action
	next func() tea.Cmd

	approvedBy string // at Init
}

func (p *probe) Init(env tui.Env) tea.Cmd { p.env, p.approvedBy = env, env.ApprovedBy(); return nil }
func (p *probe) Title() string            { return "Probe" }
func (p *probe) View(tui.Size) string     { return p.view }

// Actions returns the given actions, and F9, which runs next.
func (p *probe) Actions() []tui.Action {
	run := tui.Action{ID: "probe.run", Key: "f9", Label: "run", Run: func() tea.Cmd { return p.next() }}
	return append([]tui.Action{run}, p.acts...)
}

func (p *probe) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case thenMsg:
		return p, msg.cmd
	case turnMsg:
		return p, msg()
	}
	p.got = append(p.got, fmt.Sprint(msg))
	return p, nil
}

// thenMsg makes the probe return a command.
type thenMsg struct{ cmd tea.Cmd }

// turnMsg runs in a turn of the probe.
type turnMsg func() tea.Cmd

// newProbe starts a shell on a probe.
func newProbe(t *testing.T, change ...func(*shell.Options)) (*tuitest.Driver, *probe) {
	t.Helper()
	d, _ := openShell(t, append(change, func(o *shell.Options) { o.Start = []string{"probe"} })...)
	return d, d.Model.Top().(*probe)
}
