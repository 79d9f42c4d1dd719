package panel

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A nextDocument is the document that a finished one offers to open.
type nextDocument struct {
	id   api.ID // zero if none is offered
	name string
	due  *time.Time
	// none says why none is offered, and noneShort on small screens.
	none, noneShort string
	open            func() tea.Cmd
	// since is when it was offered.
	since time.Time
}

// atEnd reports whether nothing can be done on the document now, with a total counted: it is
// finished, or its rest waits for stock.
func (d CountDocument) atEnd(total int64) bool {
	return d.ClosedReason != "" || d.RestWaits && total == 0
}

// known reports whether it was read what is next.
func (n nextDocument) known() bool { return n.name != "" || n.none != "" }

// nextMsg carries the open documents of the job.
type nextMsg[T any] struct {
	docs []T
	err  error
}

// readNext reads which document is next, if this one is finished and it was not read just
// now.
func (d *DocumentScreen[T]) readNext() tea.Cmd {
	p := d.Panel
	switch now := p.Env.Now(); {
	case d.Doc == nil || d.kind.Open == nil || p.Sending() || p.HasSubmission():
		return nil
	case !p.Document.atEnd(p.Total()):
		p.next, d.nextAt = nextDocument{}, time.Time{}
		return nil
	case !d.nextAt.IsZero() && now.Sub(d.nextAt) < refreshEvery:
		return nil
	default:
		d.nextAt = now
	}

	at := d.site.Location()

	return p.Env.Latest("next", func(ctx context.Context) tea.Msg {
		docs, err := d.kind.Open(ctx, at)
		return nextMsg[T]{docs, err}
	})
}

// nextRead offers the next document. One that is offered already stays as long as it is
// open, so that enter keeps its meaning. Without an answer, the next one can be scanned.
func (d *DocumentScreen[T]) nextRead(m nextMsg[T]) {
	if m.err != nil || !d.Panel.Document.atEnd(d.Panel.Total()) {
		return
	}

	docs := slices.DeleteFunc(m.docs, func(doc T) bool { return d.isIn(d.Doc, d.kind.IDs(&doc)[0].String()) })
	next := d.chooseNext(docs)
	if next == nil {
		return
	}

	offer := nextDocument{id: d.kind.IDs(next)[0], name: d.kind.Name(next), since: d.Now()}
	if d.kind.Due != nil {
		offer.due = d.kind.Due(next, d.Now().Location())
	}
	if d.isIn(next, d.Panel.next.id.String()) {
		offer.since = d.Panel.next.since
	}

	routes := d.routes(next)
	offer.open = func() tea.Cmd { return tui.Replace(cmp.Or(DraftRoute(d.Panel.Env, routes...), routes[0])) }
	d.Panel.next = offer
	d.site.Pass(d.kind.IDs(next)...)
}

// chooseNext returns the document to offer: the one that is offered already, else the most
// urgent one that the operator did not pass over and that nobody else works on. If there is
// none, it notes the reason and returns nil.
func (d *DocumentScreen[T]) chooseNext(docs []T) *T {
	t := d.T

	taken := d.takenRoutes()
	none := nextDocument{none: t.Get("Nothing else is open here."), noneShort: t.Get("nothing else open")}
	var next, passed *T
	for i := range docs {
		doc := &docs[i]
		switch {
		case d.kind.Ready != nil && !d.kind.Ready(doc):
			none.none, none.noneShort = t.Get("Nothing else is ready here."), t.Get("nothing else ready")
		case slices.ContainsFunc(d.routes(doc), func(route string) bool { return taken[route] }):
			none.none, none.noneShort = t.Get("Other operators are working on the rest."), t.Get("others do the rest")
		case d.isIn(doc, d.Panel.next.id.String()):
			return doc
		case !d.site.Passed(d.kind.IDs(doc)...):
			next = cmp.Or(next, doc)
		default:
			passed = cmp.Or(passed, doc)
		}
	}

	next = cmp.Or(next, passed)
	if next == nil {
		d.Panel.next = none
	}

	return next
}

// takenRoutes returns the routes under which only other operators have a draft, or that are
// open at another terminal.
func (d *DocumentScreen[T]) takenRoutes() map[string]bool {
	env, taken := d.Panel.Env, map[string]bool{}
	list, err := env.Drafts.List()
	if err != nil {
		env.Log.Error("cannot list drafts", "error", err)
	}
	for _, work := range env.Presence.Others() {
		taken[work.Route] = true
	}
	for _, draft := range list {
		if draft.Owner != "" && draft.Owner != env.Operator {
			taken[draft.Route] = true
		}
	}

	for _, draft := range list {
		if draft.Owner == "" || draft.Owner == env.Operator {
			delete(taken, draft.Route)
		}
	}

	return taken
}

// text says which document enter opens, or why enter opens none. It returns "" if neither is
// known yet.
func (n nextDocument) text(t *i18n.Translator, now time.Time, small bool) string {
	due := n.dueText(t, now)
	switch name := widget.Clean(n.name); {
	case n.name == "" && small:
		return n.noneShort
	case n.name == "":
		return n.none
	case small && due == "":
		return t.Get("next: %s", name)
	case small:
		return t.Get("next: %s", name) + ", " + due
	case due == "":
		return t.Get("Enter opens %s.", name)
	default:
		return t.Get("Enter opens %s, %s.", name, due)
	}
}

// dueText says when the document is due, or "".
func (n nextDocument) dueText(t *i18n.Translator, now time.Time) string {
	switch {
	case n.due == nil:
		return ""
	case !n.due.Before(now):
		return t.Get("due %s", t.When(*n.due, now))
	}

	late := now.Sub(*n.due)
	if late >= time.Hour && late < 48*time.Hour {
		late = late.Truncate(time.Hour)
	}

	return t.Get("%s overdue", t.Span(late))
}

// offerTime is how long an operator needs to see which document is offered.
const offerTime = 500 * time.Millisecond

// actions returns the actions that open the document: one on enter, which runs onEnter, and
// one for operators who ask for it by its name.
func (n *nextDocument) actions(t *i18n.Translator, onEnter func() tea.Cmd) []tui.Action {
	help := t.Get("Open the document that is due next")
	byName := tui.Action{ID: "panel.next", Key: "ctrl+n", Command: tui.DoNext, Label: t.Get("next document"),
		NoFooter: true, Help: help, Run: func() tea.Cmd { return n.open() },
		Disabled: func() string {
			if n.open != nil {
				return ""
			}
			return cmp.Or(n.none, t.Get("The next document is not known. Scan it."))
		}}

	if n.open == nil {
		return []tui.Action{byName}
	}

	return []tui.Action{{ID: "panel.open", Key: "enter", Command: tui.DoConfirm, Help: help, Run: onEnter,
		Label: t.Get("open %s", widget.Clean(n.name)), Short: t.GetC("open", "verb")}, byName}
}

// openNext opens the next document, unless it was offered only now: then enter was meant for
// what stood there before.
func (p *CountPanel) openNext() tea.Cmd {
	if tooEarly(p.Env.Now(), p.next.since) {
		return warnTooEarly(p.T(), p.next.name)
	}
	if p.Document.ClosedReason != "" && p.quantity.endsDigits() {
		return warnClosed(p.T(), p.Document)
	}
	return p.next.open()
}

// tooEarly reports whether enter cannot be meant for what was offered at a time.
func tooEarly(now, offered time.Time) bool {
	age := now.Sub(offered)
	return age >= 0 && age < offerTime
}

// warnTooEarly says that enter was ignored.
func warnTooEarly(t *i18n.Translator, name string) tea.Cmd {
	return tui.Warn(t.Get("Enter ignored: %s was offered just now. Press it again.", widget.Clean(name)))
}

// warnClosed says that nothing is counted on a finished document.
func warnClosed(t *i18n.Translator, doc CountDocument) tea.Cmd {
	return tui.Warn(t.Get("%s Nothing was counted.", doc.ClosedReason))
}
