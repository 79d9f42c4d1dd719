package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// MaxBatch is the greatest number of updates that one commit carries.
const MaxBatch = 256

// A PanicError is what Update and View return when the function given to them
// panicked.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("store: function panicked at %s: %s", e.location(), strings.TrimPrefix(fmt.Sprint(e.Value), "runtime error: "))
}

// location is the line of this program that panicked.
func (e *PanicError) location() string {
	_, after, _ := strings.Cut(string(e.Stack), "\npanic(")
	for line := range strings.Lines(after) {
		if at, ok := strings.CutPrefix(line, "\t"); ok && !strings.Contains(at, "/runtime/") {
			at, _, _ = strings.Cut(at, " ")
			return filepath.Join(filepath.Base(filepath.Dir(at)), filepath.Base(strings.TrimSpace(at)))
		}
	}
	return "unknown location"
}

// Unwrap is the value of the panic when it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errGoexit = errors.New("store: update function ended its goroutine (runtime.Goexit); its batch was not saved")

// A Writer runs the updates of a store one after the other and commits them in
// groups: while one group is being written to disk the next one is staged over
// it, so that a busy store flushes once for many updates and an idle one at
// once. Each update sees what those before it did; nobody is answered before
// all of it is on disk. Where a group fails, so does the one staged over it.
//
// Two goroutines take turns: one stages while the other one commits.
type Writer struct {
	backend     Backend
	mu          sync.Mutex
	wake        sync.Cond // of who stages: there is work, or nothing is being committed any more
	stagingDone sync.Cond // of the other one: nobody stages
	queue       []*update
	staging     bool
	committing  *batch // is being committed
	broken      error  // what made the backend unusable
	closed      bool
	mem         arena // of who stages
	running     sync.WaitGroup

	notifying sync.Mutex
	observer  atomic.Pointer[func(Commit)]
}

// An update is one call of Update on its way through the writer.
type update struct {
	ctx     context.Context
	p       Partition
	fn      func(Tx) error
	claimed atomic.Bool // by the writer to run it, or by its caller to give up
	err     error
	done    chan struct{}
}

// NewWriter starts a writer; Close ends it.
func NewWriter(b Backend) *Writer {
	w := &Writer{backend: b}
	w.wake.L, w.stagingDone.L = &w.mu, &w.mu
	w.running.Add(2)
	go w.loop()
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
		if u.claimed.CompareAndSwap(false, true) {
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
	w.running.Wait()
}

func (w *Writer) loop() {
	// An update reads the database. Where the disk fails under that it is a
	// panic of the update.
	debug.SetPanicOnFault(true)
	over := false
	defer func() {
		if over {
			w.running.Done()
			return
		}
		go w.loop() // an update ended this goroutine
	}()
	for b := w.collect(); b != nil; b = w.collect() {
		w.commit(b)
	}
	over = true
}

// collect stages what waits, waiting for the first, until nothing is being
// committed any more: then the batch's turn has come. It is nil when the
// writer is closed and empty.
func (w *Writer) collect() (b *batch) {
	runtime.Gosched() // lets those just answered come back: fuller batches
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.staging {
		w.stagingDone.Wait()
	}
	w.staging = true
	b = &batch{previous: w.committing}
	whole := false
	defer func() {
		w.staging = false
		w.stagingDone.Signal()
		if !whole {
			go w.answer(b, 0, errGoexit)
		}
	}()
	for {
		n := min(len(w.queue), MaxBatch-len(b.updates))
		switch {
		case n > 0:
			w.stage(b, n)
		case len(b.updates) > 0 && w.committing == nil:
			w.seal(b)
			w.committing, whole = b, true
			return b
		case len(b.updates) == 0 && w.closed:
			whole = true
			return nil
		default:
			w.wake.Wait()
			if len(b.updates) == 0 {
				b.previous = w.committing
			}
		}
	}
}

// stage runs the next n updates, with the lock let go meanwhile.
func (w *Writer) stage(b *batch, n int) {
	from := len(b.updates)
	b.updates = append(b.updates, w.queue[:n]...)
	rest := copy(w.queue, w.queue[n:])
	clear(w.queue[rest:])
	w.queue = w.queue[:rest]
	err := w.broken
	w.mu.Unlock()
	defer w.mu.Lock()
	taken := b.updates[from:]
	if err == nil {
		err = w.guard(func() error {
			s, err := w.backend.Begin()
			if err != nil {
				return fmt.Errorf("store: cannot begin a transaction: %w", err)
			}
			defer s.Close()
			b.stage(taken, s, &w.mem)
			return nil
		})
	}
	for _, u := range taken {
		if err != nil {
			u.claimed.Store(true)
			u.err = err
		}
	}
}

// seal ends the staging of a batch, with the lock let go meanwhile.
func (w *Writer) seal(b *batch) {
	w.mu.Unlock()
	defer w.mu.Lock()
	b.seal()
}

// guard runs what the backend does. When that panics the backend is broken.
func (w *Writer) guard(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("store: the database failed and must be reopened: %w", &PanicError{v, debug.Stack()})
			w.mu.Lock()
			w.broken = err
			w.mu.Unlock()
		}
	}()
	return fn()
}

// commit writes what the batch did and answers it.
func (w *Writer) commit(b *batch) {
	w.mu.Lock()
	err := w.broken
	w.mu.Unlock()
	if b.previous != nil && b.previous.err != nil {
		err = b.previous.err
	}
	var took time.Duration
	if err == nil && len(b.changes) > 0 {
		began := time.Now()
		err = w.guard(func() error { return w.backend.Commit(b.changes) })
		took = time.Since(began)
		if err != nil && !errors.Is(err, ErrUncertain) {
			err = fmt.Errorf("store: commit failed, nothing was saved: %w", err)
		}
	}
	b.previous, b.err = nil, err
	w.mu.Lock()
	w.committing = nil
	w.wake.Signal()
	w.mu.Unlock()
	w.answer(b, took, err)
}

// answer tells all updates of a batch what became of them.
func (w *Writer) answer(b *batch, took time.Duration, err error) {
	for _, u := range b.updates {
		if err != nil {
			u.err = err
		}
		close(u.done)
	}
	w.notify(Commit{Updates: len(b.updates), Flush: took, Err: err})
}
