package queue

import (
	"errors"
	"slices"
	"time"

	"bincard/tui/i18n"
)

// AddAll adds labels in order as Add does. It adds none if they are too many.
func (q *Queue) AddAll(jobs []Job) (added []Job, err error) {
	if err := checkData(jobs); err != nil {
		return nil, err
	}
	err = q.locked(func(j *journal) error {
		added, err = j.add(jobs, q.now().UTC())
		return err
	})
	if err == nil {
		q.wake()
	}
	return added, err
}

func checkData(jobs []Job) error {
	for _, job := range jobs {
		if len(job.Data) == 0 || len(job.Data) > MaxData {
			return errors.New(i18n.Textf("a label has 1 to %d bytes, not %d", MaxData, len(job.Data)))
		}
	}
	return nil
}

// add adds labels at a time, or none if they are too many.
func (j *journal) add(jobs []Job, at time.Time) ([]Job, error) {
	open := 0
	for _, other := range j.jobs {
		if other.State.Open() {
			open++
		}
	}
	if open+len(jobs) > MaxOpen {
		return nil, ErrFull
	}
	added := slices.Clone(jobs)
	for i := range added {
		job := &added[i]
		job.ID, job.State, job.Created, job.Copies = j.next+int64(i), Queued, at, max(1, job.Copies)
		job.Changed, job.Attempts, job.Reason = at, 0, ""
	}
	return added, j.append(added...)
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
