package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/tui/shell"
)

// output writes what changed since the last output, and the prompt.
func (t *dialog) output() {
	if t.ended {
		t.writeNotices(shell.State{})
		return
	}

	s := t.headless.State()
	opened := t.last.screen != s.Screen
	notices := t.notices
	written := t.writeNotices(s)
	if !opened {
		written = t.writeFeed(s.Speech, notices) || written
	}

	facts := strings.Join(s.Speech.Facts, "\n")
	switch {
	case opened:
		t.last = lastOutput{screen: s.Screen}
		t.writeFacts(s)
	case facts != t.last.facts && !written:
		t.writeFacts(s)
	}

	t.last.facts, t.last.feedCount = facts, s.Speech.FeedCount
	counting := s.Speech.Numbers && t.last.list != "" // the feed has the counts already
	if s.Dialog == nil && s.Fault == "" && s.Speech.Form == nil && !counting {
		t.writeList(s.Speech.List)
	}

	t.writeDialog(s.Dialog)
	t.ring()
	t.ask(s)
}

// outputUnasked writes what changed without input: notices, a new screen or a new dialog.
func (t *dialog) outputUnasked() {
	if t.ended {
		t.writeNotices(shell.State{})
		return
	}

	s := t.headless.State()
	if len(t.notices) == 0 && s.Screen == t.last.screen && (s.Dialog == nil || s.Dialog.Same(t.last.dialog)) {
		t.bells = 0
		return
	}

	t.output()
}

// writeNotices writes the shell's notices and reports whether there were any.
func (t *dialog) writeNotices(s shell.State) bool {
	for _, v := range t.notices {
		switch v.Kind {
		case shell.NoticeSuccess:
			t.out.line("", endSentence(v.Text))
		case shell.NoticeWarning:
			t.out.line("!", endSentence(v.Text))
		case shell.NoticeFault, shell.NoticeRefusedScan:
			t.out.line("no", endSentence(v.Text))
		case shell.NoticeConfirmScan:
			t.out.line("?", endSentence(v.Text)+" "+t.T().Get("Scan it again to confirm, or press enter to skip it."))
		case shell.NoticeBell:
		}

		if v.Kind == shell.NoticeFault && v.Text == s.Fault {
			for _, a := range s.FaultActions {
				t.out.line(" ", t.words(s.FaultActions, a)+": "+a.Label)
			}
		}
	}

	written := len(t.notices) > 0
	t.notices = nil

	return written
}

// endSentence adds a period to a text without punctuation at its end.
func endSentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!:)") {
		return text
	}
	return text + "."
}

// writeFeed writes the scan results since the last output, the oldest first, and reports
// whether there were any. It omits texts that a notice contained.
func (t *dialog) writeFeed(s tui.Speech, notices []shell.Notice) bool {
	n := min(s.FeedCount-t.last.feedCount, len(s.Feed))
	for i := n - 1; i >= 0; i-- {
		if !slices.ContainsFunc(notices, func(v shell.Notice) bool { return v.Text == s.Feed[i] }) {
			t.out.line("ok", s.Feed[i])
		}
	}

	return n > 0
}

// writeFacts writes the title and the first fact on one line, and the other facts below.
func (t *dialog) writeFacts(s shell.State) {
	facts := s.Speech.Facts
	first := title(s.Title)
	if len(facts) > 0 {
		first, facts = first+"  "+facts[0], facts[1:]
	}

	t.out.line("", first)
	for _, f := range facts {
		t.out.line(" ", f)
	}
}

// title formats a screen's title for a line: "Receive › PO-1" is "RECEIVE PO-1".
func title(text string) string {
	head, rest, found := strings.Cut(text, "›")
	if !found {
		return strings.ToUpper(text)
	}
	return strings.ToUpper(strings.TrimSpace(head)) + " " + strings.TrimSpace(strings.ReplaceAll(rest, "›", " "))
}

// writeList writes a page of rows if it changed.
func (t *dialog) writeList(l *tui.Listing) {
	if l == nil {
		return
	}

	from := t.last.page * t.opts.Rows
	if from >= l.Len {
		t.last.page, from = 0, 0
	}

	to := min(l.Len, from+t.opts.Rows)
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, l.Line(i))
	}

	tail := ""
	switch {
	case to < l.Len:
		tail = t.T().Get("%d of %d%s %s: more", to, l.Len, plus(l.More), l.Noun)
	case l.More:
		tail = t.T().Get("more than %d %s", l.Len, l.Noun)
	}

	page := strings.Join(append(rows, tail), "\n")
	if page == t.last.list {
		return
	}

	t.last.list = page
	for i, r := range rows {
		t.out.line(strconv.Itoa(l.NumberOf(from+i)), r)
	}
	if tail != "" {
		t.out.line("", tail)
	}
}

func plus(more bool) string {
	if more {
		return "+"
	}
	return ""
}

// writeDialog writes a new dialog, or why its answer was refused.
func (t *dialog) writeDialog(d *shell.DialogState) {
	switch {
	case d == nil:
	case !d.Same(t.last.dialog):
		t.out.line("?", d.Text)
		for i, o := range d.Options {
			t.out.line(strconv.Itoa(i+1), o)
		}

		if d.Yes != "" {
			answers := yes(t.T()) + ": " + d.Yes + "   " + no(t.T())
			if d.No != t.T().Get("no") {
				answers += ": " + d.No
			}
			t.out.line(" ", answers)
		}

		t.writeProblem(d)

	default:
		t.writeProblem(d)
	}

	t.last.dialog = d
}

// writeProblem writes why a dialog refused an answer, and how to leave it.
func (t *dialog) writeProblem(d *shell.DialogState) {
	if d.Problem == "" {
		return
	}
	text := endSentence(d.Problem)
	if d.Yes == "" && d.Options == nil {
		text += " " + t.T().Get(`Type it again, or "back".`)
	}
	t.out.line("no", text)
}

func (t *dialog) ring() {
	if t.opts.Bells && !t.opts.Shell.Silent && t.bells > 0 {
		t.out.bell(t.bells)
	}
	t.bells = 0
}

// ask writes the prompt.
func (t *dialog) ask(s shell.State) {
	switch d := s.Dialog; {
	case d != nil && d.Options != nil:
		t.out.ask(t.T().Get("number"))
	case d != nil && (d.Yes != "" || d.No != ""):
		t.out.ask(t.T().Get("yes or no"))
	case d != nil && d.Value != "":
		t.out.ask(t.T().Get("answer (%s)", d.Value))
	case d != nil:
		t.out.ask(t.T().Get("answer"))
	case s.ConfirmScan:
		t.out.ask(t.T().Get("again, or enter to skip"))
	case s.Fault != "":
		t.out.ask(t.T().Get("enter continues"))
	case s.Speech.Form != nil:
		t.askField(s)
	default:
		t.out.ask(s.Speech.Question)
	}
}

// askField writes the prompt of a form's field, after its problem and its options.
func (t *dialog) askField(s shell.State) {
	a := s.Speech.Form.Prompt()
	if a.Problem != "" {
		t.out.line("no", a.Label+": "+endSentence(a.Problem))
	}

	if field := a.Name + fmt.Sprint(s.Screen); field != t.last.field {
		t.last.field = field
		for i, o := range a.Options {
			t.out.line(strconv.Itoa(i+1), o)
		}
	}

	label := a.Label
	switch {
	case a.Value != "":
		label += " (" + a.Value + ")"
	case a.Hint != "":
		label += " (" + a.Hint + ")"
	}

	t.out.ask(label)
}
