package watchlist

import (
	"context"
	"strconv"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Late returns the factory of the list of late documents.
func Late(site *session.Site) tui.Factory {
	return listscreen.New(site, func(screen *listscreen.Screen) listscreen.Kind[*lateDocument] {
		t, s := screen.T, newScope(screen, "late", 0)

		return listscreen.Kind[*lateDocument]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{
					Title:          s.title(t.Get("Overdue")),
					ShortTitle:     t.Get("Overdue"),
					Question:       t.Get("Due and not done"),
					ShortQuestion:  t.Get("to go, overdue"),
					NarrowQuestion: t.Get("due, not done"),
					Noun:           t.Get("overdue"),
					Empty:          s.emptyLate(),
				}
			},
			Key: func(o *lateDocument) string { return o.Route },
			Load: func() listscreen.Loader[*lateDocument] {
				at, now := s.location(), s.Env.Now()
				return listscreen.Load(func(ctx context.Context) ([]lateDocument, bool, error) {
					return alerts.LateDocuments(ctx, site, at, now)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*lateDocument] {
				return lateColumns(s.Env, size, s.location())
			},
			Open:    tui.Action{ID: "late.open", Label: t.GetC("open", "verb"), Help: t.Get("Open the document")},
			OpenRow: func(o *lateDocument) tea.Cmd { return tui.Open(o.Route) },
			Routes:  lateRoutes,
			FilterText: func(o *lateDocument) string {
				return o.Job + " " + o.Name + " " + o.Item + " " + o.Party + " " + o.Location
			},
			Preview: func(o *lateDocument) listscreen.Preview {
				if o.Outbound != nil {
					return listscreen.PreviewOutbound(t, o.Outbound, s.Env.Now())
				}
				return listscreen.PreviewInbounds(t, o.Delivery, s.Env.Now())
			},
			PreviewLots: func(o *lateDocument) func(context.Context) (listscreen.PreviewLots, error) {
				if o.Outbound == nil {
					return nil
				}
				return listscreen.PreviewOutboundLots(site, o.Outbound.ID)
			},
			Detail:  func(o *lateDocument) string { return listscreen.JoinParts(o.Summary, o.Party) },
			Actions: func() []tui.Action { return s.actions() },
			Scan:    s.Resolve,
			Export:  listscreen.NewExport(t.Get("overdue documents"), lateExport),
		}
	})
}

// lateRoutes returns the routes of a document: a delivery has one for each of its lines.
func lateRoutes(o *lateDocument) []string {
	routes := []string{o.Route}
	for i := range o.Delivery.Lines {
		routes = append(routes, tui.Path("receive", o.Delivery.Lines[i].ID.String()))
	}
	return routes
}

func lateColumns(env tui.Env, size tui.Size, at session.Location) []widget.Column[*lateDocument] {
	type col = widget.Column[*lateDocument]
	now := env.Now()
	name := col{
		Title: env.T.Get("document"),
		Width: 13,
		Sort:  "document",
		Cell:  func(o *lateDocument) string { return o.Name },
	}

	late := col{
		Title: env.T.GetC("overdue", "column"),
		Width: 9,
		Right: true,
		Sort:  "due",
		Time:  func(o *lateDocument) *time.Time { return &o.Since },
		Cell:  func(o *lateDocument) string { return "! " + lateText(env.T, now.Sub(o.Since)) },
		Warn:  func(*lateDocument) bool { return true },
	}

	pending := col{
		Title:  env.T.Get("to go"),
		Width:  7,
		Rank:   2,
		Sort:   "pending",
		Number: func(o *lateDocument) int64 { return o.Pending },
	}

	if size.Small() {
		name.Width = 0
		if size.Width < 30 { // leave room for the name of the document
			late.Width, late.Cell = 5, func(o *lateDocument) string { return shortLateText(env.T, now.Sub(o.Since)) }
		}
		return []col{name, pending, late}
	}

	cols := []col{
		late,
		{
			Title: env.T.Get("job"),
			Width: 7,
			Rank:  5,
			Sort:  "job",
			Cell:  func(o *lateDocument) string { return jobText(env.T, o.Job) },
		},
		name,
		{
			Title: env.T.Get("item"),
			Rank:  3,
			Sort:  "item",
			Cell:  func(o *lateDocument) string { return o.Summary },
		},
		pending,
		{
			Title: env.T.Get("for or from"),
			Width: 14,
			Rank:  4,
			Sort:  "party",
			Cell:  func(o *lateDocument) string { return o.Party },
		},
	}

	if !at.IsSet() {
		cols = append(cols, col{
			Title: env.T.Get("location"),
			Width: 8,
			Rank:  6,
			Cell:  func(o *lateDocument) string { return o.Location },
		})
	}

	return append(cols, col{
		Title: env.T.Get("due"),
		Width: 16,
		Rank:  7,
		Cell:  func(o *lateDocument) string { return env.T.When(o.Since, now) },
	})
}

// jobText returns the name of a job.
func jobText(t *i18n.Translator, job string) string {
	if job == "receive" {
		return t.GetC("receive", "job")
	}
	return t.GetC("fulfill", "job")
}

// lateText formats how late something is, in one unit.
func lateText(t *i18n.Translator, d time.Duration) string {
	if d >= time.Hour && d < 48*time.Hour {
		d = d.Truncate(time.Hour)
	}
	return t.Span(d)
}

// shortLateText is lateText in five cells.
func shortLateText(t *i18n.Translator, d time.Duration) string {
	switch {
	case d < time.Minute:
		return t.Span(d)
	case d < time.Hour:
		return t.Get("%s m", strconv.Itoa(int(d/time.Minute)))
	case d < 48*time.Hour:
		return lateText(t, d)
	}

	return t.Get("%s d", strconv.Itoa(int(d/(24*time.Hour))))
}

var lateExport = []export.Column[lateDocument]{
	export.Time("dueAt", func(o *lateDocument) time.Time { return o.Since }),
	export.Literal("job", func(o *lateDocument) string { return o.Job }),
	export.Text("document", func(o *lateDocument) string { return o.Name }),
	export.Text("productName", func(o *lateDocument) string { return o.Item }),
	export.Text("party", func(o *lateDocument) string { return o.Party }),
	export.Text("locationCode", func(o *lateDocument) string { return o.Location }),
	export.Number("pending", func(o *lateDocument) int64 { return o.Pending }),
}

func (s *scope) emptyLate() string {
	if at := s.location(); at.IsSet() {
		return s.T.Get("No overdue documents at %s. Press F6 to show all locations.", at.Code)
	}
	return s.T.Get("No overdue documents at any location.")
}
