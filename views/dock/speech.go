package dock

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// Speech is the bench in words; the facts of the document come first.
func (b *CountPanel) Speech(facts ...string) tui.Speech {
	s := tui.Speech{Facts: facts, FeedCount: b.feedCount, Question: b.questionText(true), Form: b.form,
		Numbers: b.ClosedReason == "" && b.form == nil && !b.markingDamaged && !b.unfinished()}
	l := b.Line()
	switch {
	case b.ClosedReason != "":
		s.Facts = append(s.Facts, b.ClosedReason)
		s.Question = saidClosed
	case b.unfinished():
		s.Facts = append(s.Facts, b.questionText(false))
	case len(b.Lines) > 0:
		if count := l.Text(); count != "" {
			s.Facts = append(s.Facts, count)
		}
	}
	for _, x := range b.feed {
		s.Feed = append(s.Feed, x.String())
	}
	if len(b.Lines) > 1 {
		s.List = &tui.Listing{Len: len(b.Lines), Noun: nounLines, Select: func(row int) { b.Current = row },
			Line: func(row int) string {
				l := b.Lines[row]
				return fmt.Sprintf(saidReadyNow, l.Item.SKU, l.Item.Name, widget.Count(l.Pending), widget.Count(l.Count.Quantity))
			}}
		at := fmt.Sprintf(saidAt, l.Item.SKU)
		if l.Pending < api.MaxQuantity {
			at += fmt.Sprintf(saidReady, widget.Count(l.Pending))
		}
		s.Facts = append(s.Facts, at)
	}
	return s
}

// Text is what is counted of the line in words, "" for nothing.
func (l *Line) Text() string {
	c := &l.Count
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if c.Quantity > 0 {
		add(saidNow, widget.Count(c.Quantity))
	}
	if c.Lot != "" {
		add(saidLot, c.Lot)
	}
	if !c.ExpiresAt.IsZero() {
		add(saidEnds, c.ExpiresAt.Format(time.DateOnly))
	}
	if c.Damaged > 0 {
		add(saidDamaged, widget.Count(c.Damaged))
	}
	if n := len(c.Serials); n > 0 {
		add(saidSerials, strings.Join(c.Serials, " "))
	}
	return strings.Join(parts, "  ")
}

// String is what was said, in a line: "+12 box  lot L42-A  now 12".
func (s FeedEntry) String() string {
	switch {
	case s.SKU == "":
		return s.Source
	case s.Source == "typed" || s.Source == "all":
		return strings.TrimSpace(fmt.Sprintf(saidNowAndLot, s.Total, s.lotText()))
	case s.Source == "serial":
		return strings.TrimSpace(strings.Join([]string{s.Change, fmt.Sprintf(saidPiece, s.Lot), "", fmt.Sprintf(saidNow, s.Total)}, " "))
	}
	text := strings.TrimSpace(s.Change + " " + s.Source)
	if lot := s.lotText(); lot != "" && s.Source != "lot" {
		text += "  " + lot
	} else if s.Source == "lot" {
		text += " " + s.Lot
	}
	if s.Total != "" {
		text += "  " + fmt.Sprintf(saidNow, s.Total)
	}
	return text
}

func (s FeedEntry) lotText() string {
	if s.Lot == "" {
		return ""
	}
	return fmt.Sprintf(saidLot, s.Lot)
}

// SummaryText says how far a document is: "expected 240  received 96  pending 144".
func (s DocumentSummary) SummaryText(pending int64) string {
	return fmt.Sprintf(saidPending, s.TotalWord, widget.Count(s.Total), s.DoneWord, widget.Count(s.Done), widget.Count(pending))
}

// Speech is a document of one product in words.
func (d *DocumentScreen[T]) Speech(sheet DocumentSummary) tui.Speech {
	if d.Doc == nil {
		return d.LoadingSpeech()
	}
	l := d.Panel.Line()
	facts := []string{strings.TrimSpace(l.Item.Title() + "  " + sheet.SummaryText(l.Pending))}
	about := l.Item.SKU
	for _, more := range []string{l.Item.PackText(), sheet.Party, sheet.When} {
		if more = strings.TrimSpace(widget.Clean(more)); more != "" {
			about += "  " + more
		}
	}
	return d.Panel.Speech(append(facts, about)...)
}

// LoadingSpeech is said while the document is not here.
func (d *DocumentScreen[T]) LoadingSpeech() tui.Speech {
	if d.errText == "" {
		return tui.Speech{Facts: []string{saidReading}}
	}
	return tui.Speech{Facts: []string{d.errText}, Question: questionRetryOrBack}
}

// Speech is the board in words: its rows, and what is wrong.
func (b *ListPanel[T]) Speech() tui.Speech {
	s := tui.Speech{Question: askScan, List: ListSpeech(&b.List, b.Noun, b.more)}
	switch {
	case b.unsupported:
	case b.err != nil:
		s.Facts = append(s.Facts, fmt.Sprintf(saidNotRead, UserMessage(b.err)))
	case !b.Loaded():
		s.Facts = append(s.Facts, saidReading)
	case b.List.Len() == 0 && b.filtering:
		s.Facts = append(s.Facts, saidNothingFits)
	case b.List.Len() == 0:
		s.Facts = append(s.Facts, b.List.EmptyText)
	default:
		count := widget.Count(int64(b.List.Len()))
		if b.more {
			count = fmt.Sprintf(wordMoreThan, count)
		}
		s.Facts = append(s.Facts, count+" "+b.Noun)
	}
	if b.filtering {
		s.Search, s.Question = true, saidFilterOrNumber
		s.Facts = append(s.Facts, fmt.Sprintf(saidFilter, b.filter.Value()))
	}
	return s
}

// ListSpeech are the rows of a list as they are read out.
func ListSpeech[T any](l *widget.List[T], noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}

// Speech is the form of a new document in words.
func (s *newDocumentView) Speech() tui.Speech {
	switch {
	case s.form == nil && s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: questionRetryOrBack}
	case s.form == nil:
		return tui.Speech{Facts: []string{saidReading}}
	case s.submitter.Step != nil:
		return tui.Speech{Facts: []string{fmt.Sprintf(saidNoAnswerYetFor, s.submitter.Step.Text)}, Question: questionAgainOrBack}
	}
	return tui.Speech{Facts: []string{s.config.Prompt}, Form: s.form}
}
