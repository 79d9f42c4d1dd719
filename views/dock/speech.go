package dock

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// Speech is the bench in words; the facts of the document come first.
func (b *CountPanel) Speech(facts ...string) tui.Speech {
	t := b.T()

	s := tui.Speech{Facts: facts, FeedCount: b.feedCount, Question: b.questionText(true), Form: b.form,
		Numbers: b.ClosedReason == "" && b.form == nil && !b.markingDamaged && !b.unfinished()}
	l := b.Line()
	switch {
	case b.ClosedReason != "":
		s.Facts = append(s.Facts, b.ClosedReason)
		s.Question = t.Get("closed")
	case b.unfinished():
		s.Facts = append(s.Facts, b.questionText(false))
	case len(b.Lines) > 0:
		if count := l.Text(t); count != "" {
			s.Facts = append(s.Facts, count)
		}
	}
	for _, x := range b.feed {
		s.Feed = append(s.Feed, x.Text(b.T()))
	}
	if len(b.Lines) > 1 {
		s.List = &tui.Listing{Len: len(b.Lines), Noun: t.Get("lines"), Select: func(row int) { b.Current = row },
			Line: func(row int) string {
				l := b.Lines[row]
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

// Text is what is counted of the line in words, "" for nothing.
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

// Text is the entry in a line: "+12 box  lot L42-A  now 12".
func (s FeedEntry) Text(t *i18n.Translator) string {
	switch {
	case s.SKU == "":
		return s.Source
	case s.Kind == typedCount:
		return strings.TrimSpace(t.Get("now %s  %s", s.Total, s.lotText(t)))
	case s.Kind == serialScan:
		return strings.TrimSpace(strings.Join([]string{s.Change, t.Get("serial %s", s.Lot), "", t.Get("now %s", s.Total)}, " "))
	}
	text := strings.TrimSpace(s.Change + " " + s.Source)
	if lot := s.lotText(t); lot != "" && s.Kind != lotScan {
		text += "  " + lot
	} else if s.Kind == lotScan {
		text += " " + s.Lot
	}
	if s.Total != "" {
		text += "  " + t.Get("now %s", s.Total)
	}
	return text
}

func (s FeedEntry) lotText(t *i18n.Translator) string {
	if s.Lot == "" {
		return ""
	}
	return t.Get("lot %s", s.Lot)
}

// SummaryText says how far a document is: "expected 240  received 96  pending 144".
func (s DocumentSummary) SummaryText(t *i18n.Translator, pending int64) string {
	return t.Get("%s %s  %s %s  pending %s", s.TotalWord, t.Count(s.Total), s.DoneWord, t.Count(s.Done), t.Count(pending))
}

// Speech is a document of one product in words.
func (d *DocumentScreen[T]) Speech(sheet DocumentSummary) tui.Speech {
	if d.Doc == nil {
		return d.LoadingSpeech()
	}
	l := d.Panel.Line()
	facts := []string{strings.TrimSpace(l.Item.Title() + "  " + sheet.SummaryText(d.T(), l.Pending))}
	about := l.Item.SKU
	for _, more := range []string{l.Item.PackText(d.T()), sheet.Party, sheet.When} {
		if more = strings.TrimSpace(widget.Clean(more)); more != "" {
			about += "  " + more
		}
	}
	return d.Panel.Speech(append(facts, about)...)
}

// LoadingSpeech is said while the document is not here.
func (d *DocumentScreen[T]) LoadingSpeech() tui.Speech {
	if d.errText == "" {
		return tui.Speech{Facts: []string{d.T().Get("loading")}}
	}
	return tui.Speech{Facts: []string{d.errText}, Question: d.T().Get("retry or back")}
}

// Speech is the board in words: its rows, and what is wrong.
func (b *ListPanel[T]) Speech() tui.Speech {
	t := b.T()

	s := tui.Speech{Question: t.GetC("scan or number", "dock"), List: ListSpeech(&b.List, b.Noun, b.more)}
	switch {
	case b.unsupported:
	case b.err != nil:
		s.Facts = append(s.Facts, t.Get("not loaded: %s", UserMessage(t, b.err)))
	case !b.Loaded():
		s.Facts = append(s.Facts, t.Get("loading"))
	case b.List.Len() == 0 && b.filtering:
		s.Facts = append(s.Facts, t.Get("no matches"))
	case b.List.Len() == 0:
		s.Facts = append(s.Facts, b.List.EmptyText)
	default:
		count := t.Count(int64(b.List.Len()))
		if b.more {
			count = t.Get("more than %s", count)
		}
		s.Facts = append(s.Facts, count+" "+b.Noun)
	}
	if b.filtering {
		s.Search, s.Question = true, t.Get("filter, or number")
		s.Facts = append(s.Facts, t.Get("filter: %s", b.filter.Value()))
	}
	return s
}

// ListSpeech are the rows of a list as they are read out.
func ListSpeech[T any](l *widget.List[T], noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}

// Speech is the form of a new document in words.
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
