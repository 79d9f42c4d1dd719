package panel

import (
	"context"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// refreshEvery is the interval at which lists and documents are refreshed.
const refreshEvery = 30 * time.Second

// A ListPanel is a list of documents on a screen. It loads and filters the rows, and
// keeps the old ones while it refreshes.
type ListPanel[T any] struct {
	List widget.List[T]
	// Load reads the rows in display order; more reports whether there are others.
	Load func(ctx context.Context) (rows []T, more bool, err error)
	// FilterText returns the text of a row that the filter searches.
	FilterText func(row T) string
	// Detail returns what a narrow screen has no column for, of the selected row; may
	// be nil.
	Detail func(row T) string
	// Question is the prompt of the screen, ShortQuestion the one for small screens.
	Question, ShortQuestion string
	// Noun follows the number of rows: "open".
	Noun string

	env         tui.Env
	all         []T
	more        bool
	loadedAt    time.Time
	err         error
	unsupported bool
	filter      widget.Input
	filtering   bool
	ticking     bool
	top         int // line of the first row, for clicks
}

type loadedMsg[T any] struct {
	rows []T
	more bool
	err  error
}

type refreshMsg struct{}

// T returns the panel's translator.
func (p *ListPanel[T]) T() *i18n.Translator { return p.env.T }

// Init starts loading the rows.
func (p *ListPanel[T]) Init(env tui.Env) tea.Cmd {
	p.env = env
	return tea.Batch(p.Reload(), p.tick())
}

// Reload reloads the rows; the old ones stay meanwhile.
func (p *ListPanel[T]) Reload() tea.Cmd {
	return p.env.Latest("rows", func(ctx context.Context) tea.Msg {
		rows, more, err := p.Load(ctx)
		return loadedMsg[T]{rows, more, err}
	})
}

func (p *ListPanel[T]) tick() tea.Cmd {
	if p.ticking {
		return nil
	}
	p.ticking = true
	return p.env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// Update handles the panel's messages and keys; handled reports whether msg was one of
// them.
func (p *ListPanel[T]) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case loadedMsg[T]:
		p.err, p.unsupported = msg.err, session.IsUnsupported(msg.err)
		if msg.err == nil {
			p.all, p.more, p.loadedAt = msg.rows, msg.more, p.env.Now()
			p.applyFilter()
		}
		return nil, true
	case refreshMsg:
		p.ticking = false
		return tea.Batch(p.Reload(), p.tick()), true
	case LocationChangedMsg:
		return p.Reload(), true
	case tea.KeyMsg:
		if p.filtering && p.filter.AcceptsKey(msg) {
			p.filter.Key(msg)
			p.applyFilter()
			return nil, true
		}
		return nil, p.List.Key(msg)
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			return nil, p.List.Click(msg.Y - p.top)
		}
	}
	return nil, false
}

// AcceptsKey reports whether k is text input for the filter.
func (p *ListPanel[T]) AcceptsKey(k tea.KeyMsg) bool { return p.filtering && p.filter.AcceptsKey(k) }

// applyFilter lists the rows that match the filter.
func (p *ListPanel[T]) applyFilter() {
	want := strings.ToLower(strings.TrimSpace(p.filter.Value()))
	var rows []T
	for _, r := range p.all {
		if want == "" || strings.Contains(strings.ToLower(p.FilterText(r)), want) {
			rows = append(rows, r)
		}
	}
	p.List.SetRows(rows)
}

// Rows returns all rows, ignoring the filter.
func (p *ListPanel[T]) Rows() []T { return p.all }

// Loaded reports whether the rows were loaded at least once.
func (p *ListPanel[T]) Loaded() bool { return !p.loadedAt.IsZero() }

// Selected returns the row under the cursor.
func (p *ListPanel[T]) Selected() (T, bool) { return p.List.Selected() }

// EmptyText says why there is no row to choose, or returns "".
func (p *ListPanel[T]) EmptyText() string {
	switch {
	case p.List.Len() > 0:
		return ""
	case !p.Loaded() && p.err == nil:
		return p.T().Get("The list is still loading")
	}
	return p.T().Get("The list is empty")
}

// Actions returns the filter and refresh actions.
func (p *ListPanel[T]) Actions() []tui.Action {
	t := p.T()

	actions := []tui.Action{
		{ID: "dock.filter", Keys: []string{"/"}, Label: t.Get("filter"), Help: t.Get("Show only rows that contain the text"), Run: func() tea.Cmd {
			p.filtering = true
			return nil
		}},
		{ID: "dock.reload", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: p.err == nil, Help: t.Get("Refresh the list"), Run: p.Reload},
	}
	if p.filtering {
		actions[0] = tui.Action{ID: "dock.unfilter", Keys: []string{"esc"}, Label: t.Get("clear filter"), Short: t.Get("all"),
			Help: t.Get("Show all rows"), Run: func() tea.Cmd {
				p.filtering = false
				p.filter.Set("")
				p.applyFilter()
				return nil
			}}
	}
	return actions
}
