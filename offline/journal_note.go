package offline

import (
	"context"
	"errors"
	"hash/crc32"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/offline/journal"
	"bincard/server/api"
	"bincard/server/store"
)

// noteName is the file name of the journal note in its folder.
const noteName = "journal.json"

// noteInterval is the least time between two writes of the note.
const noteInterval = time.Second

// A journalNote is the length of the journal at an earlier time. A journal that is shorter
// than its note has lost frames.
type journalNote struct {
	Frame   uint64 `json:"frame"`
	Waiting int    `json:"waiting"`
	// Missing is what the journal lacks, until a person acknowledges it.
	Missing *MissingWork `json:"missing,omitzero"`
	// Sum is the checksum of the numbers above: a power failure may leave a mixture of two
	// notes. 0 is that of an older version.
	Sum uint32 `json:"sum,omitzero"`
	store.Unknown
}

func (n journalNote) sum() uint32 {
	numbers := append(strconv.AppendUint(make([]byte, 0, 40), n.Frame, 10), ' ')
	return crc32.ChecksumIEEE(strconv.AppendInt(numbers, int64(n.Waiting), 10))
}

// encode returns the note with its checksum. A note of only numbers, which each save writes, is
// formatted here, since package json takes longer.
func (n journalNote) encode() ([]byte, error) {
	n.Sum = n.sum()
	if n.Missing != nil || len(n.Members) > 0 {
		return json.Marshal(n)
	}

	text := strconv.AppendUint(append(make([]byte, 0, noteSize), `{"frame":`...), n.Frame, 10)
	text = strconv.AppendInt(append(text, `,"waiting":`...), int64(n.Waiting), 10)
	text = strconv.AppendUint(append(text, `,"sum":`...), uint64(n.Sum), 10)

	return append(text, '}'), nil
}

// MissingWork is the end of a journal that is gone.
type MissingWork struct {
	// Frames is the number of saves that are missing.
	Frames uint64 `json:"frames"`
	// Waiting is the number of operations that were pending at the time of the note.
	Waiting int       `json:"waiting"`
	FoundAt time.Time `json:"foundAt"`
}

func (m *MissingWork) String() string {
	switch {
	case m.Frames == 1 && m.Waiting == 1:
		return api.Textf("1 saved change is missing (1 operation was pending)")
	case m.Frames == 1:
		return api.Textf("1 saved change is missing (%d operations were pending)", m.Waiting)
	case m.Waiting == 1:
		return api.Textf("%d saved changes are missing (1 operation was pending)", m.Frames)
	}

	return api.Textf("%d saved changes are missing (%d operations were pending)", m.Frames, m.Waiting)
}

// A noteFile is the note in memory and on disk.
type noteFile struct {
	*state
	writing sync.Mutex // held during a write; taken before mu
	folder  journal.Folder
	file    journal.File   // the open file, or nil; guarded by writing
	damage  *JournalDamage // that nobody has acknowledged; guarded by mu
	journalNote
	saved   uint64 // the frame number on disk
	written uint64 // the frame number in the file, which may not be on disk yet
}

// check compares the journal with its note. It saves what is missing before the
// journal grows.
func (f *noteFile) check() {
	data, err := journal.ReadFile(f.folder, noteName)
	if err != nil {
		f.cfg.Log.Warn("cannot read the journal note", "error", err)
	}

	if len(data) > 0 {
		err := json.Unmarshal(data, &f.journalNote)
		if err == nil && f.Sum != 0 && f.Sum != f.sum() {
			err = errors.New("it is a mixture of two notes")
		}
		if err != nil {
			f.cfg.Log.Warn("cannot read the journal note", "error", err)
			f.journalNote = journalNote{}
		}
	}

	f.saved, f.written = f.Frame, f.Frame
	last := f.queue.LastFrame()
	if len(data) == 0 { // of an older version: it gets a note when the journal grows
		f.saved, f.written = last, last
	}
	if f.Frame <= last {
		return
	}

	missing := MissingWork{Frames: f.Frame - last, Waiting: f.Waiting, FoundAt: f.now()}
	if old := f.Missing; old != nil {
		missing.Frames, missing.Waiting = missing.Frames+old.Frames, max(missing.Waiting, old.Waiting)
	}

	f.Missing, f.Frame = &missing, last
	f.write(f.journalNote, true)
}

// save saves the length of the journal. What is not flushed is lost only if the power
// fails, not if the program is killed.
func (f *noteFile) save(flush bool) {
	f.writing.Lock()
	defer f.writing.Unlock()
	f.mu.Lock()
	f.Frame = f.queue.LastFrame()
	if flush {
		f.Waiting = f.queue.Counts().Waiting
	} else if f.Frame != f.written {
		f.Waiting++ // one more was saved; counting takes time with each that is pending
	}
	note, current := f.journalNote, f.Frame == f.written && (!flush || f.Frame == f.saved) || f.closed
	f.mu.Unlock()
	if !current {
		f.write(note, flush)
	}
}

// noteSize is the size of a note in bytes, so that a shorter one replaces all of a longer one.
const noteSize = 512

var blankNote = strings.Repeat(" ", noteSize)

// write replaces the file. If that fails, the older note remains.
func (f *noteFile) write(note journalNote, flush bool) {
	data, err := note.encode()
	switch {
	case err != nil:
	case flush || len(data) > noteSize:
		err = f.replace(data)
	default:
		err = f.overwrite(append(data, blankNote[len(data):]...))
	}

	if err != nil {
		f.cfg.Log.Warn("cannot save the journal note", "error", err)
		return
	}

	f.written = note.Frame
	if flush {
		f.saved = note.Frame
	}
}

// replace replaces the file, which need not be open. writing is held.
func (f *noteFile) replace(data []byte) error {
	f.closeFile()
	return journal.ReplaceFile(f.folder, noteName, data)
}

// overwrite writes to the file, and leaves it open for the next time. writing is held.
func (f *noteFile) overwrite(data []byte) (err error) {
	if f.file == nil {
		if f.file, err = f.folder.Open(noteName); err != nil {
			f.file = nil
			return err
		}
	}

	_, err = f.file.WriteAt(data, 0)

	return err
}

func (f *noteFile) closeFile() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// loop saves the note after a change, at most once in noteInterval.
func (f *noteFile) loop(ctx context.Context) {
	for {
		change, ok := f.nextChange(ctx)
		if !ok {
			return
		}

		f.save(true)
		f.wait(ctx, nil, f.now().Add(noteInterval))
		select {
		case <-ctx.Done():
		case <-change:
		}
	}
}

// acknowledge ends what is missing, and saves that. writing and mu are held.
func (f *noteFile) acknowledge() error {
	if f.Missing == nil {
		return nil
	}

	note := f.journalNote
	note.Missing = nil
	data, err := note.encode()
	if err == nil {
		err = f.replace(data)
	}
	if err == nil {
		f.journalNote = note
	}

	return err
}

// hasDamage reports whether saved work may be lost, and nobody has acknowledged it.
// mu is held.
func (f *noteFile) hasDamage() bool {
	return f.damage != nil && (len(f.damage.Damage) > 0 || f.damage.Missing != nil)
}
