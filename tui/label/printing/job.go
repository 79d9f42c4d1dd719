package printing

import (
	"errors"
	"fmt"
	"time"

	"bincard/tui/i18n"
)

// JobState is where a job is.
type JobState string

// The states of a job.
const (
	Queued       JobState = "queued"       // not printed, and sent when the printer is ready
	Sending      JobState = "sending"      // a program is sending it
	Printed      JobState = "printed"      // the printer received all of it
	MaybePrinted JobState = "maybePrinted" // the connection ended while it was sent
	Canceled     JobState = "canceled"     // a person does not want it any more
)

// jobStateWords are the names of the states.
var jobStateWords = map[JobState]string{
	Queued:       i18n.Textf("not printed"),
	Sending:      i18n.Textf("being sent"),
	Printed:      i18n.Textf("printed"),
	MaybePrinted: i18n.Textf("possibly printed"),
	Canceled:     i18n.Textf("canceled"),
}

// Title returns the name of a state.
func (s JobState) Title(t *i18n.Translator) string { return t.Message(jobStateWords[s]) }

// Open reports whether a person or a printer still has to do something about the job.
func (s JobState) Open() bool { return s == Queued || s == Sending || s == MaybePrinted }

// A Job is a label to print, with its copies.
type Job struct {
	ID       int64     `json:"id"`
	Printer  string    `json:"printer"` // its name
	Title    string    `json:"title"`   // "Lot label OAT-1L L42-A"
	Copies   int       `json:"copies"`
	Operator string    `json:"operator,omitempty"`
	Created  time.Time `json:"created"`
	Data     []byte    `json:"data,omitzero"` // what the printer gets

	State    JobState  `json:"state"`
	Changed  time.Time `json:"changed"`            // when the state changed
	Attempts int       `json:"attempts,omitempty"` // how often it was sent
	// Receipt is the idempotency key of the receipt whose labels AddOnce added, or "".
	Receipt string `json:"receipt,omitempty"`
	// Reason says why the job is not printed, or what keeps a printer that has it.
	Reason string `json:"reason,omitempty"`
}

// The bounds of a queue.
const (
	MaxOpen = 1000      // jobs that are not printed or canceled
	MaxData = 256 << 10 // bytes of a job
	// keptJobs is how many printed and canceled jobs are kept, to print them again.
	keptJobs = 100
)

// ErrFull reports that there are MaxOpen jobs.
var ErrFull = errors.New(i18n.Textf("Too many labels are waiting. Print or discard some first."))

// A NotFoundError reports that there is no job with an ID.
type NotFoundError struct{ ID int64 }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no label %d in the queue; see 'bincard label queue --all'", e.ID)
}
