package boltstore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// bbolt reads the file through a memory map and trusts what it finds. If the disk fails
// or the file is truncated, such a read is a fault, which crashes the process unless the
// goroutine has debug.SetPanicOnFault; if a page was overwritten, bbolt panics.

// guard runs fn, which uses the database. It converts a fault, or a panic of bbolt, to an
// error and stops the store, because bbolt may never release a lock afterwards.
func (s *Store) guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer s.recoverFault(&err)
	return fn()
}

// recoverFault recovers a fault; see guard. Defer it where the database is used.
func (s *Store) recoverFault(err *error) {
	v := recover()
	if v == nil {
		return
	}

	var cause error
	if fault, ok := v.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		cause = fmt.Errorf("it can no longer be read; the disk failed or the file was truncated: %w", fault)
	} else if inDatabase() {
		cause = fmt.Errorf("it was overwritten: %v", v)
	} else {
		*err = &store.PanicError{Value: v, Stack: debug.Stack()}
		return
	}

	s.faulted.Store(true)
	var damage error = &damageError{path: s.path, err: cause, inUse: true}
	s.failed.CompareAndSwap(nil, &damage)
	*err = damage
}

// inDatabase reports whether the panic being recovered came from bbolt.
func inDatabase() bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "go.etcd.io/bbolt"):
			return true
		case strings.HasPrefix(frame.Function, "bincard/"), !more:
			return false
		}
	}
}

// begin begins a transaction of the database.
func (s *Store) begin(writable bool) (_ *bolt.Tx, err error) {
	if err := s.failed.Load(); err != nil {
		return nil, *err
	}

	defer s.recoverFault(&err)
	if err := s.metaPages.check(); err != nil {
		err = &damageError{path: s.path, err: err, inUse: true}
		s.failed.CompareAndSwap(nil, &err)
		return nil, err
	}

	tx, err := s.db.Begin(writable)

	return tx, storeError(err)
}

// end ends a transaction that is read-only, committed or to be discarded.
func (s *Store) end(tx *bolt.Tx) {
	if !s.faulted.Load() {
		_ = tx.Rollback() // does nothing after a commit
	}
}
