// Package paging keeps a list that comes in pages: the next page is asked for
// before the end is reached, the old rows stay while new ones are under way,
// and what went wrong stands beside them.
package paging

import (
	"context"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// A Fetch answers one page: the first one for an empty cursor. A nil next is
// the end; an empty page with a next is not.
type Fetch[T any] func(ctx context.Context, cursor string) (items []T, next *string, err error)

// Pages is a list and how far it is read. Take must see every message of its
// screen.
type Pages[T any] struct {
	List widget.List[T]
	// Noun names the rows: "balances".
	Noun string
	// KeepRows tells that a row never changes and new ones come at the front: a
	// reload then reads what is new alone.
	KeepRows bool

	env      tui.Env
	name     string
	key      func(T) string
	fetch    Fetch[T]
	next     *string
	loading  bool
	loaded   bool
	loadedAt time.Time
	err      error
	appended bool // the last answer only added rows at the end
}

// page is the answer to a question of Pages.
type page[T any] struct {
	owner    *Pages[T]
	items    []T
	next     *string
	first    bool
	merged   bool // the rows that were there follow after items
	loadedAt time.Time
	err      error
}

// New makes pages of rows that key names; name tells them from others on the
// same screen.
func New[T any](name, noun string, key func(T) string) *Pages[T] {
	return &Pages[T]{List: widget.NewList(key), Noun: noun, name: name, key: key}
}

// Load asks for the first page. What is shown stays until it comes.
func (p *Pages[T]) Load(env tui.Env, fetch Fetch[T]) tea.Cmd {
	p.env, p.fetch, p.err = env, fetch, nil
	return p.fetchPage("", true)
}

// Reload asks for the first page again, and for as many as lie before the
// chosen row, which stays chosen.
func (p *Pages[T]) Reload() tea.Cmd { return p.Load(p.env, p.fetch) }

// Clear drops the rows, as for another question than before.
func (p *Pages[T]) Clear() {
	p.List.SetRows(nil)
	p.List.MoveTo(0)
	p.next, p.loaded, p.err = nil, false, nil
}

// More asks for the next page, if there is one and none is under way; again
// where it failed.
func (p *Pages[T]) More() tea.Cmd {
	if p.loading || p.next == nil {
		return nil
	}
	p.err = nil
	return p.fetchPage(*p.next, false)
}

// LoadNear asks for the next page when the chosen row is near the end, unless
// that failed just now: somebody must want it again.
func (p *Pages[T]) LoadNear() tea.Cmd {
	if !p.List.NearEnd() || p.err != nil {
		return nil
	}
	return p.More()
}

// Key moves the choice and goes on reading where it comes near the end, also
// after a failure: who goes down wants more. mine is false for other keys.
func (p *Pages[T]) Key(k tea.KeyMsg) (cmd tea.Cmd, mine bool) {
	switch {
	case !p.List.Key(k):
		return nil, false
	case p.List.NearEnd():
		return p.More(), true
	}
	return nil, true
}

// Retry asks again for the page that failed.
func (p *Pages[T]) Retry() tea.Cmd {
	if p.err == nil || !p.loaded || p.next == nil {
		return p.Reload()
	}
	return p.More()
}

func (p *Pages[T]) fetchPage(cursor string, first bool) tea.Cmd {
	p.loading = true
	fetch, clock, goal := p.fetch, p.env.Clock, reloadGoal[T]{key: p.key}
	if first && p.loaded {
		goal.row = p.List.Cursor()
		if row, ok := p.List.Selected(); ok {
			goal.selectedKey = p.key(row)
		}
		if rows := p.List.Rows(); p.KeepRows && len(rows) > 0 {
			goal.overlapKey = p.key(rows[0])
		}
	}
	return p.env.Latest(p.name, func(ctx context.Context) tea.Msg {
		got := page[T]{owner: p, first: first}
		for {
			var items []T
			items, got.next, got.err = fetch(ctx, cursor)
			got.items = append(got.items, items...)
			if at := goal.overlap(got.items, len(items)); got.err == nil && at >= 0 {
				got.items, got.merged = got.items[:at], true
			}
			// A page may be empty where the service looked long and found nothing yet.
			if got.err != nil || got.merged || got.next == nil || *got.next == cursor || goal.reached(got.items, len(items)) {
				got.loadedAt = clock.Now()
				return got
			}
			cursor = *got.next
		}
	})
}

// reloadGoal is how far a reload must read.
type reloadGoal[T any] struct {
	key         func(T) string
	row         int    // the position of the chosen row; 0 for the first page alone
	selectedKey string // its key
	overlapKey  string // the key of the newest row that is here already
	found       bool   // the chosen row was read
}

// overlap is where the newest row that is here already stands among the items
// that came last, or -1.
func (g reloadGoal[T]) overlap(items []T, last int) int {
	for i := len(items) - last; g.overlapKey != "" && i < len(items); i++ {
		if g.key(items[i]) == g.overlapKey {
			return i
		}
	}
	return -1
}

// reached tells whether enough is read: down to the chosen row, or so far that it
// must be gone.
func (g *reloadGoal[T]) reached(items []T, last int) bool {
	for i := len(items) - last; i < len(items) && !g.found; i++ {
		g.found = g.key(items[i]) == g.selectedKey
	}
	return len(items) > 0 && (g.row == 0 || g.found || len(items) > g.row+2000)
}

// Owns tells whether a message is an answer to one of these pages.
func (p *Pages[T]) Owns(msg tea.Msg) bool {
	got, ok := msg.(page[T])
	return ok && got.owner == p
}

// Handle handles an answer and reports whether it was one of these pages.
func (p *Pages[T]) Handle(msg tea.Msg) bool {
	got, ok := msg.(page[T])
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

// Appended tells whether the last answer only added rows at the end.
func (p *Pages[T]) Appended() bool { return p.appended }

// Refresh asks again when a screen is shown anew; the chosen row stays.
func (p *Pages[T]) Refresh() tea.Cmd {
	if p.fetch == nil {
		return nil
	}
	return p.Reload()
}

// Mouse chooses the row that was clicked, where the list begins top lines below
// the screen's first.
func (p *Pages[T]) Mouse(m tea.MouseMsg, top int) tea.Cmd {
	if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
		p.List.Click(m.Y - top)
	}
	return p.LoadNear()
}

// Err is what the last question failed with, or nil.
func (p *Pages[T]) Err() error { return p.err }

// Loading tells whether an answer is awaited.
func (p *Pages[T]) Loading() bool { return p.loading }

// Loaded tells whether the first page has come.
func (p *Pages[T]) Loaded() bool { return p.loaded }

// Complete tells whether the last page has come.
func (p *Pages[T]) Complete() bool { return p.loaded && p.next == nil }

// Rows paints the list in height lines; on a desk the last of them tells the
// detail of the chosen row, which a narrow list leaves out.
func (p *Pages[T]) Rows(t theme.Theme, size tui.Size, height int, detail func(T) string) []string {
	p.List.NoTitles = size.Small()
	row, chosen := p.List.Selected()
	if chosen && size.Class == tui.Narrow && height >= 7 {
		rows := strings.Split(p.List.View(t, size.Width, height-2), "\n")
		for len(rows) < height-2 {
			rows = append(rows, "")
		}
		return append(rows, dock.DetailLines(t, size.Width, detail(row))...)
	}
	if !chosen || size.Class != tui.Standard {
		return []string{p.List.View(t, size.Width, height)}
	}
	room := size.Width - 2
	return []string{p.List.View(t, size.Width, height-1), " " + t.Muted.Render(widget.Clip(widget.Clean(detail(row)), room))}
}

// Status says in one line where one stands in the list, how old it is while a
// newer one is awaited, and what went wrong.
func (p *Pages[T]) Status(t theme.Theme, width int) string {
	switch {
	case p.err != nil && p.loaded:
		return t.Refused(widget.Clip(p.env.T.Get("%s F5 retries (data is %s old)", firstSentence(dock.UserMessage(p.env.T, p.err)), p.ageText()), width-2))
	case p.err != nil:
		return t.Refused(widget.Clip(p.env.T.Get("%s F5 retries", firstSentence(dock.UserMessage(p.env.T, p.err))), width-2))
	case p.loading && !p.loaded:
		return t.Unconfirmed(p.env.T.Get("loading …"))
	case p.loading:
		return t.Unconfirmed(widget.Clip(p.env.T.Get("loading … data is %s old", p.ageText()), width-2))
	}
	return t.Muted.Render(widget.Clip(p.Position(), width))
}

// firstSentence is the first sentence of some words, so that what to do has room.
func firstSentence(words string) string {
	if head, _, more := strings.Cut(words, ". "); more {
		return head + "."
	}
	return words
}

func (p *Pages[T]) ageText() string { return p.env.T.Ago(p.loadedAt, p.env.Now()) }

// Position is the chosen row's place: "12 of 214 balances", with "+" while
// more follow.
func (p *Pages[T]) Position() string {
	t := p.env.T

	n := p.List.Len()
	if n == 0 {
		return t.Get("no %s", p.Noun)
	}
	more := ""
	if !p.Complete() {
		more = "+"
	}
	return t.Get("%s of %s%s %s", t.Count(int64(p.List.Cursor()+1)), t.Count(int64(n)), more, p.Noun)
}
