package reports

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// totals adds up all rows of a filter page by page, independently of the list. It
// can be stopped and resumed.
type totals struct {
	tui.Env
	groupings []grouping
	f         filter
	fetch     listscreen.Fetch[any]
	noun      string
	balances  bool // the rows are balances, which are not changes

	open    bool // shown in place of the list
	current int  // index of the grouping shown
	list    widget.List[flow]
	sums    *groupSums
	cursor  string
	running bool // pages are being requested one after another
	asked   bool // a request is in flight
	done    bool // the last page is added
	err     error
	chart   *chart     // nil for none
	days    []dayCount // oldest first
}

// pageMsg is a page to add.
type pageMsg struct {
	owner *totals
	rows  []any
	next  *string
	err   error
}

func (t *totals) begin(env tui.Env, f filter, fetch listscreen.Fetch[any], noun string, balances bool) {
	t.Env, t.f, t.fetch, t.noun, t.balances = env, f, fetch, noun, balances
	t.sums = newSums(len(t.groupings))
	t.list = widget.NewList(func(f flow) string { return f.Name })
}

// show opens the totals and starts or resumes adding.
func (t *totals) show() tea.Cmd {
	t.open = true
	if t.done || t.running {
		return nil
	}

	t.running, t.err = true, nil
	if t.asked {
		return nil
	}

	return t.fetchNext()
}

func (t *totals) fetchNext() tea.Cmd {
	t.asked = true
	cursor, fetch := t.cursor, t.fetch
	return t.Watch(func(ctx context.Context) tea.Msg {
		rows, next, err := fetch(ctx, cursor)
		return pageMsg{t, rows, next, err}
	})
}

// stop stops adding and keeps the partial totals.
func (t *totals) stop() tea.Cmd {
	t.running = false
	return nil
}

// handle handles a message and reports whether it was a page to add.
func (t *totals) handle(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(pageMsg)
	if !ok || m.owner != t {
		return nil, false
	}

	t.asked = false
	if m.err != nil {
		t.running, t.err = false, m.err
		return tui.Bell(2), true
	}

	add(t.sums, t.groupings, t.f, m.rows)
	if t.chart != nil {
		t.days = prependDays(t.chart.dayCounts(t.Env, m.rows), t.days)
	}

	t.fillList()
	if m.next == nil || *m.next == t.cursor {
		t.running, t.done = false, true
		return nil, true
	}

	t.cursor = *m.next
	if !t.running {
		return nil, true
	}

	return t.fetchNext(), true
}

// switchGrouping shows the next or previous grouping.
func (t *totals) switchGrouping(direction int) {
	t.current = (t.current + direction + len(t.groupings)) % len(t.groupings)
	t.list.SetRows(nil)
	t.list.MoveTo(0)
	t.fillList()
}

func (t *totals) fillList() { t.list.SetRows(t.sums.lines(t.current, t.groupings[t.current].order)) }

// selectedFilter returns the filter for the selected line, if there is one.
func (t *totals) selectedFilter() (filter, bool) {
	line, ok := t.list.Selected()
	if !ok {
		return filter{}, false
	}

	f, p := t.f, t.groupings[t.current]
	if p.filterBy != nil {
		return p.filterBy(f, line.Name), true
	}
	*f.fields()[p.member] = line.Name

	return f, true
}

func (t *totals) lineName(line flow) string {
	if show := t.groupings[t.current].displayName; show != nil {
		return show(line.Name)
	}
	return line.Name
}

// statusLine shows the progress.
func (t *totals) statusLine(th widget.Theme, width int) string {
	rows := t.T.Count(t.sums.rows)
	switch {
	case t.err != nil:
		return th.Refused(
			widget.Clip(t.T.Get("%s F8 resumes after %s %s", submit.UserMessage(t.T, t.err), rows, t.noun),
				width-2),
		)
	case t.running:
		return th.Unconfirmed(widget.Clip(t.T.Get("totaling… %s %s   esc stops", rows, t.noun), width-2))
	case !t.done:
		return th.Warn(widget.Clip(t.T.Get("stopped after %s %s: F8 resumes", rows, t.noun), width-2))
	}

	counted := api.State(t.f.State)
	if counted == "" {
		counted = api.OnHand
	}

	text := t.T.Get("all %s %s", rows, t.noun)
	if widget.Width(text) > width-2 {
		text = rows + " " + t.noun
	}
	if t.groupings[t.current].header != "state" && width > 40 {
		text += "   " + t.T.Get("in and out are units %s", names.State(t.T, counted))
	}

	return th.OK(widget.Clip(text, width-2))
}

func (t *totals) view(th widget.Theme, size tui.Size) string {
	width := size.Width
	var lines []string
	if size.Small() {
		lines = []string{th.Strong.Render(widget.Clip("‹ "+t.groupings[t.current].title+" ›", width))}
		if size.Class == tui.Narrow || !t.done {
			lines = append(lines, t.statusLine(th, width))
		}
	} else {
		var tabs []string
		for i, p := range t.groupings {
			if i == t.current {
				tabs = append(tabs, th.Strong.Render("‹ "+p.title+" ›"))
			} else {
				tabs = append(tabs, th.Muted.Render(p.title))
			}
		}

		if widget.Width(strings.Join(tabs, "   ")) > width-2 { // "by" is said once
			for i, p := range t.groupings {
				if i != t.current {
					tabs[i] = th.Muted.Render(p.column)
				}
			}
		}

		lines = []string{" " + widget.Clip(strings.Join(tabs, "   "), width-2), " " + t.statusLine(th, width-2)}
	}

	t.list.NoTitles = size.Class == tui.Short
	t.list.Columns = t.columns(size)
	t.list.EmptyText = t.T.Get("There is nothing to total.")
	if t.running {
		t.list.EmptyText = ""
	}

	room := size.Height - len(lines)
	line, ok := t.list.Selected()
	if size.Class != tui.Narrow || !ok || room < 7 {
		return strings.Join(append(lines, t.list.View(th, width, room)), "\n")
	}

	lines = append(lines, t.list.View(th, width, room-2))
	parts := []string{t.lineName(line), t.T.GetN(int(line.Rows), "%s row", "%s rows")}
	if !t.balances {
		parts = append(parts, t.T.Change(line.In), t.T.Change(line.Out))
	}

	return strings.Join(append(lines, listscreen.DetailLines(th, width, 2, listscreen.JoinParts(parts...))...), "\n")
}

// columns returns the name, rows, and quantities in and out, and a bar of the quantity
// moved if there is room.
func (t *totals) columns(size tui.Size) []widget.Column[flow] {
	type col = widget.Column[flow]
	most, digits, format := int64(1), 6, t.T.Change
	if t.balances {
		format = t.T.Count
	}
	for _, l := range t.list.Rows() {
		most = max(most, l.movedQuantity())
		digits = max(digits, widget.Width(format(l.In)), widget.Width(format(l.Out)))
	}

	number := func(title string, rank int, of func(flow) int64, sign bool) col {
		return col{Title: title, Width: digits, Right: true, Rank: rank, Cell: func(l flow) string {
			switch n := of(l); {
			case sign && n != 0:
				return format(n)
			case sign:
				return "·"
			default:
				return t.T.Count(n)
			}
		}}
	}

	name := col{Title: t.groupings[t.current].column, Cell: t.lineName}
	rows := number(t.T.Get("rows"), 0, func(l flow) int64 { return l.Rows }, false)
	in := number(t.T.GetC("in", "column"), 3, func(l flow) int64 { return l.In }, true)
	out := number(t.T.GetC("out", "column"), 4, func(l flow) int64 { return l.Out }, true)
	net := number(t.T.GetC("net", "column"), 5, flow.netQuantity, true)
	switch size.Class {
	case tui.Narrow:
		net.Rank = 0
		if short := t.groupings[t.current].shortName; short != nil {
			name.Cell = func(l flow) string { return short(l.Name, size.Width-4-digits) }
		}
		return []col{name, net}

	case tui.Short: // the signs tell the columns apart, which have no titles
		if in.Rank, out.Rank = 0, 0; t.balances {
			return []col{name, in}
		}
		return []col{name, in, out}
	}

	name.Width = 24
	room := min(60, size.Width-2-name.Width-4*(digits+2)-2)
	bar := col{
		Title: "",
		Width: room,
		Rank:  6,
		Cell:  func(l flow) string { return barText(l.movedQuantity(), most, room) },
		Style: func(_ flow, th widget.Theme, text string) string { return th.Accent.Render(text) },
	}

	return []col{name, rows, in, out, net, bar}
}
