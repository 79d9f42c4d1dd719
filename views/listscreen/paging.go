package listscreen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// A Fetch returns a page, the first one for an empty cursor. Only a nil next marks
// the last page; an empty page with a next does not.
type Fetch[T any] func(ctx context.Context, cursor string) (items []T, next *string, err error)

// Pages is a list with its loading state. Handle must receive every message of the
// screen.
type Pages struct {
	tui.Env
	List widget.Table
	// Noun is what the rows are called: "balances".
	Noun string
	// KeepRows says that rows never change and new ones come first, so a reload only
	// requests the new ones.
	KeepRows bool

	name     string
	fetch    Fetch[any]
	next     *string
	loading  bool
	loaded   bool
	loadedAt time.Time
	err      error
	appended bool // the last page was appended
}

// page is the result of a request.
type page struct {
	owner    *Pages
	items    []any
	next     *string
	first    bool
	merged   bool // items come before the existing rows
	loadedAt time.Time
	err      error
}

// NewPages returns pages of rows with the given key. The name is unique on the screen.
func NewPages[R any](name, noun string, key func(row R) string) *Pages {
	return &Pages{List: widget.Table{KeyOf: widget.BoxedFunc(key)}, Noun: noun, name: name}
}

// Boxed returns a Fetch of pointers to the rows of another, for Pages.
func Boxed[E any](fetch Fetch[E]) Fetch[any] {
	return func(ctx context.Context, cursor string) ([]any, *string, error) {
		rows, next, err := fetch(ctx, cursor)
		return widget.Boxed(widget.Pointers(rows)), next, err
	}
}

// Load requests the first page. The current rows stay until it arrives.
func (p *Pages) Load(env tui.Env, fetch Fetch[any]) tea.Cmd {
	p.Env, p.fetch, p.err = env, fetch, nil
	return p.fetchPage("", true)
}

// Reload requests all pages up to the selected row, which stays selected.
func (p *Pages) Reload() tea.Cmd { return p.Load(p.Env, p.fetch) }

// Clear removes the rows, for a different query.
func (p *Pages) Clear() {
	p.List.SetRows(nil)
	p.List.MoveTo(0)
	p.next, p.loaded, p.err = nil, false, nil
}

// More requests the next page unless there is none or a request is in flight. It
// also retries a failed page.
func (p *Pages) More() tea.Cmd {
	if p.loading || p.next == nil {
		return nil
	}
	p.err = nil
	return p.fetchPage(*p.next, false)
}

// LoadNear requests the next page if the selected row is near the end, unless the
// last request failed.
func (p *Pages) LoadNear() tea.Cmd {
	if !p.List.NearEnd() || p.err != nil {
		return nil
	}
	return p.More()
}

// Key moves the selection and requests the next page near the end, even after an
// error. handled is false for other keys.
func (p *Pages) Key(k tea.KeyMsg) (cmd tea.Cmd, handled bool) {
	switch {
	case !p.List.Key(k):
		return nil, false
	case p.List.NearEnd():
		return p.More(), true
	}

	return nil, true
}

// Retry repeats the failed request.
func (p *Pages) Retry() tea.Cmd {
	if p.err == nil || !p.loaded || p.next == nil {
		return p.Reload()
	}
	return p.More()
}

func (p *Pages) fetchPage(cursor string, first bool) tea.Cmd {
	p.loading = true
	fetch, clock, goal := p.fetch, p.Clock, reloadGoal{key: p.List.KeyOf}
	if first && p.loaded {
		goal.row = p.List.Cursor()
		if row := p.List.Selected(); row != nil {
			goal.selectedKey = p.List.KeyOf(row)
		}
		if rows := p.List.Rows(); p.KeepRows && len(rows) > 0 {
			goal.overlapKey = p.List.KeyOf(rows[0])
		}
	}

	return p.Latest(p.name, func(ctx context.Context) tea.Msg {
		got := page{owner: p, first: first}
		for {
			var items []any
			items, got.next, got.err = fetch(ctx, cursor)
			got.items = append(got.items, items...)
			if at := goal.overlap(got.items, len(items)); got.err == nil && at >= 0 {
				got.items, got.merged = got.items[:at], true
			}
			// A page may be empty although more follow.
			if got.err != nil || got.merged || got.next == nil || *got.next == cursor ||
				goal.reached(got.items, len(items)) {
				got.loadedAt = clock.Now()
				return got
			}

			cursor = *got.next
		}
	})
}

// reloadGoal says how far a reload must read.
type reloadGoal struct {
	key         func(row any) string
	row         int    // position of the selected row; 0 for the first page only
	selectedKey string // key of the selected row
	overlapKey  string // key of the newest existing row
	found       bool   // the selected row was read
}

// overlap returns the position of the newest existing row within the last items, or
// -1.
func (g reloadGoal) overlap(items []any, last int) int {
	for i := len(items) - last; g.overlapKey != "" && i < len(items); i++ {
		if g.key(items[i]) == g.overlapKey {
			return i
		}
	}

	return -1
}

// reached reports whether the selected row was read, or is so far behind that it
// must be gone.
func (g *reloadGoal) reached(items []any, last int) bool {
	for i := len(items) - last; i < len(items) && !g.found; i++ {
		g.found = g.key(items[i]) == g.selectedKey
	}
	return len(items) > 0 && (g.row == 0 || g.found || len(items) > g.row+2000)
}

// Owns reports whether a message belongs to these pages.
func (p *Pages) Owns(msg tea.Msg) bool {
	got, ok := msg.(page)
	return ok && got.owner == p
}

// Handle handles a page and reports whether it belongs to these pages.
func (p *Pages) Handle(msg tea.Msg) bool {
	got, ok := msg.(page)
	if !ok || got.owner != p {
		return false
	}

	p.loading, p.err, p.appended = false, got.err, false
	if got.err != nil {
		return true
	}
	if got.merged {
		p.loadedAt = got.loadedAt
		p.List.SetRows(append(got.items, p.List.Rows()...))
		return true
	}

	p.next, p.List.More = got.next, got.next != nil
	if got.first {
		p.loaded, p.loadedAt = true, got.loadedAt
		p.List.SetRows(got.items)
		return true
	}

	p.List.Append(got.items...)
	p.appended = true

	return true
}

// Appended reports whether the last page was appended.
func (p *Pages) Appended() bool { return p.appended }

// Refresh reloads the pages when the screen is shown again.
func (p *Pages) Refresh() tea.Cmd {
	if p.fetch == nil {
		return nil
	}
	return p.Reload()
}

// Mouse selects the clicked row of a list that starts top lines below the first line
// of the screen.
func (p *Pages) Mouse(m tea.MouseMsg, top int) tea.Cmd {
	if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
		p.List.Click(m.Y - top)
	}
	return p.LoadNear()
}

// Err returns the error of the last request.
func (p *Pages) Err() error { return p.err }

// Loading reports whether a request is in flight.
func (p *Pages) Loading() bool { return p.loading }

// Loaded reports whether the first page has arrived.
func (p *Pages) Loaded() bool { return p.loaded }

// Complete reports whether the last page has arrived.
func (p *Pages) Complete() bool { return p.loaded && p.next == nil }

// SortLimit is how many rows of a report or list are read so that they can be sorted.
const SortLimit = 5000

// ReadAhead returns a Fetch whose first page has all rows, if there are at most limit.
func ReadAhead[T any](fetch Fetch[T], limit int) Fetch[T] {
	return func(ctx context.Context, cursor string) (items []T, next *string, err error) {
		items, next, err = fetch(ctx, cursor)
		for cursor == "" && err == nil && next != nil && len(items) < limit {
			var more []T
			before := *next
			more, next, err = fetch(ctx, before)
			items = append(items, more...)
			if next != nil && *next == before {
				break
			}
		}

		return items, next, err
	}
}

// ReadLimit is how many rows of a list are read that is not sorted by a column.
const ReadLimit = 500

// ReadAll reads a list page by page to its end or to atMost rows; more reports whether rows
// are left. read reads one page.
func ReadAll[T any](atMost int, read func(page api.Page) (api.List[T], error)) (rows []T, more bool, err error) {
	limit := int64(100)
	page := api.Page{Limit: &limit}
	for {
		list, err := read(page)
		if err != nil {
			return nil, false, err
		}
		if rows = append(rows, list.Items...); list.NextCursor == nil || len(rows) >= atMost {
			return rows, list.NextCursor != nil, nil
		}
		page.Cursor = *list.NextCursor
	}
}
