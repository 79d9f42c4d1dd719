//go:build unix

package inbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/inbox"
)

// Only a regular file with one name is imported, whatever takes its place before it is claimed.
func TestLook_RejectsWhatIsNoFileOfItsOwn(t *testing.T) {
	t.Parallel()
	for reason, replace := range map[string]func(w *world, path string) error{
		"it is a link, not a regular file":      func(w *world, path string) error { return os.Symlink(filepath.Join(w.dir, "secret"), path) },
		"it is a directory, not a regular file": func(_ *world, path string) error { return os.Mkdir(path, 0o700) },
		"it is a pipe, not a regular file":      func(_ *world, path string) error { return syscall.Mkfifo(path, 0o600) },
		"it has another name":                   func(w *world, path string) error { return os.Link(filepath.Join(w.dir, "secret"), path) },
		"it changed while it was imported": func(_ *world, path string) error {
			return os.WriteFile(path, []byte(strings.ReplaceAll(delivery, "MUG", "CUP")), 0o600)
		},
	} {
		for _, swapped := range []bool{false, true} {
			if !swapped && strings.Contains(reason, "changed") {
				continue // it is a new file
			}
			t.Run(fmt.Sprint(reason, swapped), func(t *testing.T) {
				t.Parallel()
				w := open(t)
				x, path := w.inbox(w.Service), filepath.Join(w.dir, "inbounds", "day.csv")
				w.put("secret", delivery)
				place := sync.OnceFunc(func() { require.NoError(t, replace(w, path)) })
				if swapped { // the clock is read when a file is claimed
					w.put("inbounds/day.csv", delivery)
					now := func() time.Time { _ = os.Remove(path); place(); return w.Clock.Now() }
					var err error
					x, err = inbox.New(w.dir, w.Service, now, slog.New(slog.DiscardHandler))
					require.NoError(t, err)
				} else {
					place()
				}
				x.Look(t.Context())
				x.Look(t.Context())
				require.Zero(t, w.inbounds())
				require.Contains(t, w.report("failed", "-day.csv"), reason)
				require.Empty(t, w.files("working"))
			})
		}
	}
}

// A folder that was replaced is not followed, and does not hold up the inbox: one that is a
// link may lead out of the inbox, and one that is a pipe has no writer.
func TestLook_RejectsReplacedFolders(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"inbounds", "working", "done"} {
		for kind, replace := range map[string]func(outside, path string) error{
			"link": os.Symlink,
			"pipe": func(_, path string) error { return syscall.Mkfifo(path, 0o600) },
		} {
			t.Run(folder+" "+kind, func(t *testing.T) {
				t.Parallel()
				w, outside := open(t), t.TempDir()
				require.NoError(t, os.WriteFile(filepath.Join(outside, "day.csv"), []byte(delivery), 0o600))
				x := w.inbox(w.Service)
				if folder != "inbounds" {
					w.put("inbounds/day.csv", delivery)
				}
				path := filepath.Join(w.dir, folder)
				require.NoError(t, os.Remove(path))
				require.NoError(t, replace(outside, path))
				looked := make(chan struct{})
				go func() {
					x.Look(t.Context())
					x.Look(t.Context())
					close(looked)
				}()
				require.Eventually(t, func() bool {
					select {
					case <-looked:
						return true
					default:
						return false
					}
				}, 30*time.Second, time.Millisecond, "it waits for a pipe")
				require.Equal(t, folder == "done", w.inbounds() > 0, "only the report has no folder")
				entries, err := os.ReadDir(outside)
				require.NoError(t, err)
				require.Len(t, entries, 1, "nothing is written or moved outside")
			})
		}
	}
}

// A readContext calls read before each part of a file is read.
type readContext struct {
	context.Context
	read func()
}

func (c readContext) Err() error {
	c.read()
	return c.Context.Err()
}

// A file that a program still writes while it is read is not imported.
func TestLook_RejectsFileThatChangesWhileItIsRead(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("inbounds/day.csv", delivery)
	x.Look(t.Context())
	x.Look(readContext{t.Context(), func() {
		for _, name := range w.claims() {
			w.put(name, delivery+"C,MUG,1,WH-1\n")
		}
	}})
	require.Zero(t, w.inbounds())
	require.Contains(t, w.report("failed", "-day.csv"), "it changed while it was imported")
}
