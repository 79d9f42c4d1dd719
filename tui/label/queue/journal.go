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
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
)

// The journal is a file of lines: a header, then jobs as they are added and changed. The
// last line of a job has all of it but, unless it is the first, its data.
type header struct {
	Queue      int   `json:"queue"`      // the version of the format
	Generation int64 `json:"generation"` // counts how often the file was rewritten
	Next       int64 `json:"next"`       // the ID of the next job, at that time
}

const formatVersion = 1

// rewriteAfter is how many bytes of the journal belong to no current state before it is
// rewritten.
const rewriteAfter = 1 << 20

// A journal is what a program knows of the file. Its methods need the queue's lock.
type journal struct {
	path   string
	header header
	read   int64 // bytes read
	jobs   map[int64]*Job
	next   int64
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
		j.jobs, j.next, j.read = map[int64]*Job{}, 1, 0
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
		j.header, j.jobs, j.next, j.read = h, map[int64]*Job{}, h.Next, int64(len(first))
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
	line := 0
	for text := range bytes.Lines(rest[:end]) {
		line++
		var job Job
		if err := json.Unmarshal(text, &job); err != nil {
			return &DamagedError{j.path, line + 1, err}
		}
		j.apply(job)
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
	for _, job := range finished[:max(0, len(finished)-keptJobs)] {
		delete(j.jobs, job.ID)
	}
	return j.rewrite()
}

// rewrite replaces the file by the current states.
func (j *journal) rewrite() error {
	h := header{Queue: formatVersion, Generation: j.header.Generation + 1, Next: j.next}
	var text bytes.Buffer
	for _, v := range append([]any{h}, anys(j.sorted())...) {
		if err := json.MarshalWrite(&text, v); err != nil {
			return err
		}
		text.WriteByte('\n')
	}
	f, err := os.CreateTemp(filepath.Dir(j.path), ".queue-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text.Bytes())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), j.path); err != nil {
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
