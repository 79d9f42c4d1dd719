package home

import (
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Speech describes home: the jobs as rows, late documents and unsent drafts.
func (s *screen) Speech() tui.Speech {
	t := s.T

	facts := []string{s.site.Location().String()}
	if s.site.Operator() != "" {
		facts[0] += "  " + s.site.Operator()
	}

	switch {
	case s.setup != nil:
		facts = append(facts, t.Get(s.setup.texts().speech))
	case !s.site.Location().IsSet():
		facts = append(facts, t.Get(`Where are you working? Scan a location, or type "location".`))
	}

	if n := s.overdue.Len(); n > 0 {
		var names []string
		for _, l := range s.overdue.Rows()[:min(n, 5)] {
			names = append(names, l.Name)
		}
		facts = append(facts, t.Get("overdue %s: %s", t.Count(int64(n)), strings.Join(names, ", ")))
	}

	if text := s.alertLine(widget.PlainTheme(), 1000); text != "" {
		facts = append(facts, strings.TrimPrefix(text, widget.GlyphRefused+" "))
	}
	if n := len(s.unsent); n > 0 {
		facts = append(facts, t.Get(`%s unsent: type "unsent" to continue`, t.Count(int64(n))))
	}

	return tui.Speech{
		Facts:    facts,
		Question: t.Get("scan or number"),
		List: &tui.Listing{
			Len:      len(s.entries),
			Noun:     t.Get("jobs"),
			Line:     s.entryText,
			Number:   s.entryNumber,
			Activate: func(row int) tea.Cmd { return s.open(s.entries[row]) },
		},
	}
}

// entryNumber returns the key of a job.
func (s *screen) entryNumber(row int) int {
	n, _ := strconv.Atoi(s.entries[row].digit)
	return n
}

// entryText returns a job with its counts.
func (s *screen) entryText(row int) string {
	j := s.entries[row]
	c := s.counts[j.route]
	parts := []string{j.label}
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}

	switch {
	case c.missing || j.count == nil:
		add(j.hint)
	case c.err != nil && !c.loaded:
		add(submit.UserMessage(s.T, c.err))
	case c.loaded:
		add(c.cells[0])
		add(c.cells[1])
		if c.late > 0 {
			add(s.T.Count(c.late) + " " + c.noun)
		}
	}

	return strings.Join(parts, "  ")
}
