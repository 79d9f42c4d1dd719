package panel

import (
	"bincard/server/api"
	"bincard/tui"
)

// Speech describes the panel in words, after the given facts.
func (p *CountPanel) Speech(facts ...string) tui.Speech {
	t := p.T()

	s := tui.Speech{Facts: facts, FeedCount: p.feed.added, Question: p.questionText(true), Form: p.lotForm,
		Numbers: p.Document.ClosedReason == "" && p.lotForm == nil && !p.markingDamaged && !p.submission.Unfinished()}
	l := p.Line()
	switch {
	case p.Document.ClosedReason != "":
		s.Facts = append(s.Facts, p.Document.ClosedReason)
		s.Question = t.Get("closed")
	case p.submission.Unfinished():
		s.Facts = append(s.Facts, p.questionText(false))
	case len(p.Lines) > 0:
		if count := l.Text(t); count != "" {
			s.Facts = append(s.Facts, count)
		}
	}
	for _, x := range p.feed.entries {
		s.Feed = append(s.Feed, x.Text(p.T()))
	}
	if len(p.Lines) > 1 {
		s.List = &tui.Listing{Len: len(p.Lines), Noun: t.Get("lines"), Select: func(row int) { p.Current = row },
			Line: func(row int) string {
				l := p.Lines[row]
				return t.Get("%s  %s  ready %s  now %s", l.Item.SKU, l.Item.Name, t.Count(l.Pending), t.Count(l.Count.Quantity))
			}}
		at := t.Get("at %s", l.Item.SKU)
		if l.Pending < api.MaxQuantity {
			at += t.Get(": ready %s", t.Count(l.Pending))
		}
		s.Facts = append(s.Facts, at)
	}
	return s
}
