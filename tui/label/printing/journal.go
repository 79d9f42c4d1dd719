package printing

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/tui/i18n"
)

// The journal is a file of lines: a header, receipts whose jobs were removed, if any, then
// jobs as they are added and changed. The last line of a job has all of it but, unless it is
// the first, its data.
type journalHeader struct {
	Queue      int   `json:"queue"`      // the version of the format
	Generation int64 `json:"generation"` // counts how often the file was rewritten
	Next       int64 `json:"next"`       // the ID of the next job; in the file, that at the time of the rewrite
}

const journalFormat = 1

// rewriteAfter is how many bytes of the journal belong to no current state before it is
// rewritten.
const rewriteAfter = 1 << 20

// keptReceipts is how many receipts are known of whose labels no job is left: more than a
// machine records in the days after which a count is resumed.
const keptReceipts = 1000

// receipts are the idempotency keys of receipts whose jobs were removed, the oldest first.
type receipts struct {
	Receipts []string `json:"receipts,omitempty"`
}

// A queueJournal is what a program knows of the file. Its methods need the queue's lock.
type queueJournal struct {
	path   string
	header journalHeader
	bytes  int64 // read
	lines  int   // read
	jobs   []Job // in the order in which they were added
	receipts
}

// refresh reads what other programs wrote, and removes an incomplete last line, which a
// crash left.
func (j *queueJournal) refresh() error {
	text, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		*j = queueJournal{path: j.path, header: journalHeader{journalFormat, j.header.Generation, 1}}
		return j.rewrite()
	}
	if err != nil {
		return fmt.Errorf("cannot read the label queue: %w", err)
	}

	damaged := func(line int) error {
		return errors.New(
			i18n.Textf("the label queue %s is damaged in line %d. Move the file away to begin a new queue.", j.path,
				line),
		)
	}

	begin := bytes.IndexByte(text, '\n') + 1
	var h journalHeader
	if err := json.Unmarshal(text[:begin], &h); err != nil || h.Queue != journalFormat {
		return damaged(1)
	}
	if j.lines == 0 || h.Generation != j.header.Generation {
		*j = queueJournal{path: j.path, header: h, bytes: int64(begin), lines: 1}
	}

	for line := range bytes.Lines(text[min(int(j.bytes), len(text)):]) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			return os.Truncate(j.path, j.bytes)
		}

		var l struct {
			Job
			receipts
		}
		if json.Unmarshal(line, &l) != nil {
			return damaged(j.lines + 1)
		}
		if l.Receipts != nil {
			j.receipts = l.receipts
		} else {
			j.apply(l.Job)
		}

		j.bytes, j.lines = j.bytes+int64(len(line)), j.lines+1
	}

	return nil
}

// find returns where the job with an ID is, or would be.
func (j *queueJournal) find(id int64) (at int, ok bool) {
	return slices.BinarySearchFunc(j.jobs, id, func(job Job, id int64) int { return cmp.Compare(job.ID, id) })
}

// apply sets the state of a job. A job without data has those that it had.
func (j *queueJournal) apply(job Job) {
	at, ok := j.find(job.ID)
	if !ok {
		j.jobs, j.header.Next = slices.Insert(j.jobs, at, job), max(j.header.Next, job.ID+1)
		return
	}
	if len(job.Data) == 0 {
		job.Data = j.jobs[at].Data
	}

	j.jobs[at] = job
}

// append adds the states of jobs, and returns when they are on disk.
func (j *queueJournal) append(jobs ...Job) error {
	var lines []any
	for _, job := range jobs {
		if _, ok := j.find(job.ID); ok {
			job.Data = nil
		}
		lines = append(lines, job)
	}

	text, err := encodeLines(lines)
	if err != nil || len(text) == 0 {
		return err
	}

	f, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}

	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err // the next refresh reads or removes what was written
	}
	for _, job := range jobs {
		j.apply(job)
	}

	j.bytes, j.lines = j.bytes+int64(len(text)), j.lines+len(jobs)

	return nil
}

func encodeLines(lines []any) ([]byte, error) {
	var text bytes.Buffer
	for _, v := range lines {
		if err := json.MarshalWrite(&text, v); err != nil {
			return nil, err
		}
		text.WriteByte('\n')
	}

	return text.Bytes(), nil
}

// shrink rewrites the journal if much of it is obsolete.
func (j *queueJournal) shrink() error {
	finished, size := 0, int64(rewriteAfter)
	for _, job := range j.jobs {
		size += int64(len(job.Data))*4/3 + 300
		if !job.State.Open() {
			finished++
		}
	}

	if finished <= 2*keptJobs && j.bytes < size {
		return nil
	}

	j.jobs = slices.DeleteFunc(j.jobs, func(job Job) bool {
		if job.State.Open() || finished <= keptJobs {
			return false
		}
		finished--
		if job.Receipt != "" && !slices.Contains(j.Receipts, job.Receipt) {
			j.Receipts = append(j.Receipts, job.Receipt)
		}
		return true
	})

	j.Receipts = slices.Clone(j.Receipts[max(0, len(j.Receipts)-keptReceipts):])

	return j.rewrite()
}

// rewrite replaces the file by the current states.
func (j *queueJournal) rewrite() error {
	j.lines = 0 // if it fails, everything is read again
	j.header.Generation++
	lines := []any{j.header}
	if len(j.Receipts) > 0 {
		lines = append(lines, j.receipts)
	}
	for _, job := range j.jobs {
		lines = append(lines, job)
	}

	text, err := encodeLines(lines)
	if err == nil {
		err = replaceFile(j.path, text)
	}
	if err == nil {
		j.bytes, j.lines = int64(len(text)), len(lines)
	}

	return err
}
