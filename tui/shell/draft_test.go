package shell_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
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
	require.Equal(t, []string{"receive/PO-1"}, tuitest.DraftRoutes(t, drafts))

	d.Key("1").Sees("book 12").Key("enter").Sees("booked 12")
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
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

// countedPieces makes the shell read the pieces of the drafts of jobScreens.
func countedPieces(o *shell.Options) {
	o.DraftPieces = func(d tui.Draft) int64 { n, _ := strconv.ParseInt(string(d.Data), 10, 64); return n }
}

// storedIn makes the shell keep its drafts in a store.
func storedIn(store tui.Drafts) func(*shell.Options) {
	return func(o *shell.Options) { o.Drafts = store; countedPieces(o) }
}

func TestOwner_TakesOverADraft(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	d, _ := newLoginDriver(t, storedIn(store))
	d.Scan("ADA-42").Scan("BOX-1").Scan("EVE-43").Type("2718").Key("enter", "1").Sees("Ada has counted 12 here. Take it over?")
	d.Advance(time.Second).Key("enter").Sees("Taken over from Ada", "book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Eve", From: "Ada", Data: []byte("12")})
	d.Scan("BOX-2").Key("esc").Key("1").Sees("book 24").Key("enter").Sees("booked 24").Scan("BOX-3")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Eve", Data: []byte("12")})
	d.Scan("ADA-42").Key("enter").Sees("Scan anything or choose a job") // the draft that she had there is Eve's
	require.Equal(t, "home", d.Model.Route())
}

func requireDrafts(t *testing.T, store tui.Drafts, want ...tui.Draft) {
	t.Helper()
	list, err := store.List()
	require.NoError(t, err)
	require.Equal(t, want, list)
}

func TestOwner_AdoptsADraftWithoutOwner(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Data: []byte("12")}))
	d, _ := newLoginDriver(t, storedIn(store))
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Data: []byte("12")})
	d.Scan("ADA-42").Sees("book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Ada", Data: []byte("12")})
}

func TestOwner_WithoutSignIn(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Owner: "Ada", Data: []byte("12")}))
	d, _ := openShell(t, storedIn(store))
	d.Sees("book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Data: []byte("12")})
}

// A form has no subject in its route: each operator has one.
func TestOwner_FormsAreOfOneOperator(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	d, _ := newLoginDriver(t, storedIn(store), func(o *shell.Options) {
		o.Registry.Add("adjust", "Adjust", newJobScreen)
		o.Start = []string{"adjust"}
		o.DraftName = func(_ *i18n.Translator, d tui.Draft) string { return d.Route }
	})
	d.Scan("ADA-42").Scan("BOX-1").Sees("book 12").Scan("EVE-43").Type("2718").Key("enter").Do(tui.Open("adjust"))
	require.Equal(t, "adjust", d.Model.Route())
	d.Lacks("book 12", "Take it over").Do(tui.OpenDraft("adjust", "Ada")).Lacks("Take it over")
	d.Scan("BOX-2").Key("esc").Do(tui.OpenDraft("adjust", "Ada")).Sees("Ada has counted 12 here").Advance(time.Second)
	d.Key("enter").Sees("! You have an unsent draft of your own: adjust. Finish it first.").Key("enter")
	requireDrafts(t, store, tui.Draft{Route: "adjust", Owner: "Ada", Data: []byte("12")}, tui.Draft{Route: "adjust", Owner: "Eve", Data: []byte("12")})
	require.NoError(t, store.Discard("adjust", "Eve"))
	d.Do(tui.OpenDraft("adjust", "Ada")).Advance(time.Second).Key("enter").Sees("Taken over from Ada", "book 12")
}

func TestOwner_AskingToQuitNamesOwners(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Scan("BOX-1").Scan("EVE-43").Type("2718").Key("enter", "ctrl+q").Sees("An unsent draft is saved: PO-1 (Ada). Quit?")
}

func TestSession_IsOfTheOperator(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session")
	open := func(change ...func(*shell.Options)) *tuitest.Driver {
		d, _ := newLoginDriver(t, append(change, func(o *shell.Options) { o.Session, o.Restore, o.Start = file, true, nil })...)
		return d
	}
	d := open()
	require.Equal(t, []string{"home"}, d.Model.Routes())
	d.Scan("ADA-42").Do(tui.Open("probe")).Key("ctrl+l").Scan("ADA-42")
	require.Equal(t, []string{"home", "probe"}, d.Model.Routes(), "the same operator continues")
	d.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home"}, d.Model.Routes())
	d.Do(tui.Open("receive/PO-1"))

	again := open()
	again.Scan("ADA-42")
	require.Equal(t, []string{"home", "probe"}, again.Model.Routes())
	again.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home", "receive/PO-1"}, again.Model.Routes())
	signedIn := open(func(o *shell.Options) { o.Login.Current = "Ada" })
	require.Equal(t, []string{"home", "probe"}, signedIn.Model.Routes())
}

// Earlier versions had one session file: it belongs to whoever is still signed in.
func TestSession_OfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session")
	require.NoError(t, drafts.WriteFile(file, []byte("home\nprobe")))
	session := func(o *shell.Options) { o.Session, o.Restore, o.Start = file, true, nil }
	d, _ := newLoginDriver(t, session, func(o *shell.Options) { o.Login.Current = "Ada" })
	require.Equal(t, []string{"home", "probe"}, d.Model.Routes())
	d, _ = newLoginDriver(t, session)
	d.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home"}, d.Model.Routes())
}

// What an operator started ends with the next badge: a number, an error, an answer.
func TestLogin_AnotherOperatorStartsClean(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Scan("WRONG1").Sees("! ").Scan("EVE-43").Type("2718").Key("enter")
	require.Empty(t, d.Model.Fault())
	d.Scan("ADA-42").Scan("BOX-1").Type("7").Sees("7").Scan("EVE-43").Type("2718").Key("enter").Scan("ADA-42").Key("enter").Sees("booked 12")
}

func said(text string) func(context.Context) tea.Msg {
	return func(context.Context) tea.Msg { return text }
}

func TestLatest_DiscardsOlderAnswers(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	d.Hold()
	var first context.Context
	p.next = func() tea.Cmd {
		return p.env.Latest("list", func(ctx context.Context) tea.Msg { first = ctx; return "old" })
	}
	d.Key("f9")
	p.next = func() tea.Cmd {
		return tea.Batch(p.env.Latest("list", said("new")), p.env.Latest("other", said("beside")))
	}
	d.Key("f9")
	require.False(t, d.Model.Idle())
	d.Release()
	require.Equal(t, []string{"new", "beside"}, p.got)
	require.Error(t, first.Err(), "the older question stays")
	require.True(t, d.Model.Idle())
}

func TestDo_AnswersACoveredScreen(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd { return tea.Batch(p.env.Do(said("late")), tui.Open("receive/PO-1")) }
	d.Hold().Key("f9")
	require.Equal(t, "receive/PO-1", d.Model.Route())
	d.Release()
	require.Equal(t, []string{"late"}, p.got)
}

func TestDo_DiscardsAnswersToAClosedScreen(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd { return p.env.Do(said("late")) }
	d.Hold().Key("f9", "esc")
	require.Equal(t, "home", d.Model.Route())
	require.ErrorIs(t, p.env.Context().Err(), context.Canceled)
	d.Release()
	require.Empty(t, p.got)
	require.True(t, d.Model.Idle())
}

func TestBack_KeepsToastsAndErrorsOfTheScreen(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd {
		return tea.Sequence(tui.Back(), tui.Toast("booked 48"), tui.Back(), tui.Open("receive/PO-1"))
	}
	d.Key("f9").Sees("✓ booked 48")
	require.Equal(t, []string{"home", "receive/PO-1"}, d.Model.Routes())
	d.Key("esc").Do(tui.Open("probe"))
	p = d.Model.Top().(*probe)
	p.next = func() tea.Cmd { return tea.Sequence(tui.Fail(errors.New("refused")), tui.Back()) }
	d.Key("f9")
	require.Equal(t, "home", d.Model.Route())
	require.Equal(t, "refused", d.Model.Fault(), "an error stays until it is acknowledged")
	d.Key("enter")
	require.Empty(t, d.Model.Fault())
}

func TestDo_ExplainsATimeout(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, func(o *shell.Options) { o.Limit = time.Nanosecond })
	p.next = func() tea.Cmd {
		return p.env.Do(func(ctx context.Context) tea.Msg {
			<-ctx.Done()
			return thenMsg{tui.Fail(fmt.Errorf("list inbounds: %w", ctx.Err()))}
		})
	}
	d.Key("f9")
	require.Contains(t, d.Model.Fault(), "No answer after")
	d.Key("enter").Do(tui.Fail(fmt.Errorf("list: %w", context.Canceled)))
	require.Empty(t, d.Model.Fault())
}

func TestSequence_KeepsItsOrder(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd {
		return tea.Sequence(p.env.Do(said("first")), tui.Toast("between"), p.env.Do(said("second")))
	}
	d.Hold().Key("f9")
	require.Empty(t, d.Model.Toast())
	d.Release()
	require.Equal(t, []string{"first", "second"}, p.got)
	d.Sees("✓ between")
}

func TestDo_ShowsASpinnerAndAnErrorAfterTenSeconds(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	var ctx context.Context
	p.next = func() tea.Cmd {
		return p.env.Do(func(c context.Context) tea.Msg { ctx = c; return "done" })
	}
	d.Hold().Send(tea.KeyMsg{Type: tea.KeyF9}).Advance(140 * time.Millisecond)
	d.Lacks("⠙")
	d.Advance(20 * time.Millisecond).Sees("⠙")
	d.Advance(9 * time.Second)
	require.Empty(t, d.Model.Fault())
	d.Advance(3 * time.Second)
	require.Contains(t, d.Model.Fault(), "No answer after 10 s")
	d.Key("enter").Release()
	require.Equal(t, []string{"done"}, p.got)
	deadline, ok := ctx.Deadline()
	require.True(t, ok)
	require.LessOrEqual(t, time.Until(deadline), 10*time.Second)
	d.Advance(time.Second).Lacks("⠙", "⠹", "⠸")
}

func TestIdle_WithTimersAndWatches(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	news := make(chan string)
	p.next = func() tea.Cmd {
		return tea.Batch(
			p.env.After(time.Minute, func(time.Time) tea.Msg { return "a minute" }),
			p.env.Watch(func(context.Context) tea.Msg { return <-news }))
	}
	d.Key("f9")
	require.True(t, d.Model.Idle())
	d.Advance(time.Minute)
	require.Equal(t, []string{"a minute"}, p.got)
	news <- "news"
	d.Await()
	require.Equal(t, []string{"a minute", "news"}, p.got)
}

func TestBroadcast_ReachesEveryScreen(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	d.Do(tui.Open("receive/PO-1"))
	d.Send("stock changed")
	require.Equal(t, []string{"stock changed"}, p.got)
	d.Send(tui.StatusMsg{Company: "Other Goods", Connection: "OFFLINE 3 h", Offline: true, Pending: 12, Refused: 2})
	d.Sees("Other Goods", "OFFLINE 3 h !2 ○12")
}

func TestPanic_EndsTheSession(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(p *probe) tea.Cmd{
		"in a turn":    func(*probe) tea.Cmd { panic("torn") },
		"in a command": func(p *probe) tea.Cmd { return p.env.Do(func(context.Context) tea.Msg { panic("torn") }) },
		"in a watch":   func(p *probe) tea.Cmd { return func() tea.Msg { panic("torn") } },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, text := newLog()
			d, p := newProbe(t, func(o *shell.Options) { o.Log = log })
			p.next = func() tea.Cmd { return fault(p) }
			d.Key("f9")
			require.True(t, d.Quit())
			require.ErrorContains(t, d.Model.Err(), "torn")
			require.Contains(t, text.String(), "draft_test.go")
		})
	}
}

// witness is a screen that records what the shell calls.
type witness struct {
	env       tui.Env
	refreshed int
	scans     []scan.Scan
}

func (p *witness) Init(env tui.Env) tea.Cmd             { p.env = env; return nil }
func (p *witness) Update(tea.Msg) (tui.Screen, tea.Cmd) { return p, nil }
func (p *witness) View(tui.Size) string                 { return "" }
func (p *witness) Title() string                        { return "Witness" }
func (p *witness) Actions() []tui.Action                { return nil }
func (p *witness) Refresh() tea.Cmd                     { p.refreshed++; return nil }
func (p *witness) OnScan(s scan.Scan) tea.Cmd           { p.scans = append(p.scans, s); return nil }

// TestShell_OutlivesAClockThatIsSet sets the time of screens a year ahead or back. The
// shell's timers do not change, and the screen refreshes once.
func TestShell_OutlivesAClockThatIsSet(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{366 * 24 * time.Hour, -366 * 24 * time.Hour} {
		p := &witness{}
		d := tuitest.At(t, "witness", "witness", func(tui.Env) (tui.Screen, error) { return p, nil }, func(o *shell.Options) {
			o.Header = func() tui.Status { return tui.Status{} }
			o.Login = tui.Login{Operators: []tui.Operator{{Name: "Ada"}}, Current: "Ada", LockAfter: 5 * time.Minute}
		})
		require.Equal(t, tuitest.Noon, p.env.Now())
		d.Jump(by).Advance(time.Minute)
		require.Equal(t, tuitest.Noon.Add(by+time.Minute), p.env.Now())
		require.Equal(t, 1, p.refreshed)
		d.Scan("4006381333931")
		require.Len(t, p.scans, 1)
		require.WithinDuration(t, p.env.Now(), p.scans[0].At, time.Second)
		d.Advance(time.Minute)
		require.Equal(t, 1, p.refreshed)
		d.Scan("4006381333931")
		require.Len(t, p.scans, 2, "nobody was away for long: it is not locked")
		require.True(t, d.Model.Idle())
	}
}
