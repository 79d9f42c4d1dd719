package store

import "runtime"

// StageAtOnce is how many updates wait to be staged while a batch is being committed.
const StageAtOnce = stageAtOnce

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
