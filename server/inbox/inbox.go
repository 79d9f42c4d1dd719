// Package inbox imports the files that other systems put into a directory.
//
// The directory has a folder for each kind of file. A file is claimed by renaming it into the
// folder working, so that of several processes only one imports it. It ends in the folder
// done or failed, with a report beside it. The claim of a process that crashed becomes stale
// and is taken over; imports can be repeated, so that nothing is imported twice.
package inbox

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/server/intake"
)

// Kinds are the kinds of files that an inbox takes, in the order in which it imports them.
var Kinds = []intake.Kind{intake.Products, intake.Locations, intake.Inbounds, intake.Outbounds, intake.Transfers}

// The folders of files that are not waiting.
const (
	working = "working"
	done    = "done"
	failed  = "failed"
)

const (
	// staleAfter is the age at which another process takes over a claim.
	staleAfter = 5 * time.Minute
	// renewAfter is how often a claim is renewed while its file is imported.
	renewAfter = time.Minute
	// maxEntries is how many files of a folder are looked at at once.
	maxEntries = 10_000
)

// An Inbox imports the files in a directory. Only one goroutine may use it, besides Meters.
type Inbox struct {
	dir  string
	svc  api.Service
	now  func() time.Time
	log  *slog.Logger
	seen map[string]stamp // the files of the look before

	results results
}

// A stamp is the state of a file that may still be growing.
type stamp struct {
	size int64
	at   time.Time
}

// New returns an inbox for a directory, and creates its folders. svc performs the imports.
func New(dir string, svc api.Service, now func() time.Time, log *slog.Logger) (*Inbox, error) {
	x := &Inbox{dir: dir, svc: svc, now: now, log: log.With("inbox", dir)}
	for _, folder := range append([]string{working, done, failed}, folders()...) {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o750); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func folders() (names []string) {
	for _, k := range Kinds {
		names = append(names, string(k))
	}
	return names
}

// Run looks for files until ctx ends.
func (x *Inbox) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		x.Look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look imports the files that are complete, and those whose claims are stale. A file is
// complete if it has not changed since the look before.
func (x *Inbox) Look(ctx context.Context) {
	for _, c := range x.staleClaims() {
		if ctx.Err() == nil && x.takeOver(&c) {
			x.process(ctx, &c)
		}
	}
	seen := map[string]stamp{}
	for _, kind := range Kinds {
		for _, name := range x.files(string(kind)) {
			path := filepath.Join(x.dir, string(kind), name)
			info, err := os.Lstat(path)
			if err != nil || !info.Mode().IsRegular() || ctx.Err() != nil {
				continue
			}
			now := stamp{info.Size(), info.ModTime()}
			if before, known := x.seen[path]; !known || before != now {
				seen[path] = now
				continue
			}
			if c, ok := x.claim(kind, name); ok {
				x.process(ctx, &c)
			}
		}
	}
	x.seen = seen
}

// files returns the names of the files in a folder, sorted. It leaves out those that their
// names mark as incomplete.
func (x *Inbox) files(folder string) (names []string) {
	d, err := os.Open(filepath.Join(x.dir, folder))
	if err != nil {
		x.log.Warn("cannot read a folder of the inbox", "error", err)
		return nil
	}
	defer d.Close()
	entries, err := d.ReadDir(maxEntries)
	if err != nil && len(entries) == 0 {
		return nil // it is empty
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !incomplete(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// incomplete reports whether a name is one that programs use for a file that they write.
func incomplete(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
		slices.ContainsFunc([]string{".tmp", ".part", ".partial", ".filepart", ".crdownload", ".swp"}, func(end string) bool { return strings.HasSuffix(lower, end) })
}
