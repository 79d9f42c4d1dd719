package submit

import (
	"bincard/server/api"
)

// A Submission is a sequence of steps and its progress. It is part of a draft, so that
// it continues after a crash.
type Submission struct {
	Steps []Step `json:"steps"`
	Next  int    `json:"next"` // the step to send; those before it are done
	// Sent means that the next step was sent and its outcome is unknown. Nothing may
	// be changed until the answer is known.
	Sent bool `json:"sent,omitempty"`
	// Pieces is how many pieces the submission books.
	Pieces int64 `json:"touched,omitempty"`
	// Toast is the message after the last step; CountPanel.BookedText if empty.
	Toast string `json:"toast,omitempty"`
	// KeepCounts means that the steps do not book what is counted.
	KeepCounts bool `json:"keep,omitempty"`
}

// Advance marks the next step as done and prepares the one after it; done reports
// whether it was the last.
func (s *Submission) Advance(res *api.Response) (done bool, err error) {
	s.Next++
	s.Sent = false
	if s.Next >= len(s.Steps) {
		return true, nil
	}
	step := &s.Steps[s.Next]
	for i := s.Next - 1; step.DependsOnPrevious && step.After == ""; i-- {
		if before := &s.Steps[i]; !before.DependsOnPrevious || i == 0 {
			step.After = before.Key
		}
	}
	if lot := movedLot(res); step.UsePreviousLot && lot != (api.ID{}) {
		err = step.setLot(lot)
	}
	return false, err
}
