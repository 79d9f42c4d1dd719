package queue

import "slices"

// AddOnce adds the labels of the receipt with an idempotency key as AddAll does. If they
// were added before, it adds none, or those that a crash kept from the disk. It returns those
// that are in the queue; none may be, if they were printed long ago.
func (q *Queue) AddOnce(receipt string, jobs []Job) (added []Job, err error) {
	if err := checkData(jobs); err != nil {
		return nil, err
	}
	err = q.locked(func(j *journal) error {
		for _, job := range j.sorted() {
			if job.Receipt == receipt {
				added = append(added, job)
			}
		}
		if slices.Contains(j.Receipts, receipt) || len(added) >= len(jobs) {
			return nil
		}
		rest := slices.Clone(jobs[len(added):])
		for i := range rest {
			rest[i].Receipt = receipt
		}
		more, err := j.add(rest, q.now().UTC())
		added = append(added, more...)
		return err
	})
	if err == nil {
		q.wake()
	}
	return added, err
}
