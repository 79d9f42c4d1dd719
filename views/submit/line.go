package submit

import (
	"slices"
	"strings"

	"bincard/server/api"
)

// lineEnd returns the end of the steps that book the same line as the next one.
func (s *Submission) lineEnd() int {
	end := s.Next
	for end < len(s.Steps) && s.Steps[end].Line == s.Steps[s.Next].Line {
		end++
	}
	return end
}

// DropLine removes the next step, and those after it that book the same line.
func (s *Submission) DropLine() {
	s.Steps = slices.Delete(slices.Clone(s.Steps), s.Next, s.lineEnd())
	s.Sent, s.sending, s.refused = false, false, false
}

// PostponeLine moves the steps of DropLine behind those of the other lines. It reports
// whether there are any.
func (s *Submission) PostponeLine() bool {
	end := s.lineEnd()
	if end == len(s.Steps) {
		return false
	}

	rest := slices.Clone(s.Steps[s.Next:end])
	for i := range rest {
		rest[i].After = rest[0].After // the step before them is another one from now on
	}

	s.Steps = append(slices.Delete(slices.Clone(s.Steps), s.Next, end), rest...)
	s.Sent, s.sending, s.refused = false, false, false

	return true
}

// DropDone removes the steps that are done. The others are as if nothing was sent yet, unless
// steps of a line that is recorded are among them: then the submission stays unfinished.
func (s *Submission) DropDone() {
	left := s.Steps[s.Next:]
	if slices.ContainsFunc(left, func(step Step) bool { return step.After != "" }) {
		return
	}
	s.Steps, s.Next = slices.Clone(left), 0
}

// DoneText describes the steps that are done, of the line of the next step.
func (s *Submission) DoneText() string { return s.texts(0, s.Next) }

// LeftText describes the steps that are left, of the line of the next step.
func (s *Submission) LeftText() string { return s.texts(s.Next, len(s.Steps)) }

func (s *Submission) texts(from, to int) string {
	var texts []string
	for _, step := range s.Steps[from:to] {
		if step.Line == s.Steps[s.Next].Line {
			texts = append(texts, step.Text)
		}
	}

	return strings.Join(texts, ", ")
}

// Retry returns a copy that sends the next step again. If each line is booked on its own,
// it has only the steps of that line.
func (s *Submission) Retry() *Submission {
	again := *s
	again.Steps = slices.Clone(s.Steps)
	if s.Steps[s.Next].Line != "" && !s.Steps[s.Next].DependsOnPrevious {
		again.Steps, again.Next = slices.Clone(s.Steps[s.Next:s.lineEnd()]), 0
	}
	return &again
}

// Keys returns the idempotency keys of the steps.
func (s *Submission) Keys() (keys []string) {
	for i := range s.Steps {
		keys = append(keys, s.Steps[i].Key)
	}
	return keys
}

// EndsReceipt reports whether the next step receives stock and no later step of its line
// does.
func (s *Submission) EndsReceipt() bool {
	line := s.Steps[s.Next].Line
	return s.Steps[s.Next].receives() && !slices.ContainsFunc(s.Steps[s.Next+1:], func(step Step) bool {
		return step.Line == line && step.receives()
	})
}

func (s Step) receives() bool {
	spec := api.FindOperation(s.Op)
	return spec != nil && spec.Direction == api.DirectionIn
}

// FirstKey returns the key of the first step of a line. It returns "" if the line has no step.
func (s *Submission) FirstKey(line string) string {
	if s == nil {
		return ""
	}
	for _, step := range s.Steps {
		if step.Line == line {
			return step.Key
		}
	}

	return ""
}
