package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// MaxBatch is the greatest number of updates that one commit carries.
const MaxBatch = 256

// A PanicError is what Update returns when the function given to it panicked.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("store: panic in an update: %v", e.Value) }

// Unwrap is the value of the panic when it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errExited = errors.New("store: the function given to an update ended its goroutine (runtime.Goexit); nothing of its batch was kept")

// A Writer runs the updates of a store one after the other and commits them in
// groups: while one group is being written to disk the next one forms, so that
// a busy store flushes once for many updates and an idle one at once. Each
// update sees what those before it did; nobody is answered before all of it is
// on disk.
type Writer struct {
	backend Backend
	mu      sync.Mutex
	wake    sync.Cond
	queue   []*update
	closed  bool
	broken  error // what made the backend unusable; the writer's goroutine's own
	mem     arena
	done    chan struct{}

	observer atomic.Pointer[func(Commit)]
	flush    time.Duration // of the commit under way; the writer's goroutine's own
}

// An update is one call of Update on its way through the writer.
type update struct {
	ctx   context.Context
	p     Partition
	fn    func(Tx) error
	taken atomic.Bool // by the writer to run it, or by its caller to give up
	err   error
	done  chan struct{}
}

// NewWriter starts a writer; Close ends it.
func NewWriter(b Backend) *Writer {
	w := &Writer{backend: b, done: make(chan struct{})}
	w.wake.L = &w.mu
	go w.loop()
	return w
}

// Update runs fn on a staged transaction and returns when it is on disk, with
// the error that fn or the commit returned. fn runs on the writer's goroutine
// and must not call the store. When ctx ends before fn's turn, fn does not run;
// after that Update waits for the outcome.
func (w *Writer) Update(ctx context.Context, p Partition, fn func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u := &update{ctx: ctx, p: p, fn: fn, done: make(chan struct{})}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.queue = append(w.queue, u)
	if len(w.queue) == 1 {
		w.wake.Signal()
	}
	w.mu.Unlock()
	select {
	case <-u.done:
	case <-ctx.Done():
		if u.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-u.done
	}
	return u.err
}

// Close refuses further updates, finishes those that wait, and returns when
// the backend is no longer used.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.wake.Signal()
	w.mu.Unlock()
	<-w.done
}

func (w *Writer) loop() {
	over := false
	defer func() {
		if over {
			close(w.done)
			return
		}
		go w.loop() // an update ended this goroutine
	}()
	var batch []*update
	for {
		if batch = w.take(batch[:0]); len(batch) == 0 {
			over = true
			return
		}
		w.commit(batch)
	}
}

// take moves what waits to batch, waiting for the first. It takes nothing when
// the writer is closed and empty.
func (w *Writer) take(batch []*update) []*update {
	runtime.Gosched() // lets those just answered come back: fuller batches
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && !w.closed {
		w.wake.Wait()
	}
	n := min(len(w.queue), MaxBatch)
	batch = append(batch, w.queue[:n]...)
	rest := copy(w.queue, w.queue[n:])
	clear(w.queue[rest:])
	w.queue = w.queue[:rest]
	return batch
}

// commit runs the updates, writes what they did and answers them.
func (w *Writer) commit(batch []*update) {
	err := errExited
	w.flush = 0
	defer func() {
		for _, u := range batch {
			if err != nil {
				u.err = err
			}
			close(u.done)
		}
		w.tell(Commit{Updates: len(batch), Flush: w.flush, Err: err})
	}()
	err = w.run(batch)
}

func (w *Writer) run(batch []*update) (err error) {
	if w.broken != nil {
		return w.broken
	}
	defer func() {
		if v := recover(); v != nil {
			w.broken = fmt.Errorf("store: the database failed and must be opened again: %w", &PanicError{v, debug.Stack()})
			err = w.broken
		}
	}()
	tx, err := w.backend.Begin()
	if err != nil {
		return fmt.Errorf("store: cannot begin a transaction: %w", err)
	}
	open := true
	defer func() {
		if open {
			tx.Rollback()
		}
	}()
	s := staging{tx: tx, mem: &w.mem}
	for _, u := range batch {
		if !u.taken.CompareAndSwap(false, true) {
			continue
		}
		s.run(u)
	}
	changes := s.changes()
	if len(changes) == 0 {
		return nil
	}
	open = false
	began := time.Now()
	err = tx.Commit(changes)
	w.flush = time.Since(began)
	if err != nil && !errors.Is(err, ErrUncertain) {
		err = fmt.Errorf("store: nothing was saved, the commit failed: %w", err)
	}
	return err
}
