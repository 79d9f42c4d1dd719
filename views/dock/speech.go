package dock

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// Speech describes the panel in words, after the given facts.
func (p *CountPanel) Speech(facts ...string) tui.Speech {
	t := p.T()

	s := tui.Speech{Facts: facts, FeedCount: p.feedCount, Question: p.questionText(true), Form: p.form,
		Numbers: p.ClosedReason == "" && p.form == nil && !p.markingDamaged && !p.unfinished()}
	l := p.Line()
	switch {
	case p.ClosedReason != "":
		s.Facts = append(s.Facts, p.ClosedReason)
		s.Question = t.Get("closed")
	case p.unfinished():
		s.Facts = append(s.Facts, p.questionText(false))
	case len(p.Lines) > 0:
		if count := l.Text(t); count != "" {
			s.Facts = append(s.Facts, count)
		}
	}
	for _, x := range p.feed {
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

// Text describes the count in words; "" if nothing is counted.
func (l *Line) Text(t *i18n.Translator) string {
	c := &l.Count
	var parts []string
	add := func(text string) { parts = append(parts, text) }
	if c.Quantity > 0 {
		add(t.Get("now %s", t.Count(c.Quantity)))
	}
	if c.Lot != "" {
		add(t.Get("lot %s", c.Lot))
	}
	if !c.ExpiresAt.IsZero() {
		add(t.Get("expires %s", c.ExpiresAt.Format(time.DateOnly)))
	}
	if c.Damaged > 0 {
		add(t.Get("damaged %s", t.Count(c.Damaged)))
	}
	if n := len(c.Serials); n > 0 {
		add(t.Get("serials %s", strings.Join(c.Serials, " ")))
	}
	return strings.Join(parts, "  ")
}

// Text returns the entry in one line: "+12 box  lot L42-A  now 12".
func (e FeedEntry) Text(t *i18n.Translator) string {
	switch {
	case e.SKU == "":
		return e.Source
	case e.Kind == typedCount:
		return strings.TrimSpace(t.Get("now %s  %s", e.Total, e.lotText(t)))
	case e.Kind == serialScan:
		return strings.TrimSpace(strings.Join([]string{e.Change, t.Get("serial %s", e.Lot), "", t.Get("now %s", e.Total)}, " "))
	}
	text := strings.TrimSpace(e.Change + " " + e.Source)
	if lot := e.lotText(t); lot != "" && e.Kind != lotScan {
		text += "  " + lot
	} else if e.Kind == lotScan {
		text += " " + e.Lot
	}
	if e.Total != "" {
		text += "  " + t.Get("now %s", e.Total)
	}
	return text
}

func (e FeedEntry) lotText(t *i18n.Translator) string {
	if e.Lot == "" {
		return ""
	}
	return t.Get("lot %s", e.Lot)
}

// SummaryText describes the progress of a document: "expected 240  received 96
// pending 144".
func (s DocumentSummary) SummaryText(t *i18n.Translator, pending int64) string {
	return t.Get("%s %s  %s %s  pending %s", s.TotalWord, t.Count(s.Total), s.DoneWord, t.Count(s.Done), t.Count(pending))
}

// Speech describes a document of one product in words.
func (d *DocumentScreen[T]) Speech(summary DocumentSummary) tui.Speech {
	if d.Doc == nil {
		return d.LoadingSpeech()
	}
	l := d.Panel.Line()
	facts := []string{strings.TrimSpace(l.Item.Title() + "  " + summary.SummaryText(d.T(), l.Pending))}
	about := l.Item.SKU
	for _, more := range []string{l.Item.PackText(d.T()), summary.Party, summary.When} {
		if more = strings.TrimSpace(widget.Clean(more)); more != "" {
			about += "  " + more
		}
	}
	return d.Panel.Speech(append(facts, about)...)
}

// LoadingSpeech describes the screen while the document is not loaded.
func (d *DocumentScreen[T]) LoadingSpeech() tui.Speech {
	if d.errText == "" {
		return tui.Speech{Facts: []string{d.T().Get("loading")}}
	}
	return tui.Speech{Facts: []string{d.errText}, Question: d.T().Get("retry or back")}
}

// ListSpeech returns the rows of a list for speech.
func ListSpeech[T any](l *widget.List[T], noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}

// Speech describes the form in words.
func (s *newDocumentView) Speech() tui.Speech {
	t := s.site.T()

	switch {
	case s.form == nil && s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
	case s.form == nil:
		return tui.Speech{Facts: []string{t.Get("loading")}}
	case s.submitter.Step != nil:
		return tui.Speech{Facts: []string{t.Get("No answer yet for: %s", s.submitter.Step.Text)}, Question: t.Get("retry or back")}
	}
	return tui.Speech{Facts: []string{s.config.Prompt}, Form: s.form}
}
