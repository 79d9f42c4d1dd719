// Package journal stores records in an append-only file.
//
// A journal is a sequence of checksummed frames. Append writes the records of
// a frame, all or none, and flushes them before it returns. The journal does
// not interpret records. When a journal is opened:
//
//   - an unfinished frame at the end is cut off: Append never returned for it;
//   - a damaged frame is reported, and all others are read: each frame begins
//     with a marker that a scan can find. It remains until a Rewrite.
//
// No byte is lost: what is cut off or unreadable is saved in a file beside the
// journal. Only one process may have a journal open; the caller ensures that.
package journal

import (
	"errors"
	"fmt"
)

// ErrUncertain is the error of an Append that may or may not be on disk. The
// journal accepts no more records until it is opened again, which settles the
// question.
var ErrUncertain = errors.New("the disk did not confirm the last record, which may not be saved: restart and check")

// A Journal appends records to a file.
type Journal struct {
	folder  Folder
	name    string
	file    File
	size    int64
	number  uint64 // of the last frame
	damaged bool   // the file contains damage
	broken  error
	mirror  *mirrorFile // nil if it has none
}

// Open opens a journal and creates it if it does not exist.
func Open(folder Folder, name string) (*Journal, *Contents, error) {
	if err := folder.Remove(name + newSuffix); err != nil { // an unfinished Rewrite or TryWrite
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
	data, err := readAll(j.file)
	if err != nil {
		return nil, err
	}

	found := scanFrames(data)
	j.size, j.number, j.damaged = int64(found.size), found.number, len(found.Damage) > 0
	if tail := data[found.size:]; len(tail) > 0 {
		if err := j.saveAside(fmt.Sprintf("%s.cut-%d", j.name, found.number+1), tail); err != nil {
			return nil, err
		}
	}

	if err := j.rewriteLast(data[found.begin:found.end], int64(found.begin)); err != nil {
		return nil, err
	}

	return found.Contents, nil
}

// rewriteLast writes the last frame and the end of the file again. They may have been
// read from the page cache only: after a failed flush the kernel does not write them
// again. A power failure would remove a record that was already shown, or bring back
// what was cut off.
func (j *Journal) rewriteLast(frame []byte, at int64) error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if len(frame) > 0 {
		if _, err := j.file.WriteAt(frame, at); err != nil {
			return err
		}
	}

	return j.file.Sync()
}

// saveAside appends bytes to a file beside the journal.
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

// Append writes the records, all of them or none, and returns when they are on
// disk. After an error other than ErrUncertain none is stored and Append may
// be retried.
func (j *Journal) Append(payloads ...[]byte) error {
	if j.broken != nil {
		return j.broken
	}

	total := 0
	for _, p := range payloads {
		total += len(p)
	}
	if total > MaxRecord || len(payloads) == 0 {
		return fmt.Errorf("journal: one write can hold at most %d bytes, not %d in %d records", MaxRecord, total,
			len(payloads))
	}

	data := encodeFrame(j.number+1, payloads)
	_, err := j.file.WriteAt(data, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err == nil {
		j.mirror.append(data, j.size)
		j.size, j.number = j.size+int64(len(data)), j.number+1
		return nil
	}

	if truncErr := j.truncate(j.size); truncErr != nil {
		j.broken = fmt.Errorf("journal: %w: %w", ErrUncertain, errors.Join(err, truncErr))
		return j.broken
	}

	return fmt.Errorf("cannot write the journal %s, nothing was saved: %w", j.name, err)
}

// trialSize is how much TryWrite writes: more than most frames.
const trialSize = 64 << 10

// TryWrite reports whether the disk has space for a frame. It writes a file beside the
// journal, because a crash would leave an unfinished frame in it.
func (j *Journal) TryWrite() error {
	if j.broken != nil {
		return j.broken
	}

	file, err := j.folder.Open(j.name + newSuffix)
	if err != nil {
		return err
	}
	if _, err = file.WriteAt(make([]byte, trialSize), 0); err == nil {
		err = file.Sync()
	}

	return errors.Join(err, file.Close(), j.folder.Remove(j.name+newSuffix))
}

// Size returns the length of the file in bytes.
func (j *Journal) Size() int64 { return j.size }

// Number returns the number of the last frame.
func (j *Journal) Number() uint64 { return j.number }

// Close closes the file. All records are on disk already.
func (j *Journal) Close() error {
	j.broken = errors.Join(j.broken, errClosed)
	if j.mirror != nil {
		j.mirror.drop(errClosed)
	}
	return j.file.Close()
}

var errClosed = errors.New("the journal is closed")

// Rewrite atomically replaces all records: after a crash the journal has
// either the old or the new ones. It saves a copy of a damaged file first.
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

	old, mirror := j.file, j.mirror
	*j = *next
	if j.mirror = mirror; mirror != nil {
		mirror.drop(nil)
		j.RepairMirror()
	}

	return old.Close()
}

// keepDamaged copies the file, which goes with the Rewrite: the journal itself
// must have its name at any moment.
func (j *Journal) keepDamaged() error {
	data, err := readAll(j.file)
	if err != nil {
		return err
	}

	name := fmt.Sprintf("%s.damaged-%d", j.name, j.number)
	if err := j.folder.Remove(name); err != nil { // an unfinished copy
		return err
	}

	return j.saveAside(name, data)
}

// appendAll appends records in as many frames as they need.
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
