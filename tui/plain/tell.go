package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bincard/tui"
)

// shown is what was said last: only what changed is said again.
type shown struct {
	screen int
	facts  string
	said   int
	list   string
	page   int
	dialog *tui.Dialogue
	field  string
}

// tell says what changed and asks what is asked.
func (t *talk) tell() {
	if t.ended {
		t.sayVerdicts(tui.Standing{})
		return
	}
	s := t.face.Standing()
	arrived := t.shown.screen != s.Screen
	done := t.verdicts
	spoken := t.sayVerdicts(s)
	if !arrived {
		spoken = t.saySaid(s.Speech, done) || spoken
	}
	facts := strings.Join(s.Speech.Facts, "\n")
	switch {
	case arrived:
		t.shown = shown{screen: s.Screen}
		t.sayFacts(s)
	case facts != t.shown.facts && !spoken:
		t.sayFacts(s)
	}
	t.shown.facts, t.shown.said = facts, s.Speech.Count
	counts := s.Speech.Numbers && t.shown.list != "" // what was counted is said already
	if s.Dialog == nil && s.Fault == "" && s.Speech.Form == nil && !counts {
		t.sayList(s.Speech.List)
	}
	t.sayDialog(s.Dialog)
	t.ring()
	t.ask(s)
}

// late says what came by itself while nobody said anything.
func (t *talk) late() {
	if t.ended {
		t.sayVerdicts(tui.Standing{})
		return
	}
	s := t.face.Standing()
	if len(t.verdicts) == 0 && s.Screen == t.shown.screen && (s.Dialog == nil || s.Dialog.Same(t.shown.dialog)) {
		t.bells = 0
		return
	}
	t.tell()
}

// sayVerdicts says what the shell said, and tells whether it said anything.
func (t *talk) sayVerdicts(s tui.Standing) bool {
	for _, v := range t.verdicts {
		switch v.Kind {
		case tui.VerdictDone:
			t.out.line("", stop(v.Text))
		case tui.VerdictWarn:
			t.out.line("!", stop(v.Text))
		case tui.VerdictFault, tui.VerdictNote:
			t.out.line("no", stop(v.Text))
		case tui.VerdictDoubt:
			t.out.line("?", stop(v.Text)+" "+saidConfirm)
		case tui.VerdictBell:
		}
		if v.Kind == tui.VerdictFault && v.Text == s.Fault {
			for _, a := range s.Offers {
				t.out.line(" ", shortest(a)+": "+a.Label)
			}
		}
	}
	spoken := len(t.verdicts) > 0
	t.verdicts = nil
	return spoken
}

// stop ends a sentence that has no end.
func stop(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!:)") {
		return text
	}
	return text + "."
}

// saySaid says what was said of scans since the last time, the oldest first;
// what a verdict has said already is left out.
func (t *talk) saySaid(s tui.Speech, done []tui.Verdict) bool {
	n := min(s.Count-t.shown.said, len(s.Said))
	for i := n - 1; i >= 0; i-- {
		if !slices.ContainsFunc(done, func(v tui.Verdict) bool { return v.Text == s.Said[i] }) {
			t.out.line("ok", s.Said[i])
		}
	}
	return n > 0
}

// sayFacts says where one stands: the title and the first facts on one line.
func (t *talk) sayFacts(s tui.Standing) {
	facts := s.Speech.Facts
	head := title(s.Title)
	if len(facts) > 0 {
		head, facts = head+"  "+facts[0], facts[1:]
	}
	t.out.line("", head)
	for _, f := range facts {
		t.out.line(" ", f)
	}
}

// title is "Receive › PO-1" as it is said in a line: "RECEIVE PO-1".
func title(text string) string {
	head, rest, found := strings.Cut(text, "›")
	if !found {
		return strings.ToUpper(text)
	}
	return strings.ToUpper(strings.TrimSpace(head)) + " " + strings.TrimSpace(strings.ReplaceAll(rest, "›", " "))
}

// sayList reads out a page of the rows, if they are others than before.
func (t *talk) sayList(l *tui.Listing) {
	if l == nil {
		return
	}
	from := t.shown.page * t.opts.Rows
	if from >= l.Len {
		t.shown.page, from = 0, 0
	}
	to := min(l.Len, from+t.opts.Rows)
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, l.Line(i))
	}
	tail := ""
	switch {
	case to < l.Len:
		tail = fmt.Sprintf(saidMore, to, l.Len, plus(l.More), l.Noun)
	case l.More:
		tail = fmt.Sprintf(saidMoreThan, l.Len, l.Noun)
	}
	mark := strings.Join(append(rows, tail), "\n")
	if mark == t.shown.list {
		return
	}
	t.shown.list = mark
	for i, r := range rows {
		t.out.line(strconv.Itoa(from+i+1), r)
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

// sayDialog reads out a dialog that is new, or why its answer was refused.
func (t *talk) sayDialog(d *tui.Dialogue) {
	switch {
	case d == nil:
	case !d.Same(t.shown.dialog):
		t.out.line("?", d.Text)
		for i, o := range d.Options {
			t.out.line(strconv.Itoa(i+1), o)
		}
		if d.Yes != "" {
			t.out.line(" ", "yes: "+d.Yes+"   no: "+d.No)
		}
	case d.Problem != "":
		t.out.line("no", stop(d.Problem))
	}
	t.shown.dialog = d
}

func (t *talk) ring() {
	if t.opts.Bells && !t.opts.Shell.Silent && t.bells > 0 {
		t.out.bell(t.bells)
	}
	t.bells = 0
}

// ask asks what is asked now.
func (t *talk) ask(s tui.Standing) {
	switch d := s.Dialog; {
	case d != nil && d.Options != nil:
		t.out.ask(askNumber)
	case d != nil && (d.Yes != "" || d.No != ""):
		t.out.ask(askYesNo)
	case d != nil && d.Value != "":
		t.out.ask(fmt.Sprintf(askValue, d.Value))
	case d != nil:
		t.out.ask(askAnswer)
	case s.Doubt:
		t.out.ask(askAgain)
	case s.Fault != "":
		t.out.ask(askGoOn)
	case s.Speech.Form != nil:
		t.askField(s)
	default:
		t.out.ask(s.Speech.Question)
	}
}

// askField asks for a field of a form: its faults and its choices first.
func (t *talk) askField(s tui.Standing) {
	a := s.Speech.Form.Asks()
	if a.Fault != "" {
		t.out.line("no", a.Label+": "+stop(a.Fault))
	}
	if mark := a.Name + fmt.Sprint(s.Screen); mark != t.shown.field {
		t.shown.field = mark
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
