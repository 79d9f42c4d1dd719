package store

import "time"

// A Commit describes one commit of a Writer.
type Commit struct {
	// Updates is the number of updates committed together.
	Updates int
	// Flush is how long the backend took to write and flush them; 0 if there was
	// nothing to write.
	Flush time.Duration
	// Err is why the commit failed, or nil.
	Err error
}

// Observe calls fn after each commit from now on, after the waiting updates return, one
// call at a time. fn runs on the writer's goroutines: it must be short and must not call
// the store.
func (w *Writer) Observe(fn func(Commit)) { w.observer.Store(&fn) }

func (w *Writer) notify(c Commit) {
	if fn := w.observer.Load(); fn != nil {
		w.notifying.Lock()
		defer w.notifying.Unlock()
		(*fn)(c)
	}
}

// Queued returns the number of waiting updates.
func (w *Writer) Queued() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}
