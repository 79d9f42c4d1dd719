package dock

import (
	"bincard/tui/i18n"
	"context"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

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
func (b *ListPanel[T]) T() *i18n.Translator { return b.env.T }

// Init starts loading the rows.
func (b *ListPanel[T]) Init(env tui.Env) tea.Cmd {
	b.env = env
	return tea.Batch(b.Reload(), b.tick())
}

// Reload reloads the rows; the old ones stay meanwhile.
func (b *ListPanel[T]) Reload() tea.Cmd {
	return b.env.Latest("rows", func(ctx context.Context) tea.Msg {
		rows, more, err := b.Load(ctx)
		return loadedMsg[T]{rows, more, err}
	})
}

func (b *ListPanel[T]) tick() tea.Cmd {
	if b.ticking {
		return nil
	}
	b.ticking = true
	return b.env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// Update handles the panel's messages and keys; handled reports whether msg was one of
// them.
func (b *ListPanel[T]) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case loadedMsg[T]:
		b.err, b.unsupported = msg.err, IsUnsupported(msg.err)
		if msg.err == nil {
			b.all, b.more, b.loadedAt = msg.rows, msg.more, b.env.Now()
			b.applyFilter()
		}
		return nil, true
	case refreshMsg:
		b.ticking = false
		return tea.Batch(b.Reload(), b.tick()), true
	case LocationChangedMsg:
		return b.Reload(), true
	case tea.KeyMsg:
		if b.filtering && b.filter.AcceptsKey(msg) {
			b.filter.Key(msg)
			b.applyFilter()
			return nil, true
		}
		return nil, b.List.Key(msg)
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			return nil, b.List.Click(msg.Y - b.top)
		}
	}
	return nil, false
}

// AcceptsKey reports whether k is text input for the filter.
func (b *ListPanel[T]) AcceptsKey(k tea.KeyMsg) bool { return b.filtering && b.filter.AcceptsKey(k) }

// applyFilter lists the rows that match the filter.
func (b *ListPanel[T]) applyFilter() {
	want := strings.ToLower(strings.TrimSpace(b.filter.Value()))
	var rows []T
	for _, r := range b.all {
		if want == "" || strings.Contains(strings.ToLower(b.FilterText(r)), want) {
			rows = append(rows, r)
		}
	}
	b.List.SetRows(rows)
}

// Rows returns all rows, ignoring the filter.
func (b *ListPanel[T]) Rows() []T { return b.all }

// Loaded reports whether the rows were loaded at least once.
func (b *ListPanel[T]) Loaded() bool { return !b.loadedAt.IsZero() }

// Selected returns the row under the cursor.
func (b *ListPanel[T]) Selected() (T, bool) { return b.List.Selected() }

// EmptyText says why there is no row to choose, or returns "".
func (b *ListPanel[T]) EmptyText() string {
	switch {
	case b.List.Len() > 0:
		return ""
	case !b.Loaded() && b.err == nil:
		return b.T().Get("The list is still loading")
	}
	return b.T().Get("The list is empty")
}

// Actions returns the filter and refresh actions.
func (b *ListPanel[T]) Actions() []tui.Action {
	t := b.T()

	actions := []tui.Action{
		{ID: "dock.filter", Keys: []string{"/"}, Label: t.Get("filter"), Help: t.Get("Show only rows that contain the text"), Run: func() tea.Cmd {
			b.filtering = true
			return nil
		}},
		{ID: "dock.reload", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: b.err == nil, Help: t.Get("Refresh the list"), Run: b.Reload},
	}
	if b.filtering {
		actions[0] = tui.Action{ID: "dock.unfilter", Keys: []string{"esc"}, Label: t.Get("clear filter"), Short: t.Get("all"),
			Help: t.Get("Show all rows"), Run: func() tea.Cmd {
				b.filtering = false
				b.filter.Set("")
				b.applyFilter()
				return nil
			}}
	}
	return actions
}
