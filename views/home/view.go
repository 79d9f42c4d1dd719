package home

import (
	"cmp"
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/submit"
)

func (s *screen) View(size tui.Size) string {
	s.small, s.large = size.Small(), false
	switch size.Class {
	case tui.Narrow:
		return s.smallView(size, 1)
	case tui.Short:
		return s.smallView(size, 2)
	}

	return s.standardView(size)
}

// smallView lists the jobs in columns below the question.
func (s *screen) smallView(size tui.Size, columns int) string {
	t := s.Theme
	ask := s.T.Get("scan or pick a job")
	if s.setup != nil {
		ask = s.setup.questionText(s.T, true)
	}

	lines := []string{widget.QuestionMarker + t.Ask(widget.Clip(ask, size.Width-2))}
	width := size.Width / columns
	per := (len(s.entries) + columns - 1) / columns
	for row := range per {
		line := ""
		for c := range columns {
			i := c*per + row
			if i >= len(s.entries) {
				continue
			}

			j, n := s.entries[i], s.counts[s.entries[i].route]
			count := n.number
			if n.late > 0 {
				count += " " + t.Warning.Render(fmt.Sprintf("!%d", n.late))
			}

			cell := widget.Between(j.digit+" "+cmp.Or(j.short, j.label), count, width-1)
			line += widget.Left(cell, width)
		}

		lines = append(lines, widget.Clip(strings.TrimRight(line, " "), size.Width))
	}

	return strings.Join(s.clockLines(lines, size), "\n")
}

// clockLines appends a warning if the clock of this machine is wrong. If there is no
// room it replaces the question.
func (s *screen) clockLines(lines []string, size tui.Size) []string {
	words, t := s.site.ClockWords(true), s.Theme
	room := size.Height - len(lines)
	switch {
	case words == "":
	case room <= 0:
		lines[0] = t.Warn(widget.Clip(words, size.Width-2))
	default:
		text := widget.Wrap(words, size.Width-2)
		lines = append(lines, t.Warn(text[0]))
		for _, line := range text[1:min(len(text), room)] {
			lines = append(lines, "  "+t.Warning.Render(line))
		}
	}

	return lines
}

func (s *screen) standardView(size tui.Size) string {
	t := s.Theme
	if pane := paneWidth(size); pane > 0 && s.low.Len()+s.expiring.Len() > 0 {
		s.large = true
		left := size
		left.Width = size.Width - pane - 3
		return beside(t, s.jobsView(left), s.panesView(pane-1, size.Height-2), left.Width)
	}

	return s.jobsView(size)
}

// jobsView paints the question, the jobs and the late documents.
func (s *screen) jobsView(size tui.Size) string {
	t := s.Theme
	width := min(size.Width, 118)
	ask := s.T.Get("Scan anything or choose a job")
	switch {
	case s.setup != nil:
		ask = s.setup.questionText(s.T, false)
	case !s.site.Location().IsSet():
		ask = s.T.Get("Where do you work? Scan a location or press F6")
	}

	lines := []string{" " + widget.QuestionMarker + t.Ask(ask), ""}
	if text := s.alertLine(t, width-2); text != "" {
		lines[1] = " " + text
	}

	label := 0
	for _, j := range s.entries {
		label = max(label, widget.Width(j.label))
	}

	room := width - label - 7
	cell := max(room/3, min(20, (room-15)/2)) // 15 cells are for what is late
	for _, j := range s.entries {
		lines = append(lines,
			"   "+t.Strong.Render(j.digit)+" "+widget.Left(j.label, label)+" "+s.entryCells(t, j, cell, room))
	}
	if s.overdue.Len() == 0 {
		return strings.Join(lines, "\n")
	}

	lines = append(lines, "", " "+t.Warning.Render(s.T.Get("Overdue")))
	room = size.Height - len(lines)
	if room < 1 {
		return strings.Join(lines, "\n")
	}
	for _, line := range strings.Split(s.overdue.View(t, width-2, room), "\n") {
		lines = append(lines, " "+line)
	}

	return strings.Join(lines, "\n")
}

// entryCells returns the counts of a job in three columns.
func (s *screen) entryCells(t widget.Theme, j menuEntry, cell, width int) string {
	c := s.counts[j.route]
	switch {
	case c.missing || j.count == nil:
		return t.Muted.Render(j.hint)
	case c.err != nil && !c.loaded:
		return t.Warn(widget.Clip(listscreen.FirstSentence(submit.UserMessage(s.T, c.err)), width-2))
	case !c.loaded:
		return t.Muted.Render("…")
	}

	line := widget.Left(c.cells[0], cell) + widget.Left(c.cells[1], cell)
	if c.late > 0 {
		line += t.Warn(s.T.Count(c.late) + " " + c.noun)
	}
	if c.err != nil {
		line += " " + t.Unconfirmed(s.T.GetC("old", "home"))
	}

	return line
}
