// Package inbox imports the files that other systems put into a directory.
//
// The directory has a folder for each kind of file. A file is claimed by renaming it into the
// folder working, so that of several processes only one imports it. It ends in the folder
// done or failed, with a report beside it; what is not a regular file ends in failed. The
// claim of a process that crashed becomes stale and is taken over; imports can be repeated,
// so that nothing is imported twice.
package inbox

import (
	"context"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"bincard/server/api"
	"bincard/server/intake"
)

// Kinds are the kinds of files that an inbox takes, in the order in which it imports them.
var Kinds = []intake.Kind{
	intake.Products,
	intake.Locations,
	intake.Shelves,
	intake.Inbounds,
	intake.Outbounds,
	intake.Transfers,
}

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
	// maxFiles is how many files of a folder are imported at once.
	maxFiles = 10_000
)

// An Inbox imports the files in a directory. Only one goroutine may use it, besides Meters.
type Inbox struct {
	root *os.Root // who puts files into it must not reach others through links
	svc  api.Service
	now  func() time.Time
	log  *slog.Logger
	seen map[string]fs.FileInfo // the files of the look before

	results results
}

// New returns an inbox for a directory, and creates its folders. svc performs the imports.
func New(dir string, svc api.Service, now func() time.Time, log *slog.Logger) (*Inbox, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}

	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range append([]string{working, done, failed}, folders()...) {
		if err := root.MkdirAll(folder, 0o750); err != nil {
			return nil, err
		}
	}

	return &Inbox{root: root, svc: svc, now: now, log: log.With("inbox", dir)}, nil
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

	seen := map[string]fs.FileInfo{}
	for _, kind := range Kinds {
		for _, name := range x.files(string(kind)) {
			path := filepath.Join(string(kind), name)
			info, err := x.root.Lstat(path)
			if err != nil || ctx.Err() != nil {
				continue
			}
			if before := x.seen[path]; before == nil || !unchanged(before, info) {
				seen[path] = info
				continue
			}
			if c, ok := x.claim(kind, name, info); ok {
				x.process(ctx, &c)
			}
		}
	}

	x.seen = seen
}

// unchanged reports whether a file is the same as before, with the same content.
func unchanged(before, now fs.FileInfo) bool {
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// files returns the names of the first complete files in a folder.
func (x *Inbox) files(folder string) (names []string) {
	for name := range x.entries(folder) {
		if names = append(names, name); len(names) == maxFiles {
			break
		}
	}

	slices.Sort(names)
	return names
}

// entries yields the names of all complete entries of a folder, which are not only files.
func (x *Inbox) entries(folder string) iter.Seq[string] {
	return func(yield func(string) bool) {
		d, err := x.open(folder)
		if err != nil {
			x.log.Warn("cannot read a folder of the inbox", "error", err)
			return
		}

		defer d.Close()
		for {
			names, err := d.Readdirnames(1000)
			for _, name := range names {
				if !incomplete(name) && !yield(name) {
					return
				}
			}

			if err != nil { // the end
				return
			}
		}
	}
}

// open opens a file or folder. It does not wait for the writer of a pipe.
func (x *Inbox) open(path string) (*os.File, error) {
	return x.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// incomplete reports whether a name is one that programs use for a file that they write.
func incomplete(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
		slices.ContainsFunc([]string{".tmp", ".part", ".partial", ".filepart", ".crdownload", ".swp"},
			func(end string) bool { return strings.HasSuffix(lower, end) })
}
