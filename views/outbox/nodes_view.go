package outbox

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
)

// nodeColumns returns the columns of the list for a size.
func nodeColumns(env tui.Env, size tui.Size) []widget.Column[*node] {
	t := env.T

	type col = widget.Column[*node]
	count := func(title, sort string, of func(*node) int64) col {
		return col{Title: title, Width: max(6, widget.Width(title)), Sort: sort, Number: of}
	}
	name := col{Title: t.Get("name"), Sort: "name", Cell: func(n *node) string { return n.Label }}
	state := func(width int, text func(tui.Env, *node) string) col {
		return col{
			Title: t.Get("last seen"),
			Width: width,
			Sort:  "seen",
			Cell:  func(n *node) string { return text(env, n) },
			Time:  func(n *node) *time.Time { return &n.SeenAt },
		}
	}

	open := col{Width: 6, Right: true, Cell: func(n *node) string { return openText(t, n) }}
	switch size.Class {
	case tui.Narrow:
		return []col{name, open}
	case tui.Short:
		return []col{name, state(10, shortState), open}
	}

	return []col{
		name,
		state(18, nodeStateText),
		count(t.Get("pending"), "pending", func(n *node) int64 { return n.Pending }),
		count(t.Get("failed"), "failed", func(n *node) int64 { return n.Failed }),
		{Title: t.Get("locations"), Width: 12, Rank: 1, Cell: func(n *node) string { return locations(t, n) }},
		{Title: t.Get("version"), Width: 10, Rank: 2, Sort: "version", Cell: func(n *node) string { return n.Version }},
		{Title: t.Get("type"), Width: 8, Rank: 3, Cell: func(n *node) string { return kindText(t, n.Kind) }},
	}
}

// nodeDetailHeight is how many lines below the list describe the selected row, by class.
func nodeDetailHeight(class tui.Class) int {
	switch class {
	case tui.Narrow:
		return 6
	case tui.Short:
		return 2
	}

	return 3
}

// nodeStateText says since when a node is gone, whether copies of it are in use, or how wrong
// its clock is.
func nodeStateText(env tui.Env, n *node) string {
	t := env.T
	offset := time.Duration(n.ClockOffset) * time.Millisecond
	switch {
	case isConnected(env, n) && len(n.Copies) > 0:
		return t.Get("in use twice")
	case !isConnected(env, n) || !clockWrong(n):
		return shortState(env, n)
	case offset > 0:
		return t.Get("clock %s slow", t.Span(offset))
	}

	return t.Get("clock %s fast", t.Span(-offset))
}

// shortState is a shorter stateText.
func shortState(env tui.Env, n *node) string {
	t, now := env.T, env.Now()
	switch {
	case !isConnected(env, n):
		return t.Get("%s ago", t.Ago(n.SeenAt, now))
	case len(n.Copies) > 0:
		return t.Get("copied")
	case clockWrong(n):
		return t.Get("clock!")
	}

	return t.Get("connected")
}

func isConnected(env tui.Env, n *node) bool { return env.Now().Sub(n.SeenAt) <= connectedFor }

func clockWrong(n *node) bool {
	return (time.Duration(n.ClockOffset) * time.Millisecond).Abs() > clockTolerance
}

// openText returns the failed operations of a node, or else the pending ones, as in the
// header.
func openText(t *i18n.Translator, n *node) string {
	if n.Failed > 0 {
		return "!" + t.Count(n.Failed)
	}
	return "○" + t.Count(n.Pending)
}

// nodeDetail says all that is known of a node. What needs a person comes first.
func nodeDetail(env tui.Env, n *node) string {
	t := env.T

	failed, pending := "", t.Get("%s pending", t.Count(n.Pending))
	if n.Failed > 0 {
		failed = t.Get("%s failed", t.Count(n.Failed))
	}

	oldest := ""
	if n.Oldest != nil {
		oldest = t.Get("oldest from %s", t.TimeOrDay(*n.Oldest, env.Now()))
	}

	where := t.Get("all locations")
	if len(n.Locations) > 0 {
		where = strings.Join(n.Locations, " ")
	}

	return listscreen.JoinParts(n.Label, nodeStateText(env, n), strings.Join(n.Copies, " + "), failed, pending, oldest,
		where, kindText(t, n.Kind), n.Version)
}

func locations(t *i18n.Translator, n *node) string {
	if len(n.Locations) == 0 {
		return t.GetC("all", "locations")
	}
	return strings.Join(n.Locations, " ")
}

func kindText(t *i18n.Translator, kind api.NodeKind) string {
	if kind == api.NodeEdge {
		return t.GetC("edge", "node")
	}
	return t.Get("terminal")
}
