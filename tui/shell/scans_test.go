package shell_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

func TestScan_ReachesTheScreenAndRingsOnce(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("BOX-1")
	require.Equal(t, []string{"BOX-1"}, job.got)
	require.Equal(t, 1, d.Bells())
	for range 5 {
		d.Painted()
	}
	require.Zero(t, d.Bells(), "painting rings")
	d.Key("f2").Type("oat").Key("enter").Scan("?+q/1") // runs no action
	require.Equal(t, []string{"BOX-1", "oat", "?+q/1"}, job.got)
	require.Equal(t, 36, job.now)
	require.Empty(t, d.Model.Dialog())
}

func TestMark_ShowsThatTheLastScanHasSettled(t *testing.T) {
	t.Parallel()
	d := tuitest.New(t, shell.Options{Registry: registry(), Start: []string{"receive/PO-1"}, ShowIdle: true})
	d.Sees(shell.IdleMark + "0")
	d.Scan("BOX-1").Sees(shell.ScanMark+"1", "book 12")
	d.Send(tea.KeyMsg{Type: tea.KeyEnter}).Sees(shell.ScanMark+"2", "Enter ignored", "book 12")
	d.Advance(time.Second).Sees(shell.IdleMark + "2")
	d.Send(tuitest.KeyOf(t, "x")).Sees(shell.BusyMark + "2")
	d.Advance(time.Second).Sees(shell.IdleMark + "3")

	d.Burst("BOX-1").Sees(shell.ScanMark+"4", "book 24")
	d.Burst("BOX-1").Sees(shell.ScanMark+"4", "book 24") // the same scan
}

func TestScan_WaitsWhileTheScreenIsBusy(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("BOX-1").Hold().Key("enter")
	require.True(t, job.busy)
	for i := range 20 {
		d.Scan(fmt.Sprintf("NEXT-%02d", i))
	}
	require.Equal(t, []string{"BOX-1"}, job.got)
	d.Sees("○ 20 scans waiting")
	require.False(t, d.Model.Idle())
	d.Release()
	require.Len(t, job.got, 21)
	for i := range 20 {
		require.Equal(t, fmt.Sprintf("NEXT-%02d", i), job.got[i+1])
	}
	require.True(t, d.Model.Idle())
}

func TestFault_StaysUntilAcknowledged(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("BOX-1").Bells()
	d.Scan("WRONG1")
	require.Equal(t, 2, d.Bells())
	d.Sees("! OAT-1L was expected", "✓ box   BOX-1").Lacks("Scan a box, a piece")

	d.Scan("BOX-2")
	require.Equal(t, 2, d.Bells())
	d.Sees("Scan ignored. Press enter to clear the message first.")
	require.Equal(t, 12, job.now)

	d.Key("+", "f4", "7")
	require.Equal(t, 12, job.now, "a key worked on blindly")
	require.Empty(t, d.Model.Dialog())

	d.Key("enter")
	require.Equal(t, 12, job.now, "the acknowledgement booked")
	require.False(t, job.busy)
	d.Lacks("OAT-1L was expected").Sees("Scan a box, a piece")
	d.Scan("BOX-3")
	require.Equal(t, 24, job.now)
	d.Scan("WRONG1").Sees("F8 receive it on another delivery").Key("f8")
	require.Empty(t, d.Model.Fault())
	require.Equal(t, "another delivery", d.Model.Toast())
}

func TestFault_QueuesLaterErrors(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Do(tea.Sequence(tui.Fail(fmt.Errorf("one")), tui.Fail(fmt.Errorf("two")), tui.Fail(fmt.Errorf("two"))))
	require.Equal(t, "one", d.Model.Fault())
	d.Key("esc")
	require.Equal(t, "two", d.Model.Fault())
}

func TestFault_KeepsWaitingScans(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	d.Do(tui.Open("receive/PO-1"))
	job := d.Model.Top().(*jobScreen)
	job.busy = true
	d.Scan("WRONG1").Scan("BOX-2").Scan("BOX-3")
	job.busy = false
	d.Send("poke") // any turn delivers them
	require.Equal(t, []string{"WRONG1", "poke"}, job.got)
	d.Key("enter")
	require.Equal(t, []string{"WRONG1", "poke", "BOX-2", "BOX-3"}, job.got)
	require.NotNil(t, p)
}

func TestScan_WaitsForThePreviousAnswer(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	job.lookup = true
	d.Hold().Scan("BOX-1").Scan("BOX-2")
	require.Equal(t, []string{"BOX-1"}, job.got)
	d.Release()
	require.Equal(t, "BOX-1 is unknown", d.Model.Fault())
	require.Equal(t, []string{"BOX-1"}, job.got)
	d.Key("enter")
	require.Equal(t, "BOX-2 is unknown", d.Model.Fault())
}

func TestKey_WaitsForTheScanBefore(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	job.slow = true
	d.Hold().Scan("BOX-1").Scan("BOX-2").Key("enter")
	require.False(t, job.busy, "booked before the scans counted")
	require.False(t, d.Model.Idle())
	d.Release()
	d.Sees("booked 24")

	job.slow, job.lookup = false, true
	d.Hold().Scan("BOX-3").Key("+", "enter")
	d.Release()
	require.Equal(t, "BOX-3 is unknown", d.Model.Fault())
	d.Key("enter")
	require.Zero(t, job.now, "keys pressed before the error was read worked after it")
	d.Hold().Scan("BOX-4").Key("esc")
	require.Equal(t, "home", d.Model.Route(), "esc waits for nothing")
}

func TestConfirmScan_TakesTheSameScan(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("DOUBT1").Sees("~ L99-X is another lot", "Scan it again to confirm")
	d.Scan("DOUBT1")
	require.Equal(t, 100, job.now)
	d.Scan("DOUBT1").Scan("BOX-1")
	require.Equal(t, 112, job.now, "another scan lets the doubt be and counts")
	require.Empty(t, d.Model.Fault())
	d.Scan("DOUBT1").Key("esc")
	require.Equal(t, 112, job.now)
	d.Scan("DOUBT1").Type("30").Key("enter").Sees("▸ 30")
	require.Equal(t, 112, job.now, "what is typed meanwhile is kept")
	d.Scan("DOUBT1").Scan("DOUBT1").Sees("▸ 30").Key("enter")
	require.Equal(t, 30, job.now)
}

func TestScan_RefusedByAScreenWithoutScans(t *testing.T) {
	t.Parallel()
	d, _ := newProbe(t)
	d.Scan("BOX-1")
	require.Equal(t, 2, d.Bells())
	d.Sees("This screen does not accept scans")
}

func TestScan_IgnoredDuringAQuestion(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Key("f5").Scan("BOX-1").Sees("Answer the question first", "Close PO-1")
	require.Empty(t, job.got)
	d.Key("esc", "f4").Sees("How many are damaged?").Scan("7777").Sees("7777").Key("enter")
	require.Equal(t, []string{"damaged 7777"}, job.got)
}

func TestScan_OnHomeOpensTheDocument(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) { o.Start = nil })
	d.Scan("PO-77")
	require.Equal(t, []string{"home", "receive/PO-77"}, d.Model.Routes())
	d.Key("esc").Scan("NONE")
	require.Contains(t, d.Model.Fault(), "there is no inbound NONE")
	require.Equal(t, "home", d.Model.Route())
}

func TestDialog_OpenedLateIgnoresKeysUntilInputPauses(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	answered := ""
	ask := tui.Confirm(tui.Question{Text: "Overwrite?", OnYes: func() tea.Cmd { answered = "yes"; return nil },
		OnNo: func() tea.Cmd { answered = "no"; return nil }})
	p.next = func() tea.Cmd { return p.env.Do(func(context.Context) tea.Msg { return thenMsg{ask} }) }
	d.Hold().Key("f9").Advance(quietPeriod).Release()
	require.Equal(t, "Overwrite?", d.Model.Dialog())
	require.False(t, d.Model.Idle(), "a driver would answer too early")
	d.Key("y", "enter", "n")
	require.Empty(t, answered, "keys meant for the screen answered the dialog")
	d.Advance(quietPeriod)
	require.True(t, d.Model.Idle())
	d.Key("enter")
	require.Equal(t, "yes", answered)

	p.next = func() tea.Cmd { return ask }
	d.Key("f9", "esc")
	require.Equal(t, "no", answered, "a dialog that follows its key hears at once")
}

// The operator presses enter for a message that the scan did not bring.
func TestEnter_RightAfterAScanDoesNotSubmit(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("BOX-1").Hold().Burst("BOX-2").Advance(200 * time.Millisecond).Key("enter").Sees("Enter ignored. Press it again.")
	require.False(t, job.busy)
	d.Advance(300 * time.Millisecond).Key("enter")
	require.True(t, job.busy)
	require.Equal(t, []string{"BOX-1", "BOX-2"}, job.got)
}

// The enter of a scanner arrives after silence ended the code, and nobody has read the error that the scan brought.
func TestEnter_OfAScannerLeavesTheErrorOfItsScan(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("SOY-1L")}).Advance(200 * time.Millisecond)
	d.Do(tui.Fail(errors.New("This is SOY-1L")))
	d.Send(tea.KeyMsg{Type: tea.KeyEnter}).Sees("This is SOY-1L", "Enter ignored")
	d.Advance(time.Second).Key("enter").Lacks("This is SOY-1L")
}

// formScreen is a screen with a form that scans fill.
type formScreen struct {
	form  *widget.Form
	scans []string
	saved int
}

func (s *formScreen) Init(tui.Env) tea.Cmd         { return nil }
func (s *formScreen) Title() string                { return "Form" }
func (s *formScreen) Actions() []tui.Action        { return nil }
func (s *formScreen) View(tui.Size) string         { return s.form.Summary() }
func (s *formScreen) AcceptsKey(k tea.KeyMsg) bool { return s.form.AcceptsKey(k) }
func (s *formScreen) OnScan(got scan.Scan) tea.Cmd {
	s.scans = append(s.scans, got.Text)
	s.form.Scan(s.form.Focused(), got.Text)
	return nil
}

func (s *formScreen) Update(m tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := m.(tea.KeyMsg); ok && s.form.Key(k) {
		s.saved++
	}
	return s, nil
}

func newFormScreen(t *testing.T, fields ...widget.Field) (*tuitest.Driver, *formScreen) {
	t.Helper()
	s := &formScreen{form: widget.NewForm(nil, fields...)}
	return tuitest.Screen(t, func(tui.Env) (tui.Screen, error) { return s, nil }), s
}

// burst sends text in one piece, as over a slow connection.
func burst(d *tuitest.Driver, text string) {
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
	d.Advance(300 * time.Millisecond)
}

func TestBurst_AppendsToTheTextOfAForm(t *testing.T) {
	t.Parallel()
	d, s := newFormScreen(t, widget.Field{Name: "url"}, widget.Field{Name: "count", Kind: widget.NumberField})
	burst(d, "http://127.")
	burst(d, "0.1:8099")
	require.Equal(t, "http://127.0.1:8099", s.form.Value("url"))
	d.Scan("/api") // with the enter that ends the text
	require.Equal(t, "http://127.0.1:8099/api", s.form.Value("url"))
	require.Equal(t, "count", s.form.Focused())
	burst(d, "1234")
	burst(d, "L162-B")
	require.Equal(t, "1234L162-B", s.form.Value("count"))
	require.Empty(t, s.scans)
	d.Key("enter")
	require.Zero(t, s.saved)
}

func TestBurst_OfAScannerIsAScan(t *testing.T) {
	t.Parallel()
	d, s := newFormScreen(t, widget.Field{Name: "code"})
	d.Type("ab").Scan("OAT-1L")
	burst(d, "9521000000025")
	burst(d, "(01)09521000000025(10)L1")
	require.Equal(t, []string{"OAT-1L", "9521000000025", "(01)09521000000025(10)L1"}, s.scans)
	p, job := openShell(t)
	burst(p, "BOX-1")
	require.Equal(t, []string{"BOX-1"}, job.got, "a quantity is no form")
}

func TestBurst_IsTextInThePalette(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Key("ctrl+p").Sees("Type an action or a screen")
	burst(d, "quit")
	d.Sees("Type an action or a screen", "quit").Lacks("all actions")
	require.Empty(t, job.got)
	d.Key("esc", "ctrl+p")
	burst(d, "9521000000025")
	require.Equal(t, []string{"9521000000025"}, job.got, "only a scanner sends it")
	d.Key("ctrl+p").Scan("BOX-1")
	require.Equal(t, []string{"9521000000025", "BOX-1"}, job.got, "a key ended it")
}

// The keys of a person may arrive in two pieces: the text, and then enter.
func TestBurst_EnterRightAfterTypedText(t *testing.T) {
	t.Parallel()
	enter := tea.KeyMsg{Type: tea.KeyEnter}
	d, job := openShell(t)
	d.Key("ctrl+p")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("quit")})
	d.Advance(60 * time.Millisecond)
	d.Sees("Type an action or a screen").Send(enter)
	d.Advance(300 * time.Millisecond)
	d.Lacks("Type an action or a screen")
	require.Empty(t, job.got)

	f, s := newFormScreen(t, widget.Field{Name: "name"}, widget.Field{Name: "count"})
	f.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Dora Berg")})
	f.Advance(60 * time.Millisecond)
	f.Send(enter)
	require.Equal(t, "count", s.form.Focused())

	f, s = newFormScreen(t, widget.Field{Name: "name"}, widget.Field{Name: "count"})
	f.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("9521000000025")})
	f.Advance(60 * time.Millisecond)
	f.Send(enter)
	require.Equal(t, "name", s.form.Focused(), "it belongs to the scan")
	require.Equal(t, []string{"9521000000025"}, s.scans)
}
