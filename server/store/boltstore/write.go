package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
	"bincard/server/store/redo"
)

// A batchWriter writes rows to the database, in one transaction or, where they are
// many, in several.
type batchWriter struct {
	s       *Store
	maxRows int // rows in one transaction; 0 is no limit
	tx      *bolt.Tx
	rows    int
}

// put writes rows of one table.
func (f *batchWriter) put(p store.Partition, table string, rows []store.Row) error {
	if len(rows) == 0 {
		return nil
	}
	prefix, err := bucketPrefix(p)
	if err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	if err := putRows(f.tx, append(prefix, table...), rows); err != nil {
		return fmt.Errorf("table %s: %w", table, diskFullError(err))
	}
	if f.rows += len(rows); f.maxRows > 0 && f.rows >= f.maxRows {
		return f.flush()
	}
	return nil
}

func (f *batchWriter) begin() (err error) {
	if f.tx == nil {
		f.rows = 0
		f.tx, err = f.s.begin(true)
	}
	return err
}

// rollback ends what was not flushed.
func (f *batchWriter) rollback() {
	if f.tx != nil {
		f.s.end(f.tx)
		f.tx = nil
	}
}

// flush commits. When only the last step failed, the flush of the page that
// makes the transaction count, it shows in memory and may not be on disk. Then
// the store stops.
func (f *batchWriter) flush() error {
	id := f.tx.ID()
	err := f.tx.Commit()
	if err == nil {
		f.tx = nil
		return nil
	}
	f.rollback()
	shows := f.s.db.View(func(tx *bolt.Tx) error {
		if tx.ID() >= id {
			return err
		}
		return nil
	})
	if shows == nil {
		return diskFullError(err)
	}
	return f.s.judge(fmt.Errorf("%w: %w", store.ErrUncertain, shows))
}

// putRows puts the rows of one table in its bucket.
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

// mostlyAppends tells whether most rows come after all that are there. Pages of such
// a table are filled to the brim, because nothing will come between their keys.
func mostlyAppends(b *bolt.Bucket, rows []store.Row) bool {
	last, _ := b.Cursor().Last()
	return last == nil || bytes.Compare(rows[len(rows)/2].Key, last) > 0
}

// The mark of the log is the one row of a table without a name, which no other
// table is, in the system's partition.
var (
	markTable = make([]byte, len(store.Partition{}.Organization)+1)
	markKey   = []byte("log")
)

func readMark(db *bolt.DB) (at redo.Mark, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(markTable)
		if b == nil {
			return nil
		}
		value := b.Get(markKey)
		if len(value) != 16 {
			return newDamageError(db.Path(), errors.New("its log position cannot be read"))
		}
		at = redo.Mark{Checkpointed: binary.LittleEndian.Uint64(value), Next: binary.LittleEndian.Uint64(value[8:])}
		return nil
	})
	return at, err
}

// writeMark writes the mark and flushes all.
func (f *batchWriter) writeMark(at redo.Mark) error {
	value := binary.LittleEndian.AppendUint64(nil, at.Checkpointed)
	value = binary.LittleEndian.AppendUint64(value, at.Next)
	if err := f.begin(); err != nil {
		return err
	}
	if err := putRows(f.tx, markTable, []store.Row{{Key: markKey, Value: value}}); err != nil {
		return diskFullError(err)
	}
	return f.flush()
}
