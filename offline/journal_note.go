package offline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
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
	store.Unknown
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
	mu     sync.Mutex // held during a write; taken before Node.mu
	folder journal.Folder
	journalNote
	saved   uint64 // the frame number on disk
	written uint64 // the frame number in the file, which may not be on disk yet
}

// checkNote compares the journal with its note. It saves what is missing before the
// journal grows.
func (n *Node) checkNote() {
	f := &n.note
	data, err := journal.ReadFile(f.folder, noteName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.cfg.Log.Warn("cannot read the journal note", "error", err)
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &f.journalNote); err != nil {
			n.cfg.Log.Warn("cannot read the journal note", "error", err)
			f.journalNote = journalNote{}
		}
	}
	f.saved, f.written = f.Frame, f.Frame
	last := n.queue.LastFrame()
	if f.Frame <= last {
		return
	}
	missing := MissingWork{Frames: f.Frame - last, Waiting: f.Waiting, FoundAt: n.now()}
	if old := f.Missing; old != nil {
		missing.Frames, missing.Waiting = missing.Frames+old.Frames, max(missing.Waiting, old.Waiting)
	}
	f.Missing, f.Frame = &missing, last
	n.writeNote(f.journalNote, true)
}

// saveNote saves the length of the journal. What is not flushed is lost only if the power
// fails, not if the program is killed.
func (n *Node) saveNote(flush bool) {
	n.note.mu.Lock()
	defer n.note.mu.Unlock()
	n.mu.Lock()
	n.note.Frame, n.note.Waiting = n.queue.LastFrame(), n.queue.Counts().Waiting
	note, current := n.note.journalNote, n.note.Frame == n.note.written && (!flush || n.note.Frame == n.note.saved) || n.closed
	n.mu.Unlock()
	if !current {
		n.writeNote(note, flush)
	}
}

// noteSize is the size of a note in bytes, which a disk writes at once.
const noteSize = 512

// writeNote replaces the file. If that fails, the older note remains.
func (n *Node) writeNote(note journalNote, flush bool) {
	data, err := json.Marshal(note)
	switch {
	case err != nil:
	case flush || len(data) > noteSize:
		err = journal.ReplaceFile(n.note.folder, noteName, data)
	default:
		err = journal.WriteTo(n.note.folder, noteName, append(data, bytes.Repeat([]byte(" "), noteSize-len(data))...), 0)
	}
	if err != nil {
		n.cfg.Log.Warn("cannot save the journal note", "error", err)
		return
	}
	n.note.written = note.Frame
	if flush {
		n.note.saved = note.Frame
	}
}

// noteLoop saves the note after a change, at most once in noteInterval.
func (n *Node) noteLoop(ctx context.Context) {
	for {
		change, ok := n.nextChange(ctx)
		if !ok {
			return
		}
		n.saveNote(true)
		timer := time.NewTimer(noteInterval)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		select {
		case <-ctx.Done():
		case <-change:
		}
	}
}

// AcknowledgeDamage ends the alarm about damage, in a person's name. A copy of a damaged
// journal remains beside it. If there is no damage it ends the alarm about a copy: the node
// gets another id.
func (n *Node) AcknowledgeDamage(by string) error {
	n.note.mu.Lock()
	defer n.note.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || !n.hasDamage() && n.lease.copies == nil {
		return nil
	}
	if !n.hasDamage() {
		if err := n.saveHeader(*n.queue.Header); err != nil {
			return notSavedError(err)
		}
		n.cfg.Log.Warn("the copied directory has another node id now", "by", by, "id", n.queue.Header.Client, "copies", n.lease.copies)
		n.lease.copies = nil
		n.notify()
		return nil
	}
	if err := n.queue.RemoveDamage(n.now()); err != nil {
		return notSavedError(err)
	}
	if n.note.Missing != nil {
		note := n.note.journalNote
		note.Missing = nil
		data, err := json.Marshal(note)
		if err == nil {
			err = journal.ReplaceFile(n.note.folder, noteName, data)
		}
		if err != nil {
			return notSavedError(err)
		}
		n.note.journalNote = note
	}
	n.cfg.Log.Warn("damage of the journal was acknowledged", "by", by, "damage", n.damage.Damage, "missing", n.damage.Missing)
	n.damage = nil
	n.notify()
	return nil
}

// hasDamage reports whether saved work may be lost, and nobody has acknowledged it.
// n.mu is held.
func (n *Node) hasDamage() bool {
	return n.damage != nil && (len(n.damage.Damage) > 0 || n.damage.Missing != nil)
}
