//go:build unix

package inbox_test

import (
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
