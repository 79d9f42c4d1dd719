package boltstore

import "time"

// A checkpointer runs checkpoints when the log is large or old.
type checkpointer struct {
	checkpoint  func() error
	full, first chan struct{} // capacity 1
	quit, done  chan struct{}
}

const (
	maxLogAge       = 5 * time.Second // checkpoint after this time even if the log is small
	checkpointRetry = 5 * time.Second // time between a failed checkpoint and the next
)

func startCheckpointer(checkpoint func() error) *checkpointer {
	c := &checkpointer{
		checkpoint: checkpoint,
		full:       make(chan struct{}, 1),
		first:      make(chan struct{}, 1),
		quit:       make(chan struct{}),
		done:       make(chan struct{}),
	}

	go c.loop()

	return c
}

func (c *checkpointer) loop() {
	defer close(c.done)
	var due <-chan time.Time
	for {
		select {
		case <-c.quit:
			return
		case <-c.first:
			due = time.After(maxLogAge)
			continue
		case <-c.full:
		case <-due:
		}

		due = nil
		if c.checkpoint() != nil {
			due = time.After(checkpointRetry)
		}
	}
}

// observe is called after each record; gathered is the size of the generation with it.
func (c *checkpointer) observe(gathered, record, threshold int64) {
	switch {
	case gathered >= threshold:
		c.wake()
	case gathered == record:
		notify(c.first)
	}
}

func (c *checkpointer) wake() { notify(c.full) }

func (c *checkpointer) stop() {
	close(c.quit)
	<-c.done
}

func notify(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
