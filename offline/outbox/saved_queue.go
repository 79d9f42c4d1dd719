package outbox

import (
	"bytes"
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"time"

	"bincard/offline/journal"
	"bincard/server/api"
)

// retention is how long resolved operations stay in the journal. The last keepLast stay
// longer, because a clock that jumps ahead makes recent ones seem old: a busy terminal does
// fewer in a day, and they cost a journal of 1.5 MB and some 20 ms of a start.
const (
	retention = 7 * 24 * time.Hour
	keepLast  = 2_000
)

// A SavedQueue is a Queue whose entries are in a journal before they apply.
type SavedQueue struct {
	*Queue
	journal   *journal.Journal
	compactAt int64  // the journal size at which it is next compacted
	minSize   int64  // below which it is never compacted
	failing   error  // of the last Commit
	damaged   bool   // the journal is not compacted: that would remove the evidence
	keepLast  int    // Options.KeepLast, or its default
	deferred  []byte // the record of CommitLater, until the next Commit
}

// OpenSaved returns the queue that a journal describes. A journal of compactAt
// bytes is compacted if most of it is resolved. mirror is the folder of the journal's
// second copy, nil for none.
func OpenSaved(
	folder, mirror journal.Folder,
	name string,
	compactAt int64,
	opts Options,
	log *slog.Logger,
) (*SavedQueue, *journal.Contents, error) {
	j, found, err := journal.OpenMirrored(folder, name, JournalMirror(mirror))
	if err != nil {
		return nil, nil, err
	}

	q := &SavedQueue{
		Queue:     New(opts),
		journal:   j,
		compactAt: compactAt,
		minSize:   compactAt,
		damaged:   len(found.Damage) > 0,
		keepLast:  cmp.Or(opts.KeepLast, keepLast),
	}

	for _, data := range found.Records {
		e, err := Decode(data)
		if err != nil {
			return nil, nil, errors.Join(err, j.Close())
		}
		if err := q.Apply(e); err != nil {
			// Its operation was lost with the damage that Open reports.
			log.Warn("skipped a journal entry", "error", err)
		}
	}

	return q, found, nil
}

// Commit appends entries to the journal and then applies them. It ignores nil
// entries.
func (q *SavedQueue) Commit(entries ...*Entry) error {
	records, err := encode(entries)
	if q.deferred != nil {
		records = append([][]byte{q.deferred}, records...)
	}
	if err != nil || len(records) == 0 {
		return err
	}
	if q.failing = q.journal.Append(records...); q.failing != nil {
		return q.failing
	}

	q.deferred = nil
	for _, e := range entries {
		if e != nil {
			if err := q.Apply(e); err != nil {
				return err
			}
		}
	}

	return nil
}

// CommitLater applies an entry that the next Commit appends before its own: an older version
// cannot read the journal then, which a program that only reads leaves to it.
func (q *SavedQueue) CommitLater(e *Entry) error {
	data, err := e.Encode()
	if err != nil {
		return err
	}
	q.deferred = data
	return q.Apply(e)
}

func encode(entries []*Entry) (records [][]byte, err error) {
	for _, e := range entries {
		if e == nil {
			continue
		}
		data, err := e.Encode()
		if err != nil {
			return nil, err
		}
		records = append(records, data)
	}

	return records, nil
}

// Failing returns why the journal did not accept the last entries, or nil if it
// did.
func (q *SavedQueue) Failing() error { return q.failing }

// TryDisk tries to write after a failure. If that succeeds, Failing returns nil: nothing may
// be left to save, so that no Commit would find out. It reports whether it succeeded.
func (q *SavedQueue) TryDisk() bool {
	if q.failing == nil || q.journal.TryWrite() != nil {
		return false
	}
	q.failing = nil
	return true
}

// MirrorError returns why the journal's second copy is not up to date, or nil if it is or
// there is none.
func (q *SavedQueue) MirrorError() error { return q.journal.MirrorError() }

// RepairMirror brings the journal's second copy up to date if it is not.
func (q *SavedQueue) RepairMirror() { q.journal.RepairMirror() }

// JournalMirror returns the second copy of a queue's journal in a folder.
func JournalMirror(folder journal.Folder) journal.Mirror {
	return journal.Mirror{Folder: folder, Owner: journalOwner}
}

// journalOwner returns the organization, environment and first node id of a journal's records.
func journalOwner(records [][]byte) (owner string) {
	for _, data := range slices.Backward(records) {
		if !bytes.Contains(data, []byte(`"begin"`)) {
			continue
		}
		if e, err := Decode(data); err == nil && e.Header != nil && e.Header.Client != api.NoID {
			owner = e.Header.Organization + " " + e.Header.Environment + " " + e.Header.Client.String()
		}
	}

	return owner
}

// CompactJournal removes operations resolved long ago from an undamaged journal that has
// grown.
func (q *SavedQueue) CompactJournal(now time.Time) error {
	if q.journal.Size() < q.compactAt || q.damaged {
		return nil
	}
	return q.compact(now)
}

// RemoveDamage rewrites a damaged journal. A copy of it remains beside it.
func (q *SavedQueue) RemoveDamage(now time.Time) error {
	if !q.damaged {
		return nil
	}
	err := q.compact(now)
	q.damaged = err != nil
	return err
}

// LastFrame returns the number of the journal's last frame.
func (q *SavedQueue) LastFrame() uint64 { return q.journal.Number() }

func (q *SavedQueue) compact(now time.Time) error {
	records, err := encode(q.Compact(now.Add(-retention), q.keepLast))
	if err != nil {
		return err
	}
	if err := q.journal.Rewrite(records...); err != nil {
		q.compactAt = 2 * q.journal.Size() // the disk may have space by then
		return err
	}

	q.compactAt = max(q.minSize, 2*q.journal.Size())
	q.deferred = nil // Compact has included it

	return nil
}

// Close closes the journal. Every committed entry is in it.
func (q *SavedQueue) Close() error { return q.journal.Close() }
