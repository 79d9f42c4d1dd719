package queue

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"bincard/tui/i18n"
)

// lockPrinter locks a printer against other senders. unlock is nil if another one has it.
func (q *Queue) lockPrinter(name string) (unlock func(), err error) {
	if err := os.MkdirAll(q.dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(name))
	lock := flock.New(filepath.Join(q.dir, fmt.Sprintf("printer-%x.lock", sum[:8])), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// recover marks the jobs of a locked printer that a program was sending when it ended.
func (q *Queue) recover(printer string) error {
	return q.locked(func(j *journal) error {
		for _, job := range j.sorted() {
			if job.Printer != printer || job.State != Sending {
				continue
			}
			job.State, job.Changed = MaybePrinted, q.now().UTC()
			job.Reason = i18n.Textf("the program ended while the label was sent")
			if err := j.append(job); err != nil {
				return err
			}
		}
		return nil
	})
}
