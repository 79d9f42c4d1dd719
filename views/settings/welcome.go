package settings

import (
	"context"
	"errors"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// WelcomeRoute is the route of the welcome screen.
const WelcomeRoute = "welcome"

// Welcome returns the factory of the welcome screen: create a company, open the
// demo, or connect to a service.
func Welcome(hooks Hooks) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) { return &welcome{hooks: hooks, Env: env}, nil }
}

// page is a page of the welcome screen.
type page int

const (
	pageChoose page = iota
	pageCreate
	pageConnect
)

// welcome is the first screen of a machine without data.
type welcome struct {
	tui.Env
	hooks    Hooks
	page     page
	fields   []widget.Field
	form     *widget.Form
	busy     bool
	progress string
	result   string
	failed   bool
}

// doneMsg is the result of Create, Demo or Connect.
type doneMsg struct{ err error }

func (w *welcome) Init(tui.Env) tea.Cmd { return nil }
func (w *welcome) Busy() bool           { return w.busy }

func (w *welcome) Title() string {
	t := w.T

	switch w.page {
	case pageCreate:
		return t.Get("Welcome › Create a company")
	case pageConnect:
		return t.Get("Welcome › Connect to a service")
	}

	return t.Get("Welcome")
}

func (w *welcome) AcceptsKey(k tea.KeyMsg) bool {
	return w.form != nil && (k.Type == tea.KeyEsc || w.form.AcceptsKey(k))
}

func (w *welcome) OnScan(got scan.Scan) tea.Cmd {
	if w.form == nil {
		return tui.Warn(w.T.Get("Choose 1, 2 or 3 first"))
	}
	return takeScan(w.T, w.form, got)
}

func (w *welcome) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case w.form == nil || w.busy:
		case msg.Type == tea.KeyEsc:
			w.page, w.form, w.result = pageChoose, nil, ""
		case w.form.AcceptsKey(msg) && w.form.Key(msg):
			return w, w.submit()
		}

	case doneMsg:
		w.busy = false
		if msg.err != nil {
			return w, tui.Fail(errors.New(errorText(w.T, msg.err)))
		}
		if w.hooks.Enter != nil {
			return w, w.hooks.Enter()
		}
		return w, tui.Replace("home")

	case testedMsg:
		w.busy, w.failed = false, msg.err != nil
		if msg.err != nil {
			w.result = errorText(w.T, msg.err)
			return w, tui.Bell(2)
		}
		w.result = describeAccess(w.T, msg.answer)
		return w, tui.Accepted()
	}

	return w, nil
}

// openPage opens one of the two forms.
func (w *welcome) openPage(p page) tea.Cmd {
	t := w.T

	w.page, w.result = p, ""
	w.fields = []widget.Field{
		{Name: "name", Label: t.Get("Company"), Required: true, Hint: t.Get("Harbor Goods")},
		{Name: "code", Label: t.Get("Location"), Required: true, Hint: t.Get("WH-1")},
		{Name: "location", Label: t.Get("Name"), Hint: t.Get("Main warehouse")},
		{Name: "operator", Label: t.Get("Operator"), Hint: t.Get("Ada")},
	}

	if p == pageConnect {
		w.fields = []widget.Field{
			{
				Name:     "url",
				Label:    t.Get("Service"),
				Required: true,
				Hint:     t.Get("https://stock.example.com"),
				Check:    checkURL(t),
			},
			{
				Name:     "organization",
				Label:    t.Get("Organization"),
				Required: true,
				Hint:     t.Get("its ID"),
				Check:    checkOrganization(t),
			},
			{Name: "key", Label: t.Get("Key"), Secret: true, Required: true},
		}
	}

	w.form = widget.NewForm(t, w.fields...)

	return nil
}

func (w *welcome) connection() Connection {
	return Connection{URL: w.form.Value("url"), Organization: w.form.Value("organization"), Key: w.form.Value("key")}
}

func (w *welcome) submit() tea.Cmd {
	if !w.form.Validate() {
		return tui.Bell(2)
	}
	if w.page == pageConnect {
		c := w.connection()
		return w.run(w.T.Get("Connecting"), func(ctx context.Context) error { return w.hooks.Connect(ctx, c) })
	}

	c := Company{Name: w.form.Value("name"), LocationCode: w.form.Value("code"),
		LocationName: w.form.Value("location"), Operator: w.form.Value("operator")}
	if c.LocationName == "" {
		c.LocationName = c.LocationCode
	}

	return w.run(w.T.Get("Creating the company"), func(ctx context.Context) error { return w.hooks.Create(ctx, c) })
}

func (w *welcome) run(progress string, fn func(context.Context) error) tea.Cmd {
	w.busy, w.progress = true, progress
	return w.DoFor(time.Minute, func(ctx context.Context) tea.Msg { return doneMsg{fn(ctx)} })
}

func (w *welcome) test() tea.Cmd {
	if !w.form.Validate() {
		return tui.Bell(2)
	}

	c := w.connection()
	w.busy, w.progress, w.result = true, w.T.Get("Testing"), ""

	return w.Do(func(ctx context.Context) tea.Msg {
		a, err := w.hooks.Test(ctx, c)
		return testedMsg{a, err}
	})
}
