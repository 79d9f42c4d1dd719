package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Queue is the labels to print of a machine, in a folder. It is safe for concurrent use,
// also by several programs.
type Queue struct {
	dir     string
	now     func() time.Time
	mu      sync.Mutex
	journal journal
	added   chan struct{} // has an element after Add or Retry
}

// New returns the queue in a folder, which is created when it is needed. now returns the
// time; time.Now if nil.
func New(dir string, now func() time.Time) *Queue {
	if now == nil {
		now = time.Now
	}
	return &Queue{dir: dir, now: now, journal: journal{path: filepath.Join(dir, "queue.jsonl")}, added: make(chan struct{}, 1)}
}

// lockWait is how long an operation waits for one of another program.
const lockWait = 5 * time.Second

// locked runs fn with the current journal, while no other program reads or writes it.
func (q *Queue) locked(fn func(j *journal) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := os.MkdirAll(q.dir, 0o700); err != nil {
		return fmt.Errorf("cannot use the label queue: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock := flock.New(filepath.Join(q.dir, "queue.lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("cannot use the label queue in %s: %w", q.dir, err)
	}
	defer func() { _ = lock.Unlock() }()
	if err := q.journal.refresh(); err != nil {
		q.journal.jobs = nil // read everything again, so that a damaged line has its number
		err = q.journal.refresh()
		var damaged *DamagedError
		if errors.As(err, &damaged) {
			return err
		}
		if err != nil {
			return fmt.Errorf("cannot read the label queue: %w", err)
		}
	}
	err := fn(&q.journal)
	if err == nil {
		err = q.journal.shrink()
	}
	return err
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

func (q *Queue) wake() {
	select {
	case q.added <- struct{}{}:
	default:
	}
}

// Jobs returns all jobs, the oldest first: the open ones, and the last that were printed
// or canceled.
func (q *Queue) Jobs() (jobs []Job, err error) {
	err = q.locked(func(j *journal) error {
		jobs = j.sorted()
		return nil
	})
	for _, job := range jobs {
		// A job that a program was sending when it ended is maybe printed.
		if job.State == Sending {
			if released, err := q.lockPrinter(job.Printer); err == nil && released != nil {
				err := q.recover(job.Printer)
				released()
				if err != nil {
					return nil, err
				}
				return q.Jobs()
			}
		}
	}
	return jobs, err
}

// Job returns a job.
func (q *Queue) Job(id int64) (Job, error) {
	jobs, err := q.Jobs()
	if err != nil {
		return Job{}, err
	}
	i := slices.IndexFunc(jobs, func(j Job) bool { return j.ID == id })
	if i < 0 {
		return Job{}, &NotFoundError{id}
	}
	return jobs[i], nil
}

// Cancel ends a job that is not printed or maybe printed.
func (q *Queue) Cancel(id int64) error {
	return q.change(id, func(job *Job) bool {
		ok := job.State == Queued || job.State == MaybePrinted
		job.State, job.Reason = Canceled, ""
		return ok
	})
}

// Retry prints a job again that is maybe printed, printed or canceled. The person who
// asks for it decides that it may be printed twice.
func (q *Queue) Retry(id int64) error {
	err := q.change(id, func(job *Job) bool {
		ok := job.State != Sending && job.State != Queued
		job.State, job.Reason = Queued, ""
		return ok
	})
	if err == nil {
		q.wake()
	}
	return err
}

// change changes a job if fn accepts its state.
func (q *Queue) change(id int64, fn func(*Job) bool) error {
	if _, err := q.Job(id); err != nil { // recovers jobs whose program ended
		return err
	}
	return q.locked(func(j *journal) error {
		before := j.jobs[id]
		if before == nil {
			return &NotFoundError{id}
		}
		job := *before
		if !fn(&job) {
			return &StateError{id, before.State}
		}
		job.Changed = q.now().UTC()
		return j.append(job)
	})
}
