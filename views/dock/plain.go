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
func (b *Bench) Speech(facts ...string) tui.Speech {
	s := tui.Speech{Facts: facts, FeedCount: b.told, Question: b.ask(true), Form: b.form,
		Numbers: b.Closed == "" && b.form == nil && !b.marking && !b.waiting()}
	l := b.Line()
	switch {
	case b.Closed != "":
		s.Facts = append(s.Facts, b.Closed)
		s.Question = saidClosed
	case b.waiting():
		s.Facts = append(s.Facts, b.ask(false))
	case len(b.Lines) > 0:
		if count := l.Spoken(); count != "" {
			s.Facts = append(s.Facts, count)
		}
	}
	for _, x := range b.said {
		s.Feed = append(s.Feed, x.String())
	}
	if len(b.Lines) > 1 {
		s.List = &tui.Listing{Len: len(b.Lines), Noun: nounLines, Select: func(row int) { b.At = row },
			Line: func(row int) string {
				l := b.Lines[row]
				return fmt.Sprintf(saidReadyNow, l.Goods.SKU, l.Goods.Name, widget.Count(l.Pending), widget.Count(l.Count.Now))
			}}
		at := fmt.Sprintf(saidAt, l.Goods.SKU)
		if l.Pending < api.MaxQuantity {
			at += fmt.Sprintf(saidReady, widget.Count(l.Pending))
		}
		s.Facts = append(s.Facts, at)
	}
	return s
}

// Spoken is what is counted of the line in words, "" for nothing.
func (l *Line) Spoken() string {
	c := &l.Count
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if c.Now > 0 {
		add(saidNow, widget.Count(c.Now))
	}
	if c.Lot != "" {
		add(saidLot, c.Lot)
	}
	if !c.Ends.IsZero() {
		add(saidEnds, c.Ends.Format(time.DateOnly))
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
func (s Said) String() string {
	switch {
	case s.SKU == "":
		return s.What
	case s.What == "typed" || s.What == "all":
		return strings.TrimSpace(fmt.Sprintf(saidNowAndLot, s.Now, s.lot()))
	case s.What == "serial":
		return strings.TrimSpace(strings.Join([]string{s.Change, fmt.Sprintf(saidPiece, s.Lot), "", fmt.Sprintf(saidNow, s.Now)}, " "))
	}
	text := strings.TrimSpace(s.Change + " " + s.What)
	if lot := s.lot(); lot != "" && s.What != "lot" {
		text += "  " + lot
	} else if s.What == "lot" {
		text += " " + s.Lot
	}
	if s.Now != "" {
		text += "  " + fmt.Sprintf(saidNow, s.Now)
	}
	return text
}

func (s Said) lot() string {
	if s.Lot == "" {
		return ""
	}
	return fmt.Sprintf(saidLot, s.Lot)
}

// Sums says how far a document is: "expected 240  received 96  pending 144".
func (s Sheet) Sums(pending int64) string {
	return fmt.Sprintf(saidPending, s.WholeWord, widget.Count(s.Whole), s.DoneWord, widget.Count(s.Done), widget.Count(pending))
}

// Speech is a document of one product in words.
func (d *Document[T]) Speech(sheet Sheet) tui.Speech {
	if d.Doc == nil {
		return d.Absence()
	}
	l := d.Bench.Line()
	facts := []string{strings.TrimSpace(l.Goods.Title() + "  " + sheet.Sums(l.Pending))}
	about := l.Goods.SKU
	for _, more := range []string{l.Goods.Pack(), sheet.Party, sheet.When} {
		if more = strings.TrimSpace(widget.Clean(more)); more != "" {
			about += "  " + more
		}
	}
	return d.Bench.Speech(append(facts, about)...)
}

// Absence is said while the document is not here.
func (d *Document[T]) Absence() tui.Speech {
	if d.fault == "" {
		return tui.Speech{Facts: []string{saidReading}}
	}
	return tui.Speech{Facts: []string{d.fault}, Question: questionRetryOrBack}
}

// Speech is the board in words: its rows, and what is wrong.
func (b *Board[T]) Speech() tui.Speech {
	s := tui.Speech{Question: askScan, List: Rows(&b.List, b.Noun, b.more)}
	switch {
	case b.missing:
	case b.err != nil:
		s.Facts = append(s.Facts, fmt.Sprintf(saidNotRead, Words(b.err)))
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

// Rows are the rows of a list as they are read out.
func Rows[T any](l *widget.List[T], noun string, more bool) *tui.Listing {
	return &tui.Listing{Len: l.Len(), Noun: noun, More: more, Line: l.Line, Select: l.MoveTo}
}

// Speech is the form of a new document in words.
func (s *maker) Speech() tui.Speech {
	switch {
	case s.form == nil && s.fault != "":
		return tui.Speech{Facts: []string{s.fault}, Question: questionRetryOrBack}
	case s.form == nil:
		return tui.Speech{Facts: []string{saidReading}}
	case s.post.Step != nil:
		return tui.Speech{Facts: []string{fmt.Sprintf(saidNoAnswerYetFor, s.post.Step.Words)}, Question: questionAgainOrBack}
	}
	return tui.Speech{Facts: []string{s.making.Ask}, Form: s.form}
}
