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

// MaxBatch is the maximum number of updates in one commit.
const MaxBatch = 256

// stageAtOnce is how many updates wait for each other to be staged while a batch is being
// committed. Each stage opens a transaction of the backend and its tables, which takes as
// long as several updates.
const stageAtOnce = 8

// A PanicError is returned by Update and View when the function given to them panicked.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("store: function panicked at %s: %s", e.location(),
		strings.TrimPrefix(fmt.Sprint(e.Value), "runtime error: "))
}

// location returns the source line that panicked.
func (e *PanicError) location() string {
	_, after, _ := strings.Cut(string(e.Stack), "\npanic(")
	for line := range strings.Lines(after) {
		if at, ok := strings.CutPrefix(line, "\t"); ok && !strings.Contains("/"+at, "/runtime/") {
			at, _, _ = strings.Cut(at, " ")
			return filepath.Join(filepath.Base(filepath.Dir(at)), filepath.Base(strings.TrimSpace(at)))
		}
	}

	return "unknown location"
}

// Unwrap returns the panic value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errGoexit = errors.New("store: update function ended its goroutine (runtime.Goexit); its batch was not saved")

// A Writer runs the updates of a store one at a time and commits them in batches: while one
// batch is being committed the next one is staged over it, a few updates at a time. So a busy
// store flushes once for many updates, and an idle one flushes at once. Each update sees the
// changes of those before it, and returns only after all of them are on disk. If a batch
// fails, so does the one staged over it.
//
// Two goroutines alternate: one stages while the other commits.
type Writer struct {
	backend     Backend
	mu          sync.Mutex
	wake        sync.Cond // for the staging goroutine: there is work, or a commit has ended
	stagingDone sync.Cond // for the other goroutine: staging has ended
	queue       []*update
	staging     bool
	committing  *batch // the batch being committed
	broken      error  // why the backend is unusable
	closed      bool
	mem         arena // for staging
	running     sync.WaitGroup

	notifying sync.Mutex
	observer  atomic.Pointer[func(Commit)]
}

// An update is one call of Update.
type update struct {
	ctx     context.Context
	p       Partition
	fn      func(Tx) error
	claimed atomic.Bool // by the writer to run it, or by its caller to cancel it
	err     error
	done    chan struct{}
}

// NewWriter starts a writer; Close stops it.
func NewWriter(b Backend) *Writer {
	w := &Writer{backend: b}
	w.wake.L, w.stagingDone.L = &w.mu, &w.mu
	w.running.Add(2)
	go w.loop()
	go w.loop()
	return w
}

// Update runs fn on a staged transaction and returns after it is on disk, with the error of
// fn or of the commit. fn runs on the writer's goroutine and must not call the store. If ctx
// ends before fn starts, fn does not run; afterwards Update waits for the outcome.
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
	if n := len(w.queue); n == 1 && w.committing == nil || n == stageAtOnce {
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

// Close rejects further updates, finishes the waiting ones, and returns when the backend is
// no longer in use.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.wake.Signal()
	w.mu.Unlock()
	w.running.Wait()
}

func (w *Writer) loop() {
	// Updates read the memory-mapped database. A disk failure becomes a panic of the
	// update.
	debug.SetPanicOnFault(true)
	finished := false
	defer func() {
		if finished {
			w.running.Done()
			return
		}
		go w.loop() // an update called runtime.Goexit
	}()

	for b := w.collect(); b != nil; b = w.collect() {
		w.commit(b)
	}

	finished = true
}

// collect waits for updates and stages them until no other batch is being committed; then
// the batch can be committed. It returns nil when the writer is closed and empty.
func (w *Writer) collect() (b *batch) {
	runtime.Gosched() // lets callers that just returned enqueue again, for fuller batches
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.staging {
		w.stagingDone.Wait()
	}

	w.staging = true
	b = &batch{previous: w.committing}
	collected := false
	defer func() {
		w.staging = false
		w.stagingDone.Signal()
		if !collected {
			go w.complete(b, 0, errGoexit)
		}
	}()

	for {
		n := min(len(w.queue), MaxBatch-len(b.updates))
		switch {
		case n >= stageAtOnce || n > 0 && w.committing == nil:
			w.stage(b, n)
		case len(b.updates) > 0 && w.committing == nil:
			w.seal(b)
			w.committing, collected = b, true
			return b
		case len(b.updates) == 0 && w.closed:
			collected = true
			return nil
		default:
			w.wake.Wait()
			if len(b.updates) == 0 {
				b.previous = w.committing
			}
		}
	}
}

// stage runs the next n updates. It unlocks w.mu meanwhile.
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

// seal ends the staging of a batch. It unlocks w.mu meanwhile.
func (w *Writer) seal(b *batch) {
	w.mu.Unlock()
	defer w.mu.Lock()
	b.seal()
}

// guard calls the backend. A panic marks the backend as broken.
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

// commit writes the changes of a batch and completes its updates.
func (w *Writer) commit(b *batch) {
	w.mu.Lock()
	err := w.broken
	w.mu.Unlock()
	if b.previous != nil && b.previous.err != nil {
		err = b.previous.err
	}

	var flushTime time.Duration
	if err == nil && len(b.changes) > 0 {
		start := time.Now()
		err = w.guard(func() error { return w.backend.Commit(b.changes) })
		flushTime = time.Since(start)
		if err != nil && !errors.Is(err, ErrUncertain) {
			err = fmt.Errorf("store: commit failed, nothing was saved: %w", err)
		}
	}

	b.previous, b.err = nil, err
	w.mu.Lock()
	w.committing = nil
	w.wake.Signal()
	w.mu.Unlock()
	w.complete(b, flushTime, err)
}

// complete completes all updates of a batch.
func (w *Writer) complete(b *batch, flushTime time.Duration, err error) {
	for _, u := range b.updates {
		if err != nil {
			u.err = err
		}
		close(u.done)
	}

	w.notify(Commit{Updates: len(b.updates), Flush: flushTime, Err: err})
}
