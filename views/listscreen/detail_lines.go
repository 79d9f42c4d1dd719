package listscreen

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/submit"
)

// Rows draws the list in height lines. On narrow and standard screens the last lines
// show the detail of the selected row, a text of parts with the most important first.
func (p *Pages) Rows(t widget.Theme, size tui.Size, height int, detail func(row any) string) []string {
	p.List.NoTitles = size.Small()
	row := p.List.Selected()
	if row != nil && size.Class == tui.Narrow && height >= 5 {
		n := 2
		if height >= 10 {
			n = 3
		}
		return append([]string{p.List.View(t, size.Width, height-n)}, DetailLines(t, size.Width, n, detail(row))...)
	}

	if row == nil || size.Class != tui.Standard {
		return []string{p.List.View(t, size.Width, height)}
	}

	lines := widget.FitParts(detail(row), size.Width-2, 2) // a long detail takes the last row of the list
	rows := []string{p.List.View(t, size.Width, height-max(1, len(lines)))}
	for _, line := range lines {
		rows = append(rows, " "+t.Muted.Render(line))
	}

	return rows
}

// Status returns a line with the position in the list, the progress of a reload, or
// the error.
func (p *Pages) Status(t widget.Theme, width int) string {
	switch {
	case p.err != nil && p.loaded:
		return t.Refused(
			widget.Clip(
				p.T.Get(
					"%s F5 retries (data is %s old)",
					FirstSentence(submit.UserMessage(p.T, p.err)),
					p.ageText(),
				),
				width-2,
			),
		)

	case p.err != nil:
		return t.Refused(
			widget.Clip(p.T.Get("%s F5 retries", FirstSentence(submit.UserMessage(p.T, p.err))), width-2))
	case p.loading && !p.loaded:
		return t.Unconfirmed(p.T.Get("loading…"))
	case p.loading:
		return t.Unconfirmed(widget.Clip(p.T.Get("loading… data is %s old", p.ageText()), width-2))
	}

	return t.Muted.Render(widget.Clip(p.Position(), width))
}

// FirstSentence returns the first sentence, which leaves room for the advice.
func FirstSentence(words string) string {
	if head, _, more := strings.Cut(words, ". "); more {
		return head + "."
	}
	return words
}

func (p *Pages) ageText() string { return p.T.Ago(p.loadedAt, p.Now()) }

// Position returns the position of the selected row: "12 of 214 balances", with "+"
// while more follow.
func (p *Pages) Position() string {
	t := p.T

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

// Text returns the number of rows, or the status while loading or after an error.
func (p *Pages) Text() string {
	if p.err != nil || p.loading {
		return p.Status(widget.PlainTheme(), 400)
	}
	more := ""
	if !p.Complete() {
		more = "+"
	}
	return fmt.Sprintf("%s%s %s", p.T.Count(int64(p.List.Len())), more, p.Noun)
}

// Count returns the number of rows: "198", "3 of 198" if only some are shown, or "500+"
// while more follow.
func (p *Pages) Count(shown, all int) string {
	t, total := p.T, p.T.Count(int64(all))
	if !p.Complete() {
		total += "+"
	}
	if shown == all {
		return total
	}
	return t.Get("%s of %s", t.Count(int64(shown)), total)
}

// WhyUnsorted says why the rows cannot be sorted, or returns "".
func (p *Pages) WhyUnsorted() string {
	switch {
	case p.List.Len() < 2:
		return p.T.Get("There is nothing to sort")
	case p.Complete():
		return ""
	}

	return p.T.Get("More than %s rows cannot be sorted. Show fewer of them.", p.T.Count(int64(p.List.Len())))
}

// DetailLines renders a detail in exactly n lines, so that the layout does not jump between
// rows.
func DetailLines(t widget.Theme, width, n int, text string) []string {
	lines := make([]string, n)
	for i, line := range widget.FitParts(text, width, n) {
		lines[i] = t.Muted.Render(line)
	}
	return lines
}

// ListSpeech returns the rows of a table for speech.
func ListSpeech(l *widget.Table, noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}
