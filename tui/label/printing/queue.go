package printing

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"bincard/tui/i18n"
)

// A Queue is the labels to print of a machine, in a folder. It is safe for concurrent use,
// also by several programs.
type Queue struct {
	dir     string
	now     func() time.Time
	mu      sync.Mutex
	journal queueJournal
	added   chan struct{} // has an element after Add or Retry
}

// NewQueue returns the queue in a folder, which is created when it is needed. now returns the
// time; time.Now if nil.
func NewQueue(dir string, now func() time.Time) *Queue {
	if now == nil {
		now = time.Now
	}

	return &Queue{
		dir:     dir,
		now:     now,
		journal: queueJournal{path: filepath.Join(dir, "queue.jsonl")},
		added:   make(chan struct{}, 1),
	}
}

// locked runs fn with the current journal, while no other program reads or writes it.
func (q *Queue) locked(fn func(j *queueJournal) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	unlock, err := lockFile(context.Background(), filepath.Join(q.dir, "queue.lock"))
	if err != nil {
		return fmt.Errorf("cannot use the label queue: %w", err)
	}

	defer unlock()
	for _, do := range []func(*queueJournal) error{(*queueJournal).refresh, q.recover, fn, (*queueJournal).shrink} {
		if err := do(&q.journal); err != nil {
			return err
		}
	}

	return nil
}

// recover marks the jobs that a program was sending when it ended: it has no lock of their
// printer any more.
func (q *Queue) recover(j *queueJournal) error {
	for _, job := range slices.Clone(j.jobs) {
		if job.State != Sending {
			continue
		}

		unlock, err := q.lockPrinter(job.Printer)
		if err != nil || unlock == nil {
			continue
		}

		job.State, job.Reason = MaybePrinted, i18n.Textf("the program ended while the label was sent")
		err = q.save(j, job)
		unlock()
		if err != nil {
			return err
		}
	}

	return nil
}

// lockPrinter locks a printer against other senders. unlock is nil if another one has it.
func (q *Queue) lockPrinter(name string) (unlock func(), err error) {
	sum := sha256.Sum256([]byte(name))
	return tryLockFile(filepath.Join(q.dir, fmt.Sprintf("printer-%x.lock", sum[:8])))
}

// save adds the changed states of jobs to the journal.
func (q *Queue) save(j *queueJournal, jobs ...Job) error {
	for i := range jobs {
		jobs[i].Changed = q.now().UTC()
	}
	return j.append(jobs...)
}

// Add adds a label to print, and returns when it is on disk. It does not wait for the
// printer. Printer, Title, Copies, Operator and Data of job are used; the error is
// ErrFull if there are MaxOpen jobs.
func (q *Queue) Add(job Job) (Job, error) {
	added, err := q.AddAll([]Job{job})
	if err != nil {
		return Job{}, err
	}
	return added[0], nil
}

// AddAll adds labels in order as Add does. It adds none if they are too many.
func (q *Queue) AddAll(jobs []Job) ([]Job, error) { return q.AddOnce("", jobs) }

// AddOnce adds the labels of the receipt with an idempotency key as AddAll does. If they
// were added before, it adds none, or those that a crash kept from the disk. It returns those
// that are in the queue; none may be, if they were printed long ago.
func (q *Queue) AddOnce(receipt string, jobs []Job) (added []Job, err error) {
	for _, job := range jobs {
		if len(job.Data) == 0 || len(job.Data) > MaxData {
			return nil, errors.New(i18n.Textf("a label has 1 to %d bytes, not %d", MaxData, len(job.Data)))
		}
	}

	err = q.locked(func(j *queueJournal) error {
		open := 0
		for _, job := range j.jobs {
			if job.State.Open() {
				open++
			}
			if receipt != "" && job.Receipt == receipt {
				added = append(added, job)
			}
		}

		if slices.Contains(j.Receipts, receipt) || len(added) >= len(jobs) {
			return nil
		}

		rest := slices.Clone(jobs[len(added):])
		if open+len(rest) > MaxOpen {
			return ErrFull
		}

		for i, job := range rest {
			rest[i] = Job{
				ID:       j.header.Next + int64(i),
				Printer:  job.Printer,
				Title:    job.Title,
				Copies:   max(1, job.Copies),
				Operator: job.Operator,
				Created:  q.now().UTC(),
				Data:     job.Data,
				State:    Queued,
				Receipt:  receipt,
			}
		}

		err := q.save(j, rest...)
		added = append(added, rest...)

		return err
	})
	if err == nil {
		q.wake()
	}

	return added, err
}

func (q *Queue) wake() {
	select {
	case q.added <- struct{}{}:
	default:
	}
}

// Jobs returns all jobs, the oldest first: the open ones, and the last that were printed
// or canceled.
func (q *Queue) Jobs() (jobs []Job, err error) {
	err = q.locked(func(j *queueJournal) error {
		jobs = slices.Clone(j.jobs)
		return nil
	})
	return jobs, err
}

// Job returns a job.
func (q *Queue) Job(id int64) (job Job, err error) {
	err = q.locked(func(j *queueJournal) error {
		at, ok := j.find(id)
		if !ok {
			return &NotFoundError{id}
		}
		job = j.jobs[at]
		return nil
	})

	return job, err
}

// Cancel ends a job that is not printed or maybe printed.
func (q *Queue) Cancel(id int64) error { return q.change(id, Canceled, Queued, MaybePrinted) }

// Retry prints a job again that is maybe printed, printed or canceled. The person who
// asks for it decides that it may be printed twice.
func (q *Queue) Retry(id int64) error {
	err := q.change(id, Queued, MaybePrinted, Printed, Canceled)
	if err == nil {
		q.wake()
	}
	return err
}

// change changes the state of a job that is in one of some states.
func (q *Queue) change(id int64, to JobState, from ...JobState) error {
	return q.locked(func(j *queueJournal) error {
		at, ok := j.find(id)
		if !ok {
			return &NotFoundError{id}
		}

		job := j.jobs[at]
		if !slices.Contains(from, job.State) {
			return errors.New(i18n.Textf("label %d is %v. It stays as it is.", id, jobStateWords[job.State]))
		}

		job.State, job.Reason = to, ""

		return q.save(j, job)
	})
}

// CancelAll ends the jobs with these IDs that are not printed. It returns how many it
// ended. Those that are being sent or may be printed stay as they are.
func (q *Queue) CancelAll(ids []int64) (n int, err error) {
	err = q.locked(func(j *queueJournal) error {
		var changed []Job
		for _, job := range j.jobs {
			if job.State == Queued && slices.Contains(ids, job.ID) {
				job.State = Canceled
				changed = append(changed, job)
			}
		}

		n = len(changed)

		return q.save(j, changed...)
	})

	return n, err
}
