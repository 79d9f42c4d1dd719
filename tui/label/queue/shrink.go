package queue

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
)

// rewriteAfter is how many bytes of the journal belong to no current state before it is
// rewritten.
const rewriteAfter = 1 << 20

// keptReceipts is how many receipts are known of whose labels no job is left: more than a
// machine records in the days after which a count is resumed.
const keptReceipts = 1000

// shrink rewrites the journal if much of it is obsolete.
func (j *journal) shrink() error {
	finished := slices.DeleteFunc(j.sorted(), func(job Job) bool { return job.State.Open() })
	size := int64(0)
	for _, job := range j.jobs {
		size += int64(len(job.Data))*4/3 + 300
	}
	if len(finished) <= 2*keptJobs && j.read < size+rewriteAfter {
		return nil
	}
	removed := finished[:max(0, len(finished)-keptJobs)]
	for _, job := range removed {
		delete(j.jobs, job.ID)
	}
	j.keepReceipts(removed)
	return j.rewrite()
}

// rewrite replaces the file by the current states.
func (j *journal) rewrite() error {
	h := header{Queue: formatVersion, Generation: j.header.Generation + 1, Next: j.next}
	var text bytes.Buffer
	lines := []any{h}
	if len(j.Receipts) > 0 {
		lines = append(lines, j.receipts)
	}
	for _, v := range append(lines, anys(j.sorted())...) {
		if err := json.MarshalWrite(&text, v); err != nil {
			return err
		}
		text.WriteByte('\n')
	}
	name := j.path + ".new" // a program that was killed leaves it for the next one
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(name, j.path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(j.path)); err == nil {
		defer dir.Close()
		_ = dir.Sync() // some systems cannot flush directories
	}
	j.header, j.read = h, int64(text.Len())
	return nil
}

func anys(jobs []Job) (out []any) {
	for _, job := range jobs {
		out = append(out, job)
	}
	return out
}

// keepReceipts notes the receipts of jobs that are removed.
func (j *journal) keepReceipts(removed []Job) {
	for _, job := range removed {
		if job.Receipt != "" && !slices.Contains(j.Receipts, job.Receipt) {
			j.Receipts = append(j.Receipts, job.Receipt)
		}
	}
	j.Receipts = slices.Clone(j.Receipts[max(0, len(j.Receipts)-keptReceipts):])
}
