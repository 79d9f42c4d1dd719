package inbox

import (
	"path/filepath"
	"sync/atomic"
	"time"

	"bincard/server/metrics"
)

// Meters measure inboxes together. They name no directory.
type Meters struct {
	inboxes []*Inbox
}

// NewMeters returns the meters of inboxes.
func NewMeters(inboxes []*Inbox) *Meters { return &Meters{inboxes} }

// results are the counts of the files that an inbox has imported or rejected.
type results struct{ done, failed atomic.Int64 }

// Collect counts the waiting files now.
func (m *Meters) Collect(p *metrics.Page) {
	var done, failed int64
	waiting, oldest := 0, time.Duration(0)
	for _, x := range m.inboxes {
		done, failed = done+x.results.done.Load(), failed+x.results.failed.Load()
		n, age := x.waiting()
		waiting, oldest = waiting+n, max(oldest, age)
	}

	const files = "Files that this process has imported or rejected, by result."
	p.Counter("bincard_inbox_files_total", files, float64(done), "result", "done")
	p.Counter("bincard_inbox_files_total", files, float64(failed), "result", "failed")
	p.Gauge("bincard_inbox_waiting_files", "Files in the inboxes that are not imported yet.", float64(waiting))
	p.Gauge("bincard_inbox_oldest_waiting_seconds", "Time since the oldest waiting file was written; 0 if none waits.",
		oldest.Seconds())
}

// waiting returns the number of files that are not imported yet, also those that are being
// imported, and the age of the oldest.
func (x *Inbox) waiting() (n int, oldest time.Duration) {
	for _, folder := range append([]string{working}, folders()...) {
		for _, name := range x.files(folder) {
			info, err := x.root.Lstat(filepath.Join(folder, name))
			if err != nil {
				continue // it was imported just now
			}
			n++
			oldest = max(oldest, x.now().Sub(info.ModTime()))
		}
	}

	return n, oldest
}
