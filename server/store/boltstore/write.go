package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
	"bincard/server/store/wal"
)

// A batchWriter writes rows to the database, in several transactions if they are many.
type batchWriter struct {
	s       *Store
	maxRows int // rows per transaction; 0 for no limit
	tx      *bolt.Tx
	rows    int
}

// put writes rows of one table.
func (w *batchWriter) put(p store.Partition, table string, rows []store.Row) error {
	if len(rows) == 0 {
		return nil
	}

	prefix, err := bucketPrefix(p)
	if err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	if err := putRows(w.tx, append(prefix, table...), rows); err != nil {
		return fmt.Errorf("table %s: %w", table, diskFullError(err))
	}
	if w.rows += len(rows); w.maxRows > 0 && w.rows >= w.maxRows {
		return w.flush()
	}

	return nil
}

func (w *batchWriter) begin() (err error) {
	if w.tx == nil {
		w.rows = 0
		w.tx, err = w.s.begin(true)
	}
	return err
}

// rollback rolls back what was not flushed.
func (w *batchWriter) rollback() {
	if w.tx != nil {
		w.s.end(w.tx)
		w.tx = nil
	}
}

// flush commits. If only the last step fails, the flush of the meta page, the transaction
// is visible in memory and may not be on disk; then the store stops.
func (w *batchWriter) flush() error {
	id := w.tx.ID()
	err := w.tx.Commit()
	if err == nil {
		w.tx = nil
		return nil
	}

	w.rollback()
	visible := w.s.db.View(func(tx *bolt.Tx) error {
		if tx.ID() >= id {
			return err
		}
		return nil
	})

	if visible == nil {
		return diskFullError(err)
	}

	return w.s.stopIfUncertain(fmt.Errorf("%w: %w", store.ErrUncertain, visible))
}

// putRows writes rows of one table to its bucket.
func putRows(tx *bolt.Tx, name []byte, rows []store.Row) error {
	bucket, err := tx.CreateBucketIfNotExists(name)
	if err != nil {
		return err
	}
	if mostlyAppends(bucket, rows) {
		bucket.FillPercent = 1
	}

	for _, row := range rows {
		if row.Value == nil {
			err = bucket.Delete(row.Key)
		} else {
			err = bucket.Put(row.Key, row.Value)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// mostlyAppends reports whether most rows come after all existing ones. The pages of such
// a table are filled completely, because nothing will be inserted between their keys.
func mostlyAppends(b *bolt.Bucket, rows []store.Row) bool {
	last, _ := b.Cursor().Last()
	return last == nil || bytes.Compare(rows[len(rows)/2].Key, last) > 0
}

// The mark of the log is the only row of a table with an empty name in the system's
// partition; no other table has an empty name.
var (
	markTable = make([]byte, len(store.Partition{}.Organization)+1)
	markKey   = []byte("log")
)

func readMark(db *bolt.DB) (at wal.Mark, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(markTable)
		if b == nil {
			return nil
		}

		value := b.Get(markKey)
		if len(value) != 16 {
			return newDamageError(db.Path(), errors.New("its log position cannot be read"))
		}

		at = wal.Mark{Checkpointed: binary.LittleEndian.Uint64(value), Next: binary.LittleEndian.Uint64(value[8:])}

		return nil
	})

	return at, err
}

// writeMark writes the mark and commits.
func (w *batchWriter) writeMark(at wal.Mark) error {
	value := binary.LittleEndian.AppendUint64(nil, at.Checkpointed)
	value = binary.LittleEndian.AppendUint64(value, at.Next)
	if err := w.begin(); err != nil {
		return err
	}
	if err := putRows(w.tx, markTable, []store.Row{{Key: markKey, Value: value}}); err != nil {
		return diskFullError(err)
	}

	return w.flush()
}
