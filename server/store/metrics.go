package store

import "time"

// A Commit is what a Writer did in one go.
type Commit struct {
	// Updates is how many updates it took together.
	Updates int
	// Flush is how long the backend took to write and flush them; 0 where
	// nothing was to be written.
	Flush time.Duration
	// Err is why nothing was kept, or nil.
	Err error
}

// Observe has fn told of each commit from now on, after those who wait for it
// have been answered, one after the other. fn runs on the writer's goroutines:
// it must be short and must not call the store.
func (w *Writer) Observe(fn func(Commit)) { w.observer.Store(&fn) }

func (w *Writer) notify(c Commit) {
	if fn := w.observer.Load(); fn != nil {
		w.notifying.Lock()
		defer w.notifying.Unlock()
		(*fn)(c)
	}
}

// Queued is how many updates wait for their turn.
func (w *Writer) Queued() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}
