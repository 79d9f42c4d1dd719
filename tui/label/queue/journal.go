package queue

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
)

// The journal is a file of lines: a header, receipts whose jobs were removed, if any, then
// jobs as they are added and changed. The last line of a job has all of it but, unless it is
// the first, its data.
type header struct {
	Queue      int   `json:"queue"`      // the version of the format
	Generation int64 `json:"generation"` // counts how often the file was rewritten
	Next       int64 `json:"next"`       // the ID of the next job, at that time
}

const formatVersion = 1

// A line is a job, or the receipts whose jobs were removed.
type line struct {
	Job
	receipts
}

// receipts are their idempotency keys, the oldest first.
type receipts struct {
	Receipts []string `json:"receipts,omitempty"`
}

// A journal is what a program knows of the file. Its methods need the queue's lock.
type journal struct {
	path   string
	header header
	read   int64 // bytes read
	jobs   map[int64]*Job
	next   int64
	receipts
}

// A DamagedError reports a line of the journal that cannot be read.
type DamagedError struct {
	File string
	Line int
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the label queue %s is damaged in line %d. Move the file away to begin a new queue.", e.File, e.Line)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// refresh reads what other programs wrote, and removes an incomplete last line, which a
// crash left.
func (j *journal) refresh() error {
	f, err := os.OpenFile(j.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		j.jobs, j.Receipts, j.next, j.read = map[int64]*Job{}, nil, 1, 0
		return j.rewrite()
	}
	if err != nil {
		return err
	}
	defer f.Close()
	first, err := bufio.NewReader(io.LimitReader(f, 4096)).ReadBytes('\n')
	var h header
	if err == nil {
		err = json.Unmarshal(first, &h)
	}
	if err != nil || h.Queue != formatVersion {
		return &DamagedError{j.path, 1, err}
	}
	if h != j.header || j.jobs == nil {
		j.header, j.jobs, j.Receipts, j.next, j.read = h, map[int64]*Job{}, nil, h.Next, int64(len(first))
	}
	return j.readFrom(f)
}

// readFrom reads the lines after those that are read.
func (j *journal) readFrom(f *os.File) error {
	if _, err := f.Seek(j.read, io.SeekStart); err != nil {
		return err
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(rest, '\n') + 1
	if end < len(rest) {
		if err := f.Truncate(j.read + int64(end)); err != nil {
			return err
		}
	}
	n := 0
	for text := range bytes.Lines(rest[:end]) {
		n++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return &DamagedError{j.path, n + 1, err}
		}
		if l.Receipts != nil {
			j.receipts = l.receipts
			continue
		}
		j.apply(l.Job)
	}
	j.read += int64(end)
	return nil
}

// apply sets the state of a job. A job without data has those that it had.
func (j *journal) apply(job Job) {
	if before := j.jobs[job.ID]; before != nil && len(job.Data) == 0 {
		job.Data = before.Data
	}
	j.jobs[job.ID] = &job
	j.next = max(j.next, job.ID+1)
}

// append adds the states of jobs, and returns when they are on disk.
func (j *journal) append(jobs ...Job) error {
	var lines bytes.Buffer
	for _, job := range jobs {
		if j.jobs[job.ID] != nil {
			job.Data = nil
		}
		if err := json.MarshalWrite(&lines, job); err != nil {
			return err
		}
		lines.WriteByte('\n')
	}
	f, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(lines.Bytes())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err // the next refresh reads or removes what was written
	}
	for _, job := range jobs {
		j.apply(job)
	}
	j.read += int64(lines.Len())
	return nil
}

// sorted returns all jobs in the order in which they were added.
func (j *journal) sorted() []Job {
	var out []Job
	for _, job := range j.jobs {
		out = append(out, *job)
	}
	slices.SortFunc(out, func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
