package panel

import (
	"github.com/go-json-experiment/json"

	"bincard/views/count"
	"bincard/views/submit"
)

// StoredDraft exports draft for tests.
type StoredDraft = draft

// CountPanel returns the panel of a screen.
func (d *DocumentScreen[T]) CountPanel() *CountPanel { return d.Panel }

// Typed returns the digits that are typed.
func (p *CountPanel) Typed() string { return p.quantity.number.Value() }

// A Sender drives a sender as a CountPanel does, without a screen.
type Sender struct {
	sender sender
	lines  []*count.Line
}

// NewSender returns a Sender of a submission that records lines.
func NewSender(lines []*count.Line, steps ...submit.Step) *Sender {
	return &Sender{sender{submission: &submit.Submission{Steps: steps, Pieces: 1}}, lines}
}

// Step returns the step to send next, or nil if all are done.
func (s *Sender) Step() *submit.Step {
	sub := s.sender.submission
	if sub.State() == submit.Done {
		return nil
	}
	return &sub.Steps[sub.Next]
}

// Answered handles the answer to the next step, and returns the lines that it ends.
func (s *Sender) Answered(a submit.Answer) (recorded []count.Line) {
	next, err := s.sender.answered(a, s.lines)
	switch next {
	case lineRefused:
		s.sender.refuse(err.Error(), nil)
	case lineNotSent:
		rest, _ := s.sender.keepRest()
		recorded = s.End()
		s.sender.submission = rest
	case stepDone, stepFailed, stepInvalid, allDone:
	}
	return recorded
}

// Skip drops the steps of the line that the next step belongs to.
func (s *Sender) Skip() { s.sender.submission.DropLine() }

// End ends the submission and returns the recorded lines.
func (s *Sender) End() []count.Line { return s.sender.endLines(nil, s.lines).recorded }

// Recorded returns what is recorded of a line and not ended.
func (s *Sender) Recorded(line string) int64 { return s.sender.lines.Recorded[line].Quantity }

// Refused returns why a line was refused.
func (s *Sender) Refused(line string) string { return s.sender.lines.Refused[line] }

// Reopen continues from the draft, with the lines of a document that is loaded again.
func (s *Sender) Reopen() error {
	raw, err := json.Marshal(newDraft(&count.ScanMatcher{Lines: s.lines}, &s.sender))
	if err != nil {
		return err
	}
	d, err := decodeDraft(raw)
	if err != nil {
		return err
	}
	for i, l := range s.lines {
		s.lines[i] = &count.Line{Key: l.Key}
	}
	s.sender = d.sender()
	d.apply(&count.ScanMatcher{Lines: s.lines}, "")
	return nil
}
