package shell_test

import (
	"bincard/tui/tuitest"
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/shell"

	"github.com/stretchr/testify/require"
)

const quietPeriod = 500 * time.Millisecond

// safeText is a log that goroutines can write while a test reads it.
type safeText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func newLog() (*slog.Logger, *safeText) {
	text := &safeText{}
	return slog.New(slog.NewTextHandler(text, nil)), text
}

func TestDraft_IsOnDiskAfterEveryScan(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "drafts")
	onDisk := func(o *shell.Options) { o.Drafts = drafts.InFolder(dir) }
	d, _ := openShell(t, onDisk)
	d.Scan("BOX-1").Scan("BOX-2")

	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "leftovers beside the draft")
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, again := openShell(t, onDisk) // the first shell did not end
	require.Equal(t, 24, again.now)
}

func TestDraft_SurvivesEscAndEndsWithBooking(t *testing.T) {
	t.Parallel()
	drafts := drafts.InMemory()
	d, _ := openShell(t, func(o *shell.Options) { o.Drafts = drafts })
	d.Scan("BOX-1").Key("esc").Sees("Draft saved: PO-1")
	routes := tuitest.DraftRoutes(t, drafts)
	require.Equal(t, []string{"receive/PO-1"}, routes)

	d.Key("1").Sees("book 12").Key("enter").Sees("booked 12")
	routes = tuitest.DraftRoutes(t, drafts)
	require.Empty(t, routes)
}

// Quitting names every draft, also those of screens that are not open.
func TestDraft_QuitNamesAll(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) {
		o.DraftName = func(_ *i18n.Translator, d tui.Draft) string {
			return d.Route + "=" + string(d.Data)
		}
	})
	d.Scan("BOX-1").Key("esc").Sees("Draft saved: receive/PO-1=12").Do(tui.Open("receive/PO-2"))
	d.Scan("BOX-1").Scan("BOX-1").Key("esc", "ctrl+q").Sees("2 unsent drafts are saved: receive/PO-1=12, receive/PO-2=24. Quit?")
	d.Key("enter")
	require.True(t, d.Quit())
}

func TestDraft_DamagedIsReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, text := newLog()
	change := func(o *shell.Options) { o.Drafts, o.Log = drafts.InFolder(dir), log }
	d, _ := openShell(t, change)
	d.Scan("BOX-1")
	files, err := filepath.Glob(filepath.Join(dir, "*.draft"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], []byte("{torn"), 0o600))
	_, again := openShell(t, change)
	require.Zero(t, again.now)
	require.Contains(t, text.String(), "damaged")
}

func TestSession_RestoresOpenScreens(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "deep", "session")
	session := func(o *shell.Options) { o.Session, o.Restore, o.Start = file, true, nil }
	d, _ := openShell(t, session)
	require.Equal(t, []string{"home"}, d.Model.Routes())
	d.Do(tui.Open("receive/PO-1")).Do(tui.Open("probe"))

	again, _ := openShell(t, session)
	require.Equal(t, []string{"home", "receive/PO-1", "probe"}, again.Model.Routes())
	again.Key("esc")

	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(raw, "\nno-such-screen"...), 0o600))
	third, _ := openShell(t, session)
	require.Equal(t, []string{"home", "receive/PO-1"}, third.Model.Routes())
}

func TestSession_OpensOldRoutes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session")
	require.NoError(t, os.WriteFile(file, []byte("home\narrive/TR-1\n"), 0o600))
	d, _ := openShell(t, func(o *shell.Options) {
		o.Registry.Add("receive-transfer/{id}", "", newJobScreen)
		o.Session, o.Restore, o.Start = file, true, nil
	})
	require.Equal(t, []string{"home", "receive-transfer/TR-1"}, d.Model.Routes())
}

func TestHangup_SavesEverything(t *testing.T) {
	t.Parallel()
	drafts := drafts.InMemory()
	d, job := openShell(t, func(o *shell.Options) { o.Drafts = drafts })
	job.now = 36 // changed since the last snapshot
	d.Send(shell.Hangup())
	require.True(t, d.Quit())
	data, ok, err := drafts.Load("receive/PO-1", "")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "36", string(data.Data))
	require.ErrorContains(t, job.env.Context().Err(), "canceled")
}
