package panel

import (
	"cmp"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
)

// A Frame is what the panel shows at one moment. Drawing it changes nothing.
type Frame struct {
	t     *i18n.Translator
	theme widget.Theme
	now   time.Time
	job   CountJob
	verb  string // names the action that records the count
	doc   CountDocument

	lines     []*count.Line
	line      *count.Line // the current one, at index current
	current   int
	completed *count.Line // the one whose completion selected the current one, or nil
	next      *count.Line // the next one with something left to count, or nil
	open      int         // how many of the others have something left to count
	total     int64       // pieces counted
	refused   map[string]string
	choose    func(line int)

	wantsSerial, needsLot, ships, marking bool

	phase phase
	step  string // that is sent next

	feed           feed
	quantity       quantityInput
	lotForm        *widget.Form
	location       locationCheck
	nextDocument   nextDocument
	waiting        waitingOrders
	opensDocuments bool
}

// Frame returns what the panel shows now.
func (p *CountPanel) Frame() Frame {
	l, sub := count.Joined(p.Lines, p.Line()), p.sender.submission
	f := Frame{t: p.T(), theme: p.Env.Theme, now: p.Env.Now(), job: p.Job, verb: p.Job.verb(p.T()), doc: p.Document,
		lines: p.Lines, line: l, current: p.Current, completed: lineWithKey(p.Lines, p.completed), total: p.Total(),
		wantsSerial: p.WantsSerial(), needsLot: p.needsLot(p.Site, l), ships: p.Ships, marking: p.markingDamaged,
		phase: p.phase(), refused: p.sender.lines.Refused, choose: p.Choose,
		feed: p.feed, quantity: p.quantity, lotForm: p.lotForm, location: p.location,
		nextDocument: p.next, waiting: p.waiting, opensDocuments: p.OpenDocument != nil}

	f.next, f.open = p.NextOpen()
	f.step = f.verb
	if sub != nil && sub.Next < len(sub.Steps) {
		f.step = sub.Steps[sub.Next].Text
	}

	return f
}

// Feed returns the feed, newest first, in at most height lines.
func (f Frame) Feed(size tui.Size, height int) []string {
	return f.feed.view(f.t, f.theme, size, height)
}

// LocationWarning returns a warning line if the items are handled at another location
// than the operator's, or "".
func (f Frame) LocationWarning(size tui.Size) string {
	return f.location.warning(f.theme, size, f.doc.Location)
}

// refusal returns why nothing can be counted now, in full and for an action; or "".
func (f Frame) refusal() (full, short string) {
	return f.phase.refusal(f.t, f.step, f.doc.ClosedReason)
}

// notEditable returns why the counts cannot be changed by an action now, or "".
func (f Frame) notEditable() string {
	_, why := f.refusal()
	if why == "" && len(f.lines) == 0 {
		return f.t.Get("Nothing is counted yet")
	}
	return why
}

// notCounted returns why nothing is counted that can be recorded now, or "".
func (f Frame) notCounted() string {
	if why := f.notEditable(); why != "" || f.total > 0 || f.line.Count.None {
		return why
	}
	return f.t.Get("Nothing is counted yet")
}

// notAddable returns why the rest of the current line cannot be counted now, or "".
func (f Frame) notAddable() string {
	switch why := f.notEditable(); {
	case why != "":
		return why
	case f.line.BySerial():
		return f.t.Get("Scan each serial number")
	case f.line.Count.Quantity == f.line.Pending:
		return f.t.Get("Everything is counted")
	case f.line.AllOfLot() < 1:
		return f.t.Get("More is counted than is left. Type 0 to start over.")
	}

	return ""
}

// question returns the prompt for the current state.
func (f Frame) question(small bool) string {
	t, l, closed := f.t, f.line, f.doc.ClosedReason
	say := func(long, short string) string {
		if small {
			return cmp.Or(short, long)
		}
		return long
	}

	switch {
	case f.phase == sending:
		return say(t.Get("Sending: %s", f.step), t.Get("sending…"))
	case f.phase == unanswered:
		return say(t.Get("No answer yet for: %s. Press enter to retry.", f.step), t.Get("no answer: enter"))
	case f.phase == partDone:
		return say(t.Get("Not recorded: %s. Press enter to retry, or F8 to skip.", f.step),
			t.Get("not recorded: F8 skips"))
	case closed != "" && f.nextDocument.known():
		return say(closed, f.doc.ClosedShort)
	case closed != "" && f.opensDocuments:
		return say(t.Get("%s Scan the next document.", closed), f.doc.ClosedShort)
	case closed != "":
		return say(t.Get("%s Press esc to go back.", closed), f.doc.ClosedShort)
	case f.phase == unsent:
		return say(t.Get("Not sent yet: press enter to retry"), t.Get("not sent: enter"))
	case f.marking:
		return say(t.Get("Scan the serial number of the damaged item"), t.Get("scan damaged item"))
	case f.wantsSerial:
		return say(t.Get("Scan the serial number of %s", l.Item.SKU), t.Get("scan serial number"))
	case f.job.Question != nil && f.job.Question(small) != "":
		return f.job.Question(small)
	case f.refused[l.Key] != "":
		return say(t.Get("%s was not recorded. Correct it, or press enter to retry.", l.Item.SKU),
			t.Get("not recorded: enter"))
	case f.needsLot:
		return say(t.Get("Scan the lot, or press F7 to type it"), t.Get("scan lot, or F7"))
	}

	if text := f.completeText(small); text != "" {
		return text
	}

	switch {
	case small && l.BySerial():
		return t.Get("scan serial number")
	case small:
		return t.GetC("scan or number", "count")
	case l.BySerial() && len(l.SuggestedSerials()) > 0:
		return t.Get("Scan each serial number of %s, such as %s", l.Item.SKU, widget.Clean(l.SuggestedSerials()[0]))
	case l.BySerial():
		return t.Get("Scan each serial number")
	case l.ToleranceText(t) != "":
		return t.Get("%s: press enter to %s", l.ToleranceText(t), f.verb)
	case l.Count.Quantity > l.Pending:
		return t.Get("Too many: only %s %s. Type the quantity, or +", t.Count(l.Pending), l.PendingText(t))
	case l.Count.Lot == "" && l.Pending > 0 && l.NextLot() != "":
		return t.Get("Scan %s from lot %s, or type a quantity", l.Item.SKU, widget.Clean(l.NextLot()))
	case l.ByLot():
		return t.Get("Scan a box, item, or lot, or type a quantity")
	}

	return t.Get("Scan a box or item, or type a quantity")
}

// completeText is the prompt if nothing is left to count on the current line: it names
// the next open line, or says that all is counted. It is "" otherwise.
func (f Frame) completeText(small bool) string {
	t, l, next := f.t, f.line, f.next
	if f.completed != nil {
		l, next = f.completed, l
	}

	switch {
	case l.Remaining() > 0 || l.Count.Quantity > l.Pending || l.Pending == 0 && next == nil && f.total == 0:
		return ""
	case next != nil && small:
		return t.Get("next: %s", next.Item.SKU)
	case next != nil && l.Stock.Waiting > 0 && l.Stock.Free != nil && *l.Stock.Free > 0 && f.job.Waiting != nil:
		return t.Get("%s × %s can be allocated now (F3). Next: %s, %s to go.",
			t.Count(min(l.Stock.Waiting, *l.Stock.Free)), l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case next != nil && l.Stock.Waiting > 0:
		return t.Get("%s × %s wait for stock. Next: %s, %s to go.",
			t.Count(l.Stock.Waiting), l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case next != nil && l.Count.Empty():
		return t.Get("%s is done. Next: %s, %s to go.", l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case next != nil:
		return t.Get("%s is counted. Next: %s, %s to go.", l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case small:
		return t.Get("all counted: enter")
	case f.ships && len(f.lines) == 1 && l.ByLot() && l.Count.Lot == "" && l.LotHint() != "":
		return t.Get("All counted: press enter to %s from lot %s", f.verb, widget.Clean(l.LotHint()))
	}

	return t.Get("All counted: press enter to %s", f.verb)
}

// nextText says which orders wait for what was received, or which document is next; or it is "".
func (f Frame) nextText(small bool) string {
	atEnd := f.doc.atEnd(f.total)
	switch text := f.waiting.text(f.t, small, atEnd); {
	case f.phase != closed && f.phase != counting:
		return ""
	case text != "" || !atEnd:
		return text
	}

	return f.nextDocument.text(f.t, f.now, small)
}

// nextLines returns the lines below the question for nextText.
func (f Frame) nextLines(small bool, width int) []string {
	text := f.nextText(small)
	if text == "" {
		return nil
	}
	return widget.Wrap(text, width)
}

// QuestionView renders the prompt, or the lot form if it is open.
func (f Frame) QuestionView(size tui.Size) string {
	width := size.Width - margin(size)
	if f.lotForm != nil {
		return indent(f.lotForm.View(f.theme, width), size)
	}

	ask, rest := f.question(size.Small()), f.nextLines(size.Small(), width-2)
	if len(rest) == 1 && widget.Width(ask+" "+rest[0]) <= width-2 && !size.Small() && f.doc.atEnd(f.total) {
		if !strings.ContainsAny(ask[len(ask)-1:], ".?") {
			ask += "."
		}
		ask, rest = ask+" "+rest[0], nil
	}
	if f.doc.ClosedReason != "" { // nothing is typed behind it
		parts := widget.Wrap(ask, max(1, width-2))
		ask, rest = parts[0], append(parts[1:], rest...)
	}

	lines := []string{f.quantity.view(f.theme, ask, width)}
	for i, text := range rest {
		if i == 0 { // an error replaces the text of what enter opens
			text = widget.QuestionMarker + text
		}
		lines = append(lines, "  "+text)
	}

	return indent(strings.Join(lines, "\n"), size)
}

// takeFact says which serials to take, or which lot if the document shows none; or "".
func takeFact(t *i18n.Translator, l *count.Line) string {
	if serials := l.SuggestedSerials(); l.BySerial() && len(serials) > 0 {
		return t.Get("take serial %s", strings.Join(serials, ", "))
	}
	if len(l.Stock.Held) == 0 && l.Count.Lot == "" && l.Pending > 0 && l.LotHint() != "" {
		return t.Get("take from lot %s", l.LotHint())
	}
	return ""
}

// Speech describes the panel in words, after the given facts.
func (f Frame) Speech(facts ...string) tui.Speech {
	t, l := f.t, f.line

	s := tui.Speech{Facts: facts, FeedCount: f.feed.added, Question: f.question(true), Form: f.lotForm,
		Numbers: f.doc.ClosedReason == "" && f.lotForm == nil && !f.marking && !f.phase.isUnfinished()}
	say := func(text string) {
		if text != "" {
			s.Facts = append(s.Facts, text)
		}
	}

	switch {
	case f.doc.ClosedReason != "":
		say(f.doc.ClosedReason)
		s.Question = cmp.Or(f.doc.ClosedShort, t.Get("closed"))
	case f.phase.isUnfinished():
		say(f.question(false))
	case len(f.lines) > 0:
		say(l.Text(t))
		if text := l.ShelfText(); text != "" {
			say(t.Get("shelf %s", text))
		}
		say(takeFact(t, l))
	}

	if text := f.nextText(true); text != "" && (f.doc.ClosedReason != "" || f.waiting.count > 0) {
		say(f.nextText(false))
		s.Question += "; " + text
	}

	for _, x := range f.feed.entries {
		s.Feed = append(s.Feed, x.Text(t))
	}
	if len(f.lines) < 2 {
		return s
	}

	toGo := f.job.Advance && !f.job.Ready
	s.List = &tui.Listing{Len: len(f.lines), Noun: t.Get("lines"), Select: f.choose, Line: func(row int) string {
		l := f.lines[row]
		sku, name, pending, now := l.Name(), l.Item.Name, t.Count(l.Pending), t.Count(l.Count.Quantity)
		text := t.Get("%s  %s  ready %s  now %s", sku, name, pending, now)
		if toGo {
			text = t.Get("%s  %s  %s to go  now %s", sku, name, pending, now)
		}
		if shelf := l.ShelfText(); shelf != "" {
			text = shelf + "  " + text
		}
		if row == f.current {
			text += "  " + t.GetC("selected", "line")
		}

		return text
	}}

	at := t.Get("line %s", l.Item.SKU)
	switch {
	case toGo:
		at += t.Get(": %s to go", t.Count(l.Pending))
	case l.Pending < api.MaxQuantity:
		at += t.Get(": ready %s", t.Count(l.Pending))
	}

	say(at)

	return s
}
