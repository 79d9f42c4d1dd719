package panel

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/submit"
)

// View renders the question and the rows.
func (p *ListPanel[T]) View(size tui.Size) string {
	t := p.env.Theme
	question := p.Question
	if size.Small() {
		question = p.ShortQuestion
	}
	head := t.Ask(widget.Clip(question, size.Width-2-margin(size)))
	if p.filtering {
		head = t.Ask(t.Muted.Render("/") + p.filter.View(max(4, size.Width-4-margin(size))))
	}
	if state := p.statusText(t); !size.Small() {
		head = widget.Between(" "+head, state, size.Width-1)
	}
	lines := []string{widget.QuestionMarker + head}
	if !size.Small() {
		lines = append(lines, "")
	}
	if p.err != nil && (size.Small() || !p.Loaded()) && !p.unsupported {
		for _, line := range widget.Wrap(p.T().Get("Not loaded: %s Press ctrl+r to retry.", submit.UserMessage(p.T(), p.err)), size.Width-4) {
			lines = append(lines, " "+t.Warn(line))
		}
	}
	p.List.NoTitles, p.top = size.Class == tui.Short, len(lines)
	if !p.Loaded() {
		if p.err == nil {
			lines = append(lines, "  "+t.Muted.Render(p.T().Get("loading…")))
		}
		return strings.Join(lines, "\n")
	}
	room := size.Height - len(lines)
	detail := p.detailLines(t, size, room)
	lines = append(lines, p.List.View(t, size.Width-margin(size), room-len(detail)))
	if len(detail) == 0 {
		return strings.Join(lines, "\n")
	}
	for n := len(strings.Split(strings.Join(lines, "\n"), "\n")) + len(detail); n < size.Height; n++ {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, detail...), "\n")
}

// detailLines returns the detail of the selected row on a narrow screen, if there is
// room.
func (p *ListPanel[T]) detailLines(t theme.Theme, size tui.Size, room int) []string {
	row, ok := p.Selected()
	if size.Class != tui.Narrow || p.Detail == nil || !ok || room < 7 {
		return nil
	}
	return DetailLines(t, size.Width, p.Detail(row))
}

// DetailLines renders a detail in exactly two lines, so that the layout does not jump
// between rows.
func DetailLines(t theme.Theme, width int, text string) []string {
	lines := append(widget.Wrap(widget.Clean(text), width), "")[:2]
	for i, line := range lines {
		lines[i] = t.Muted.Render(line)
	}
	return lines
}

// JoinParts joins the parts that are not empty with a dot.
func JoinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// statusText says how many rows there are and when they were loaded.
func (p *ListPanel[T]) statusText(t theme.Theme) string {
	if !p.Loaded() {
		return ""
	}
	count := p.T().Count(int64(len(p.all)))
	if p.more {
		count = p.T().Get("more than %s", count)
	}
	if n := p.List.Len(); p.filtering {
		count = p.T().Get("%s of %s", p.T().Count(int64(n)), count)
	}
	at := i18n.Clock(p.loadedAt, p.env.Now())
	if p.err != nil {
		return t.Warn(p.T().Get("as of %s: %s", at, firstSentence(submit.UserMessage(p.T(), p.err))))
	}
	return t.Muted.Render(count + " " + p.Noun + "   " + at)
}

func firstSentence(s string) string {
	head, _, cut := strings.Cut(s, ". ")
	if cut {
		head += "."
	}
	return head
}

// NarrowColumns returns the columns with the titles name and number, sized for a
// narrow screen.
func NarrowColumns[T any](columns []widget.Column[T], name, number string) []widget.Column[T] {
	var out []widget.Column[T]
	for _, c := range columns {
		switch c.Title {
		case name:
			c.Width = 0
		case number:
			c.Width, c.Title = 5, ""
		default:
			continue
		}
		c.Rank = 0
		out = append(out, c)
	}
	return out
}

// Speech describes the list in words: its rows and any error.
func (p *ListPanel[T]) Speech() tui.Speech {
	t := p.T()

	s := tui.Speech{Question: t.GetC("scan or number", "dock"), List: ListSpeech(&p.List, p.Noun, p.more)}
	switch {
	case p.unsupported:
	case p.err != nil:
		s.Facts = append(s.Facts, t.Get("not loaded: %s", submit.UserMessage(t, p.err)))
	case !p.Loaded():
		s.Facts = append(s.Facts, t.Get("loading"))
	case p.List.Len() == 0 && p.filtering:
		s.Facts = append(s.Facts, t.Get("no matches"))
	case p.List.Len() == 0:
		s.Facts = append(s.Facts, p.List.EmptyText)
	default:
		count := t.Count(int64(p.List.Len()))
		if p.more {
			count = t.Get("more than %s", count)
		}
		s.Facts = append(s.Facts, count+" "+p.Noun)
	}
	if p.filtering {
		s.Search, s.Question = true, t.Get("filter, or number")
		s.Facts = append(s.Facts, t.Get("filter: %s", p.filter.Value()))
	}
	return s
}

// ListSpeech returns the rows of a list for speech.
func ListSpeech[T any](l *widget.List[T], noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}
