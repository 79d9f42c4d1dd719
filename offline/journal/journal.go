// Package journal keeps the work that is not yet confirmed, on disk, in the
// simplest file that can be.
//
// A journal is a file that only grows: records one after the other, each with
// a head of its own and flushed before anybody is told "saved". What a record
// says is its writer's business. When the file is opened
//
//   - a record that was being written when the power went is cut off: nobody
//     had been told that it was saved;
//   - a record that is damaged is told, and all others are read: each begins
//     with a mark that can be found again.
//
// Neither loses a byte: what is cut off or could not be read is kept beside
// the journal. One process has a journal open at a time; its owner sees to it.
package journal

import (
	"errors"
	"fmt"
	"io"
)

// ErrUncertain is a write of which nobody can say whether it is on disk. The
// journal takes nothing more until it is opened again, and then knows.
var ErrUncertain = errors.New("the disk did not confirm the last record, which may not be saved: restart and check")

// A Journal appends records to a file.
type Journal struct {
	folder  Folder
	name    string
	file    File
	size    int64
	number  uint64 // of the last record
	damaged bool   // the file has damage in it
	broken  error
}

// Contents is what Open read.
type Contents struct {
	// Records are the payloads, in the order in which they were written.
	Records [][]byte
	// Truncated is how many bytes of an unfinished last record were cut off.
	Truncated int64
	// Damage lists what could not be read, in the order of the file.
	Damage []Damage
}

// Damage is a stretch of the file that holds no record that can be read.
type Damage struct {
	From, To int64
	// Lost is how many writes are missing there, by their numbers.
	Lost uint64
}

func (d Damage) String() string {
	return fmt.Sprintf("bytes %d to %d are unreadable (%d lost)", d.From, d.To, d.Lost)
}

// Open opens the journal of that name, and makes it when it is not there.
func Open(folder Folder, name string) (*Journal, *Contents, error) {
	if err := folder.Remove(name + newSuffix); err != nil { // an unfinished Rewrite
		return nil, nil, fmt.Errorf("cannot open the journal %s: %w", name, err)
	}
	file, err := folder.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the journal %s: %w", name, err)
	}
	j := &Journal{folder: folder, name: name, file: file}
	found, err := j.load()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("cannot read the journal %s: %w", name, err), file.Close())
	}
	return j, found, nil
}

func (j *Journal) load() (*Contents, error) {
	data, err := j.readAll()
	if err != nil {
		return nil, err
	}
	found, end, begin, last := scanFrames(data)
	j.size, j.number, j.damaged = int64(end), last, len(found.Damage) > 0
	if err := j.rewriteLast(data[begin:end], int64(begin)); err != nil {
		return nil, err
	}
	if tail := data[end:]; len(tail) > 0 {
		if err := j.saveAside(fmt.Sprintf("%s.cut-%d", j.name, last+1), tail); err != nil {
			return nil, err
		}
		if err := j.truncate(j.size); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// rewriteLast writes the last frame once more. It may have been read from memory
// alone: after a flush that failed the disk is not asked for it again, and a
// loss of power would take it away although it was shown.
func (j *Journal) rewriteLast(frame []byte, at int64) error {
	if len(frame) == 0 {
		return nil
	}
	if _, err := j.file.WriteAt(frame, at); err != nil {
		return err
	}
	return j.file.Sync()
}

// readAll is the whole file.
func (j *Journal) readAll() ([]byte, error) {
	size, err := j.file.Size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if n, err := j.file.ReadAt(data, 0); err != nil && (!errors.Is(err, io.EOF) || int64(n) < size) {
		return nil, err
	}
	return data, nil
}

// saveAside adds bytes to a file beside the journal.
func (j *Journal) saveAside(name string, data []byte) error {
	file, err := j.folder.Open(name)
	if err != nil {
		return err
	}
	size, err := file.Size()
	if err == nil {
		_, err = file.WriteAt(data, size)
	}
	return errors.Join(err, file.Sync(), file.Close())
}

func (j *Journal) truncate(size int64) error {
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	return j.file.Sync()
}

// Append writes the records and returns when they are on disk, all of them or
// none. After an error other than ErrUncertain none is kept and it may be
// tried again.
func (j *Journal) Append(payloads ...[]byte) error {
	if j.broken != nil {
		return j.broken
	}
	total := 0
	for _, p := range payloads {
		total += len(p)
	}
	if total > MaxRecord || len(payloads) == 0 {
		return fmt.Errorf("journal: one write can hold at most %d bytes, not %d in %d records", MaxRecord, total, len(payloads))
	}
	data := encodeFrame(j.number+1, payloads)
	_, err := j.file.WriteAt(data, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err == nil {
		j.size, j.number = j.size+int64(len(data)), j.number+1
		return nil
	}
	if back := j.truncate(j.size); back != nil {
		j.broken = fmt.Errorf("journal: %w: %w", ErrUncertain, errors.Join(err, back))
		return j.broken
	}
	return fmt.Errorf("cannot write the journal %s, nothing was saved: %w", j.name, err)
}

// Size is the length of the file in bytes.
func (j *Journal) Size() int64 { return j.size }

// Close closes the file. Every record is on disk already.
func (j *Journal) Close() error {
	j.broken = errors.Join(j.broken, errClosed)
	return j.file.Close()
}

var errClosed = errors.New("the journal is closed")

const newSuffix = ".new"

// Rewrite replaces all records by these, at once: after a crash the old ones
// are there or the new ones. A file with damage in it is kept beside.
func (j *Journal) Rewrite(payloads ...[]byte) error {
	if j.broken != nil {
		return j.broken
	}
	file, err := j.folder.Open(j.name + newSuffix)
	if err != nil {
		return fmt.Errorf("cannot compact the journal %s: %w", j.name, err)
	}
	next := &Journal{folder: j.folder, name: j.name, file: file, number: j.number}
	err = file.Truncate(0)
	if err == nil {
		err = next.appendAll(payloads)
	}
	if err == nil && j.damaged {
		err = j.keepDamaged()
	}
	if err == nil {
		err = j.folder.Rename(j.name+newSuffix, j.name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("cannot compact the journal %s: %w", j.name, err), file.Close())
	}
	old := j.file
	*j = *next
	return old.Close()
}

// keepDamaged copies the file, which goes with the Rewrite: the journal itself
// must have its name at any moment.
func (j *Journal) keepDamaged() error {
	data, err := j.readAll()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s.damaged-%d", j.name, j.number)
	if err := j.folder.Remove(name); err != nil { // a copy that was not finished
		return err
	}
	return j.saveAside(name, data)
}

// appendAll writes records that may be too many for one frame.
func (j *Journal) appendAll(payloads [][]byte) error {
	for len(payloads) > 0 {
		n, total := 1, len(payloads[0])
		for n < len(payloads) && total+len(payloads[n]) <= MaxRecord/16 {
			total += len(payloads[n])
			n++
		}
		if err := j.Append(payloads[:n]...); err != nil {
			return err
		}
		payloads = payloads[n:]
	}
	return j.file.Sync()
}
