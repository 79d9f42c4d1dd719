package journal

import (
	"bytes"
	"errors"
	"fmt"

	"bincard/server/api"
)

// A Mirror is where a journal has its second copy, byte for byte.
type Mirror struct {
	Folder Folder
	// Owner returns who the records belong to, or empty if they do not say it.
	Owner func(records [][]byte) string
}

// A BehindError reports that the mirror has records which the journal lacks.
type BehindError struct {
	Journal, Mirror uint64 // the numbers of the last frames
	Damaged         bool   // the journal is damaged and the mirror is not
}

func (e *BehindError) Error() string {
	if e.Damaged {
		return api.Textf("the journal is damaged, and its mirror is not")
	}
	return api.Textf("the journal ends at record %d, but its mirror has %d", e.Journal, e.Mirror)
}

// ErrForeignMirror is the error of a mirror that is the copy of another journal.
var ErrForeignMirror = errors.New("the mirror belongs to another journal: give each its own directory")

// errEmptyMirror is the error of a mirror that was written before and now has nothing.
var errEmptyMirror = errors.New("the mirror is empty: check that its disk is mounted; a restart begins a new copy")

// compare returns an error unless a mirror with the content copied may be overwritten with
// the content data of the journal.
func (m *Mirror) compare(data, copied []byte) error {
	mine, theirs := scanFrames(data), scanFrames(copied)
	number, last := mine.number, theirs.number
	owner, other := m.Owner(mine.Records), m.Owner(theirs.Records)
	damaged := len(mine.Damage) > 0 && len(theirs.Damage) == 0 && last >= number
	switch {
	case owner != "" && other != "" && owner != other:
		return ErrForeignMirror
	case last > number || damaged:
		return &BehindError{Journal: number, Mirror: last, Damaged: damaged}
	}

	return nil
}

// A mirrorFile is an open Mirror.
type mirrorFile struct {
	Mirror
	name    string
	file    File  // nil while it fails
	failing error // why it is not up to date
	written bool  // it was up to date before
}

// OpenMirrored opens a journal that has a mirror, and brings the mirror up to date. If the
// mirror has more than the journal the error is a *BehindError. If it cannot be written,
// the journal works without it; see MirrorError. A new journal needs it.
func OpenMirrored(folder Folder, name string, mirror Mirror) (*Journal, *Contents, error) {
	j, found, err := Open(folder, name)
	if err != nil || mirror.Folder == nil {
		return j, found, err
	}

	j.mirror = &mirrorFile{Mirror: mirror, name: name}
	j.RepairMirror()
	err = j.mirror.failing
	if behind := (*BehindError)(nil); err != nil &&
		(len(found.Records) == 0 || errors.As(err, &behind) || errors.Is(err, ErrForeignMirror)) {
		return nil, nil, errors.Join(err, j.Close())
	}

	return j, found, nil
}

// MirrorError returns why the mirror is not up to date, or nil if it is or there is none.
func (j *Journal) MirrorError() error {
	if j.mirror == nil {
		return nil
	}
	return j.mirror.failing
}

// RepairMirror brings the mirror up to date if it is not.
func (j *Journal) RepairMirror() {
	m := j.mirror
	if m == nil || m.file != nil {
		return
	}

	data, err := readAll(j.file)
	if err == nil {
		m.file, err = m.copy(data[:min(int64(len(data)), j.size)], j.damaged)
	}
	if m.failing = nil; err != nil {
		m.failing = fmt.Errorf("cannot write the mirror of the journal: %w", err)
	}

	m.written = m.written || err == nil
}

// copy makes the content of the mirror equal to data and returns its file.
func (m *mirrorFile) copy(data []byte, damaged bool) (File, error) {
	copied, err := ReadFile(m.Folder, m.name)
	if err == nil && len(copied) == 0 && m.written {
		err = errEmptyMirror
	}
	if err == nil {
		err = m.compare(data, copied)
	}
	if err == nil && damaged && len(copied) > 0 { // it may have what the journal lost
		err = ReplaceFile(m.Folder, m.name+".before-damage", copied)
	}
	if err == nil && !bytes.Equal(data, copied) {
		err = ReplaceFile(m.Folder, m.name, data)
	}
	if err != nil {
		return nil, err
	}

	return m.Folder.Open(m.name)
}

// append writes what was appended to the journal at a position. After an error the mirror
// has to be repaired.
func (m *mirrorFile) append(data []byte, at int64) {
	if m == nil || m.file == nil {
		return
	}

	_, err := m.file.WriteAt(data, at)
	if err == nil {
		err = m.file.Sync()
	}
	if err != nil {
		m.drop(fmt.Errorf("cannot write the mirror of the journal: %w", err))
	}
}

// drop closes the file until the mirror is repaired.
func (m *mirrorFile) drop(err error) {
	if m.file != nil {
		err = errors.Join(err, m.file.Close())
	}
	m.file, m.failing = nil, err
}

// ErrNotBehind is the error of a Restore of a journal that lacks nothing of its mirror.
var ErrNotBehind = errors.New("the journal has everything that the mirror has; nothing was changed")

// Restore replaces a journal, which nobody may have open, by its mirror, if that has more.
// It keeps the replaced file beside it.
func Restore(folder Folder, name string, mirror Mirror) (*Contents, error) {
	copied, err := ReadFile(mirror.Folder, name)
	if err != nil {
		return nil, err
	}

	found := scanFrames(copied)
	if len(found.Records) == 0 {
		return nil, errors.New(api.Text("the mirror has no journal"))
	}

	data, err := ReadFile(folder, name)
	if err != nil {
		return nil, err
	}

	var behind *BehindError
	switch err := mirror.compare(data, copied); {
	case err == nil:
		return nil, ErrNotBehind
	case !errors.As(err, &behind):
		return nil, err
	}

	if len(data) > 0 {
		if err := ReplaceFile(folder, fmt.Sprintf("%s.replaced-%d", name, behind.Journal), data); err != nil {
			return nil, err
		}
	}

	return found.Contents, ReplaceFile(folder, name, copied[:found.size])
}
