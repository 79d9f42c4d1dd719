package boltstore

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
	"bincard/server/store/wal"
)

// File is the name of the database in its directory.
const File = "ledger.db"

// Options of Open. The zero value suits a service.
type Options struct {
	// Wait is how long to wait for another process to close the directory; 0 means
	// 200 ms.
	Wait time.Duration

	// NoSync leaves flushing to the operating system: a crash of the machine may lose
	// or damage everything. Use it for temporary data.
	NoSync bool

	// MaxSize limits the size of the database in bytes: an update that needs more
	// fails, and the store continues. Commits then bypass the log, so that the limit
	// is checked at once. 0 means no limit.
	MaxSize int

	// CheckpointBytes is how many bytes of the log trigger a checkpoint. Memory and
	// the log each hold at most about four times as much. 0 means 8 MB.
	CheckpointBytes int64

	// Now is the clock for the time in the owner file; time.Now if nil.
	Now func() time.Time
}

// A Store is a store.Store in a bbolt database.
type Store struct {
	db        *bolt.DB
	metaPages metaPages
	dir       string
	path      string // the database
	opts      Options
	writer    *store.Writer
	failed    atomic.Pointer[error] // a failed flush or damage; stops all reads and writes
	close     sync.Once
	closed    error

	faulted  atomic.Bool    // bbolt may never release a lock
	closing  atomic.Bool    // Close has been called
	auditing sync.WaitGroup // the audit

	// Lock order: checkpointing, commit, mu.
	checkpointing sync.Mutex   // guards the log's files, frozen, and starting a generation
	commit        sync.Mutex   // guards the end of the log, and active
	mu            sync.RWMutex // guards frozen, active and its parts against readers
	log           *wal.Log
	frozen        *generation // to be moved to the database
	active        *generation // takes the commits; nil until the first one
	checkpointer  *checkpointer
}

// A generation has the changes of one generation of the log.
type generation struct {
	number uint64
	bytes  int64 // size in the log
	parts  map[store.Partition]*store.Layer
}

// layer returns the partition's layer, or nil.
func (g *generation) layer(p store.Partition) *store.Layer {
	if g == nil {
		return nil
	}
	return g.parts[p]
}

// stopIfUncertain converts a disk error and, after a failed flush, stops the store: what
// is on disk is then unknown until the store is reopened.
func (s *Store) stopIfUncertain(err error) error {
	err = diskFullError(err)
	if errors.Is(err, store.ErrUncertain) {
		s.failed.CompareAndSwap(nil, &err)
	}
	return err
}
