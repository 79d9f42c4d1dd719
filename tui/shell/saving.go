package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// saveDraft saves or discards a screen's draft if it has changed.
func (m *Model) saveDraft(s *openScreen) {
	saver, ok := s.screen.(tui.DraftSaver)
	if !ok {
		return
	}
	data := saver.Snapshot()
	route := s.env.Route.Path
	var err error
	switch {
	case data == nil && s.hasDraft:
		err = m.opts.Drafts.Discard(route, s.env.Operator)
	case data != nil && (!s.hasDraft || string(data) != s.draft):
		err = m.opts.Drafts.Save(tui.Draft{Route: route, Owner: s.env.Operator, From: s.from, Data: data})
	default:
		return
	}
	if err != nil {
		m.opts.Log.Error("draft not saved", "route", route, "error", err)
		m.alerts.warn(m.t.Get("Draft not saved: %v", err))
		return
	}
	s.draft, s.hasDraft = string(data), data != nil
	if data == nil {
		s.from = "" // the next work is the operator's own
	}
}

// draftName names a draft, with its owner if that is another operator.
func (m *Model) draftName(d tui.Draft) string {
	name := m.subject(d)
	if d.Owner != "" && d.Owner != m.operator {
		name += " (" + widget.Clean(d.Owner) + ")"
	}
	return name
}

// subject names what a draft is about.
func (m *Model) subject(d tui.Draft) string {
	if m.opts.DraftName == nil {
		return widget.Clean(d.Route[strings.LastIndexByte(d.Route, '/')+1:])
	}
	return widget.Clean(m.opts.DraftName(m.t, d))
}

// draftNames names all saved drafts, also those of screens that are not open.
func (m *Model) draftNames() []string {
	list := m.savedDrafts()
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = m.draftName(d)
	}
	return names
}

func (m *Model) savedDrafts() []tui.Draft {
	list, err := m.opts.Drafts.List()
	if err != nil {
		m.opts.Log.Error("cannot list drafts", "error", err)
	}
	return list
}

// saveAll saves all drafts and the open routes. A screen that panics keeps its previous
// draft.
func (m *Model) saveAll() {
	for _, s := range m.screens {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					m.opts.Log.Error("draft not taken", "route", s.env.Route.Path, "cause", cause)
				}
			}()
			m.saveDraft(s)
		}()
	}
	m.saveSession()
}
