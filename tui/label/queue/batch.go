package queue

import (
	"errors"
	"slices"

	"bincard/tui/i18n"
)

// AddAll adds labels in order as Add does. It adds none if they are too many.
func (q *Queue) AddAll(jobs []Job) ([]Job, error) {
	for _, job := range jobs {
		if len(job.Data) == 0 || len(job.Data) > MaxData {
			return nil, errors.New(i18n.Textf("a label has 1 to %d bytes, not %d", MaxData, len(job.Data)))
		}
	}
	added := slices.Clone(jobs)
	err := q.locked(func(j *journal) error {
		open := 0
		for _, other := range j.jobs {
			if other.State.Open() {
				open++
			}
		}
		if open+len(added) > MaxOpen {
			return ErrFull
		}
		for i := range added {
			job := &added[i]
			job.ID, job.State, job.Created, job.Copies = j.next+int64(i), Queued, q.now().UTC(), max(1, job.Copies)
			job.Changed, job.Attempts, job.Reason = job.Created, 0, ""
		}
		return j.append(added...)
	})
	if err == nil {
		q.wake()
	}
	return added, err
}

// CancelAll ends the jobs with these IDs that are not printed. It returns how many it
// ended. Those that are being sent or may be printed stay as they are.
func (q *Queue) CancelAll(ids []int64) (n int, err error) {
	err = q.locked(func(j *journal) error {
		var changed []Job
		for _, id := range ids {
			if job := j.jobs[id]; job != nil && job.State == Queued {
				next := *job
				next.State, next.Changed = Canceled, q.now().UTC()
				changed = append(changed, next)
			}
		}
		n = len(changed)
		return j.append(changed...)
	})
	return n, err
}
