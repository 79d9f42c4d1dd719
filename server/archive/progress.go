package archive

import (
	"context"
	"io"

	"bincard/server"
	"bincard/server/store/boltstore"
)

// Progress is the progress of a backup, restore or verification: Done of
// Total, in units of the stage. Total is 0 if unknown.
type Progress struct {
	Stage Stage `json:"stage"`
	Done  int64 `json:"done"`
	Total int64 `json:"of"`
}

// A Stage is a part of a task.
type Stage string

const (
	Waiting   Stage = "waiting"  // for another task to finish
	Copying   Stage = "copying"  // bytes
	Checking  Stage = "checking" // the pages of the file
	Verifying Stage = "proving"  // records
)

// A ProgressFunc receives progress. It may be nil.
type ProgressFunc func(Progress)

// Report calls f unless it is nil.
func (t ProgressFunc) Report(s Stage, done, of int64) {
	if t != nil {
		t(Progress{s, done, of})
	}
}

// Stream writes a backup of a live ledger, until ctx ends.
func Stream(ctx context.Context, s *server.Server, w io.Writer, progress ProgressFunc) error {
	progress.Report(Copying, 0, 0)
	if s.Database != nil {
		return withCopy(ctx, s.Database, progress,
			func(copied *boltstore.Store) error { return stream(ctx, copied, w, progress) })
	}
	return stream(ctx, s.Store, w, progress)
}

func stream(ctx context.Context, st *boltstore.Store, w io.Writer, progress ProgressFunc) error {
	return st.Backup(&ProgressWriter{Context: ctx, To: w, Total: st.Size(), Progress: progress})
}

// A ProgressWriter reports the progress of writes, which fail when its context
// ends.
type ProgressWriter struct {
	Context  context.Context
	To       io.Writer
	Total    int64 // approximate; 0 if unknown
	Progress ProgressFunc
	done     int64
}

func (g *ProgressWriter) Write(p []byte) (int, error) {
	if err := g.Context.Err(); err != nil {
		return 0, err
	}
	n, err := g.To.Write(p)
	g.done += int64(n)
	g.Progress.Report(Copying, g.done, max(g.Total, g.done))
	return n, err
}
