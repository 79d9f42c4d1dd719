package panel

import (
	"bincard/tui/i18n"
)

// A phase is what a panel is doing. What can be done in it is in the package comment.
type phase int

const (
	loading    phase = iota // the document is not there yet
	sending                 // steps are built or sent, or their result waits for the document
	unanswered              // a step may be recorded, or others of its line are left
	closed                  // nothing can be counted anymore
	unsent                  // steps are built and none of them arrived
	counting
)

// phase returns what the panel is doing.
func (p *CountPanel) phase() phase {
	switch sub := p.sender.submission; {
	case len(p.Lines) == 0 && p.AddLine == nil: // with AddLine, scans add the lines
		return loading
	case p.sender.isSending():
		return sending
	case sub.Unfinished():
		return unanswered
	case p.Document.ClosedReason != "":
		return closed
	case sub != nil:
		return unsent
	}

	return counting
}

// refusal returns why nothing can be counted in the phase, in full and for an action that is
// disabled; both are "" if something can. step is the next step, and why says why the document
// is closed.
func (ph phase) refusal(t *i18n.Translator, step, why string) (full, short string) {
	switch ph {
	case loading:
		return t.Get("The document is still loading. Nothing was counted: scan again."),
			t.Get("The document is still loading")
	case sending:
		return t.Get("Still sending. Nothing was counted: wait for the answer."), t.Get("Still sending")
	case unanswered:
		return t.Get("%q has no answer yet. Nothing was counted: press enter to retry it first.", step),
			t.Get("The last attempt has no answer yet: press enter")
	case closed:
		return t.Get("%s Nothing was counted.", why), why
	case unsent, counting:
	}

	return "", ""
}
