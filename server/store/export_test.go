package store

import "runtime"

// Waiting returns once n updates are waiting.
func (w *Writer) Waiting(n int) {
	for {
		w.mu.Lock()
		waiting := len(w.queue)
		w.mu.Unlock()
		if waiting >= n {
			return
		}
		runtime.Gosched()
	}
}
