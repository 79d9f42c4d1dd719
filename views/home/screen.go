package home

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/panel"
	"bincard/views/session"
)

// The rows of the lists.
type (
	lowProduct   = alerts.LowProduct
	expiringLot  = alerts.ExpiringLot
	lateDocument = alerts.LateDocument
)

// screen is the home screen.
type screen struct {
	panel.ScanLookup
	tui.Env

	site      *session.Site
	routes    *tui.Registry
	entries   []menuEntry
	counts    map[string]countState // by route
	overdue   widget.List[lateDocument]
	chosen    bool // the operator moved the cursor of overdue
	low       widget.List[lowProduct]
	expiring  widget.List[expiringLot]
	unsent    []panel.UnsentDraft
	refreshes int
	setup     *setupStep // next setup step of an empty company
	syncStamp string     // sync status at the last poll

	small     bool // the last view was on a small terminal
	large     bool // the last view had room for what is low and expiring
	setupDone bool // a location and a product exist; never reset
}

// countState is the state of a count.
type countState struct {
	counts
	missing bool  // the service does not support it
	err     error // set if the counts are old
	loaded  bool
}

type (
	countMsg struct {
		route  string
		counts counts
		err    error
	}
	refreshMsg struct{}
)

// loadEntries sets the jobs whose routes are registered.
func (s *screen) loadEntries() {
	s.entries = nil
	for _, j := range menuEntries(s.T) {
		if _, _, err := s.routes.Find(j.route); err == nil && (j.route != "sync" || s.site.SyncStatus() != nil) {
			s.entries = append(s.entries, j)
		}
	}
}

// loadUnsent loads the list of unsent drafts.
func (s *screen) loadUnsent() {
	var err error
	if s.unsent, err = panel.UnsentDrafts(s.Drafts, s.Operator); err != nil {
		s.Log.Error("cannot list drafts", "error", err)
	}
}

// loadCounts loads the count of each job in its own command.
func (s *screen) loadCounts(all bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range s.entries {
		c := s.counts[j.route]
		if j.count == nil || c.missing || j.slowRefresh && !all && c.err == nil {
			continue
		}
		cmds = append(cmds, s.Latest(j.route, func(ctx context.Context) tea.Msg {
			t, err := j.count(ctx, s.site, s.Now())
			return countMsg{j.route, t, err}
		}))
	}

	return tea.Batch(cmds...)
}

func (s *screen) Title() string { return "" }

func (s *screen) ShortTitle() string { return s.site.Location().Code }

func (s *screen) countLoaded(m countMsg) {
	c := s.counts[m.route]
	c.missing, c.err = session.IsUnsupported(m.err), m.err
	if m.err == nil {
		c.counts, c.loaded = m.counts, true
	}

	s.counts[m.route] = c
	var rows []lateDocument
	for _, j := range s.entries {
		rows = append(rows, s.counts[j.route].overdue...)
	}

	slices.SortStableFunc(rows, alerts.CompareLate)
	s.overdue.SetRows(rows)
	if !s.chosen {
		s.overdue.MoveTo(0) // the lists of documents come one after the other
	}

	s.low.SetRows(s.counts["stock"].low)
	s.expiring.SetRows(s.counts["stock"].expiring)
}
