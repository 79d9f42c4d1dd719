package boltstore

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// bbolt reads the file through a map. Where the disk fails under it, or the
// file is cut, such a read is a fault, which ends the process unless the
// goroutine wants a panic instead.

// guarded runs fn, which reads the database. A fault is an error in words, and
// nothing more is read: bbolt may hold a lock from then on.
func (s *Store) guarded(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		v := recover()
		if fault, ok := v.(interface {
			runtime.Error
			Addr() uintptr
		}); ok {
			err = &damage{path: s.path, err: fmt.Errorf("it cannot be read any more, the disk failed or the file was cut: %w", fault), used: true}
			s.failed.CompareAndSwap(nil, &err)
			s.faulted.Store(true)
		} else if v != nil {
			panic(v)
		}
	}()
	return fn()
}
