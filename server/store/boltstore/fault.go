package boltstore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// bbolt reads the file through a map and trusts what it finds. Where the disk
// fails under it, or the file is cut, such a read is a fault, which ends the
// process unless the goroutine wants a panic instead; where something wrote
// over a page, bbolt itself panics.

// guard runs fn, which uses the database. A fault, or a panic of bbolt, is an
// error in words, and nothing more is read or written: bbolt may hold a lock
// from then on.
func (s *Store) guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer s.recoverFault(&err)
	return fn()
}

// recoverFault is deferred where the database is used; see guarded.
func (s *Store) recoverFault(err *error) {
	v := recover()
	if v == nil {
		return
	}
	var why error
	if fault, ok := v.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		why = fmt.Errorf("it can no longer be read; the disk failed or the file was truncated: %w", fault)
	} else if inDatabase() {
		why = fmt.Errorf("it was overwritten: %v", v)
	} else {
		*err = &store.PanicError{Value: v, Stack: debug.Stack()}
		return
	}
	s.faulted.Store(true)
	var found error = &damageError{path: s.path, err: why, inUse: true}
	s.failed.CompareAndSwap(nil, &found)
	*err = found
}

// inDatabase tells whether the panic that is being recovered began in bbolt.
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

// begin begins a transaction of the database; one that cannot be ended any more
// ends with the process.
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

// end ends a transaction that is to leave nothing, or that was committed.
func (s *Store) end(tx *bolt.Tx) {
	if !s.faulted.Load() {
		_ = tx.Rollback() // does nothing after a commit
	}
}
