package shell_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// newLoginDriver starts a shell on a jobScreen for two operators: Ada, a worker with a
// badge, and Eve, a supervisor with a PIN.
func newLoginDriver(t *testing.T, change ...func(*shell.Options)) (d *tuitest.Driver, who *string) {
	t.Helper()
	who = new(string)
	d, _ = openShell(t, append([]func(*shell.Options){func(o *shell.Options) {
		o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"},
			{Name: "Eve", Badge: "EVE-43", Supervisor: true, Check: func(pin string) bool { return tui.SamePIN(pin, "2718") }}}
		o.Login.OnChange = func(name string) { *who = name }
	}}, change...)...)
	return d, who
}

func TestLogin_RequiresABadge(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t)
	d.Goldens("nobody")
	d.Sees("Nobody is signed in", "Scan your badge").Key("+", "f4", "ctrl+p", "esc")
	d.Scan("BOX-1").Sees("! Unknown badge")
	d.Size(40, 8).Sees("! Unknown badge", "Unknown badge or name. Try again.").Size(80, 24)
	require.Equal(t, 2, d.Bells())
	require.Empty(t, *who)
	d.Scan("ada-42").Sees("Signed in as Ada", "Scan a box", "  Ada   ONLINE").Lacks("✓ box")
	require.Equal(t, "Ada", *who)
	d.Key("ctrl+l").Sees("Nobody is signed in").Type("ada").Key("enter").Sees("Signed in as Ada")
}

func TestLogin_AnotherBadgeKeepsTheCount(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t, countedPieces)
	d.Scan("ADA-42").Scan("BOX-1").Scan("EVE-43").Sees("PIN of Eve").Lacks("BOX-1")
	d.Goldens("pin")
	d.Type("1111").Lacks("1111").Sees("••••").Key("enter").Sees("Wrong PIN")
	require.Equal(t, "Ada", *who)
	d.Key("esc").Sees("book 12")
	d.Scan("EVE-43").Type("2718").Key("enter").Sees("Signed in as Eve", "Scan anything or choose a job").Lacks("book 12")
	require.Equal(t, "Eve", *who)
	d.Key("1").Sees("Ada has counted 12 here. Take it over?", "enter take over", "esc keep as is")
	d.Goldens("takeover")
	d.Key("esc").Sees("Scan anything or choose a job")
	d.Scan("ADA-42").Sees("Signed in as Ada", "book 12")
}

func TestLogin_AnotherBadgeKeepsUnsavedChanges(t *testing.T) {
	t.Parallel()
	who := ""
	d, _ := openShell(t, func(o *shell.Options) {
		o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43"}}
		o.Login.OnChange = func(name string) { who = name }
	})
	d.Scan("ADA-42")
	job := d.Model.Top().(*jobScreen)
	job.stayReason = "Unsaved changes."
	d.Scan("EVE-43").Sees("PO-1: Unsaved changes.")
	require.Equal(t, "Ada", who)
	d.Scan("ADA-42").Sees("Signed in as Ada")
	d.Key("ctrl+l").Scan("EVE-43").Sees("Signed in as Eve") // a terminal that is left is free
	require.Equal(t, "Eve", who)
}

func TestLogin_NameIsNotEnoughWithRequireProof(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t, func(o *shell.Options) {
		o.Login.Operators[0].RequireProof, o.Login.Operators[1].RequireProof = true, true
	})
	d.Type("ada").Key("enter").Sees("Unknown badge or name").Type("ADA-42").Key("enter").Sees("Signed in as Ada")
	d.Key("ctrl+l").Type("eve").Key("enter").Sees("PIN of Eve").Type("2718").Key("enter").Sees("Signed in as Eve")
	require.Equal(t, "Eve", *who)
}

// A PIN that is typed as fast as a scanner sends is the PIN and not a badge.
func TestLogin_FastPINIsNotABadge(t *testing.T) {
	t.Parallel()
	ask := func(pin string) (*tuitest.Driver, *string) {
		d, who := newLoginDriver(t, func(o *shell.Options) {
			o.Login.Operators[0].Badge = "27189"
			o.Login.Operators[1].Check = func(typed string) bool { return tui.SamePIN(typed, pin) }
		})
		d.Scan("EVE-43").Sees("PIN of Eve")
		return d, who
	}
	d, who := ask("4711")
	d.Scan("0000").Sees("Wrong PIN").Lacks("Unknown badge").Scan("4711").Sees("Signed in as Eve")
	require.Equal(t, "Eve", *who)

	d, who = ask("124711")
	d.Type("12").Scan("4711").Sees("Signed in as Eve")
	require.Equal(t, "Eve", *who)

	d, who = ask("47118")
	for _, r := range "4711" {
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}).Advance(2 * time.Millisecond)
	}
	d.Advance(time.Second).Sees("PIN of Eve", "••••").Lacks("Wrong PIN", "Unknown badge").Type("8").Key("enter").Sees("Signed in as Eve")
	require.Equal(t, "Eve", *who)

	d, who = ask("2718")
	d.Scan("2718").Sees("Unknown badge").Lacks("Wrong PIN").Scan("A-4711").Sees("Unknown badge").Scan("27189").Sees("Signed in as Ada")
	require.Equal(t, "Ada", *who)
}

func TestLogin_PausesAfterWrongPINs(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t)
	d.Scan("EVE-43")
	for range 3 {
		d.Type("0000").Key("enter")
	}
	d.Sees("Wait 30 s").Type("2718").Key("enter").Sees("Too many wrong PINs")
	require.Empty(t, *who)
	d.Advance(31 * time.Second).Type("2718").Key("enter").Sees("Signed in as Eve")
}

func TestLogin_IdleTerminalLocks(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t, func(o *shell.Options) { o.Login.LockAfter = time.Minute })
	d.Scan("ADA-42").Scan("BOX-1").Key("f5").Sees("Close PO-1").Advance(2*time.Minute).Sees("Locked. Ada was signed in; nothing is lost.").Lacks("Close PO-1", "BOX-1")
	d.Goldens("locked")
	d.Key("enter", "y").Send(tea.MouseMsg{X: 4, Y: 23, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.Scan("BOX-2").Scan("ADA-42").Sees("Close PO-1").Key("esc").Sees("book 12")
	require.Equal(t, "Ada", *who)
	d.Advance(50 * time.Second).Scan("BOX-3").Advance(50 * time.Second).Lacks("Locked")
	d.Advance(time.Minute).Sees("Locked").Key("ctrl+q").Sees("An unsent draft is saved").Key("esc").Sees("Locked")
	require.False(t, d.Quit())
}

func TestLogin_SupervisorActions(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, func(o *shell.Options) {
		o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}}
		o.Login.Current = "Ada"
	})
	ran := 0
	acts := []tui.Action{{ID: "probe.close", Key: "f5", Label: "close", Supervisor: true, Run: func() tea.Cmd { ran++; return nil }}}
	p.acts = acts
	d.Key("f5").Sees("A supervisor must approve: close", "Scan a supervisor's badge or type the name").Goldens("approval")
	d.Key("esc").Lacks("supervisor").Sees("F5 close")
	require.Zero(t, ran)
	d.Scan("EVE-43").Do(tui.Open("probe"))
	d.Model.Top().(*probe).acts = acts
	d.Sees("Eve", "F5 close").Key("f5")
	require.Equal(t, 1, ran)
}

// approving lets Ada and Bo, workers, and Eve and Sue, supervisors, sign in. Ada is signed in.
func approving(o *shell.Options) {
	o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Bo", Badge: "BO-44"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true},
		{Name: "Sue", Badge: "SUE-45", Supervisor: true, Check: func(pin string) bool { return pin == "1234" }}}
	o.Login.Current = "Ada"
}

func TestApproval_IsForOneAction(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving)
	var ran []string
	note := func(what string) tea.Cmd {
		ran = append(ran, what+" "+p.env.ApprovedBy())
		return nil
	}
	p.acts = []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true, Run: func() tea.Cmd {
		return tui.Prompt(tui.Request{Text: "Reason", OnText: func(text string) tea.Cmd { return note(text) }})
	}}}
	d.Key("f5").Scan("BO-44").Sees("! Bo is not a supervisor").Scan("NO-1").Sees("Unknown badge or name")
	d.Scan("EVE-43").Sees("Ada", "Approved by Eve", "Reason")
	require.Empty(t, p.env.ApprovedBy(), "nothing runs")
	d.Advance(time.Second).Type("lost").Key("enter").Sees("Ada")
	require.Equal(t, []string{"lost Eve"}, ran)
	p.next = func() tea.Cmd { return note("next") }
	d.Key("f9")
	require.Equal(t, []string{"lost Eve", "next "}, ran, "the approval is of the action alone")
	d.Key("f5").Sees("A supervisor must approve").Type("sue").Key("enter").Sees("PIN of Sue").Type("1").Key("enter").Sees("Wrong PIN")
	d.Type("1234").Lacks("1234").Key("enter").Sees("Approved by Sue", "Reason").Key("esc").Sees("Ada")
	d.Key("f9")
	require.Equal(t, []string{"lost Eve", "next ", "next "}, ran, "leaving the action withdraws the approval")
}

func TestApproval_CommandBarcodes(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving)
	p.acts = []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true, Run: func() tea.Cmd { return nil }}}
	d.Key("f5").Scan(tui.DoAll.Code()).Sees("A supervisor must approve", `"full quantity" does nothing here`)
	d.Scan(tui.DoBack.Code()).Sees("F5 close short")
	d.Key("f5").Type("sue").Scan(tui.DoConfirm.Code()).Sees("PIN of Sue").Scan(tui.DoLogout.Code()).Sees("Nobody is signed in")
}

func TestApproval_EscDoesNotUnlock(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving, func(o *shell.Options) { o.Login.LockAfter = time.Minute })
	p.acts = []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true, Run: func() tea.Cmd { return nil }}}
	d.Key("f5").Scan("SUE-45").Sees("PIN of Sue").Advance(2 * time.Minute).Key("esc").Sees("Locked. Ada was signed in; nothing is lost.")
	d.Scan("ADA-42").Sees("F5 close short")
}

// Esc leaves the sign-in of somebody else. It unlocks nothing, and enter signs nobody in
// on a terminal that was left meanwhile.
func TestLogin_EscDoesNotUnlock(t *testing.T) {
	t.Parallel()
	d, who := newLoginDriver(t, func(o *shell.Options) {
		o.Login.LockAfter = time.Minute
		o.Login.Operators = append(o.Login.Operators, tui.Operator{Name: "Bo", Badge: "BO-44"})
	})
	d.Scan("ADA-42").Scan("BOX-1").Advance(2 * time.Minute).Sees("Locked").Scan("EVE-43").Sees("PIN of Eve").Key("esc").Sees("Locked").Lacks("BOX-1")
	d.Scan("ADA-42").Scan("BO-44").Sees("Bo's badge was scanned").Advance(2 * time.Minute).Key("enter").Sees("Locked. Ada was signed in")
	require.Equal(t, "Ada", *who)
}

// What to do stays on the screen, however long the description of the action is.
func TestApproval_LongDescription(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving)
	p.acts = []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true,
		Approve: func() string { return "post " + strings.Repeat("COF-500: 20 counted, 40 recorded (-20) ", 9) },
		Run:     func() tea.Cmd { return nil }}}
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Key("f5").Sees("Scan a", "or type", "█").Key("esc")
	}
}

// The approval follows the work of the action to its answers, to the actions that it performs
// and to the screen that it opens. Nothing else that runs meanwhile has it.
func TestApproval_FollowsTheWorkOfTheAction(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving)
	var ran []string
	work := func(p *probe, what string, then tea.Cmd) tea.Cmd {
		return p.env.Do(func(context.Context) tea.Msg {
			return turnMsg(func() tea.Cmd { ran = append(ran, what+" "+p.env.ApprovedBy()); return then })
		})
	}
	open := tui.Action{ID: "probe.open", Supervisor: true, Run: func() tea.Cmd { return work(p, "performed", tui.Open("probe/2")) }}
	p.acts = []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true,
		Run: func() tea.Cmd { return work(p, "action", work(p, "answer", tui.Perform(open))) }}}
	p.next = func() tea.Cmd { return work(p, "background", work(p, "background", nil)) }
	d.Hold().Key("f9", "f5").Scan("EVE-43").Release()
	require.Equal(t, []string{"background ", "background ", "action Eve", "answer Eve", "performed Eve"}, ran)
	second := d.Model.Top().(*probe)
	require.NotSame(t, p, second)
	require.Equal(t, "Eve", second.approvedBy, "the screen may keep it for its own write")
	second.next = func() tea.Cmd { return work(second, "second", nil) }
	ran = nil
	d.Key("f9")
	require.Equal(t, []string{"second "}, ran)

	ran = nil
	second.acts = []tui.Action{{ID: "probe.both", Key: "f5", Label: "both", Supervisor: true, Run: func() tea.Cmd {
		ran = []string{second.env.ApprovedBy(), p.env.ApprovedBy()}
		return nil
	}}}
	d.Key("f5").Scan("EVE-43")
	require.Equal(t, []string{"Eve", ""}, ran, "no other screen has it")
}

func TestApproval_IsForTheOperatorWhoAsked(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, approving)
	ran := 0
	acts := []tui.Action{{ID: "probe.close", Key: "f5", Label: "close short", Supervisor: true, Run: func() tea.Cmd {
		return tui.Prompt(tui.Request{Text: "Reason", OnText: func(string) tea.Cmd { ran++; return nil }})
	}}}
	p.acts = acts
	d.Key("f5").Scan("EVE-43").Sees("Reason").Scan("BO-44").Key("enter").Sees("Bo").Lacks("Reason")
	d.Scan("EVE-43").Do(tui.Open("probe"))
	d.Model.Top().(*probe).acts = acts
	d.Key("f5").Sees("Reason").Scan("BO-44").Key("enter").Lacks("Reason")
	d.Advance(time.Second).Type("lost").Key("enter")
	require.Zero(t, ran, "a worker answered the question of a supervisor")
}

func TestCommandBarcodes_RunActions(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan(tui.DoConfirm.Code()).Sees("Nothing is counted yet")
	require.Equal(t, 1, d.Bells(), "it did what enter does")
	d.Scan(tui.DoDamaged.Code()).Sees(`"damaged" does nothing here`)
	require.Equal(t, 2, d.Bells())
	d.Scan("BOX-1").Scan("$bc.confirm").Sees("booked 12")
	require.Equal(t, []string{"BOX-1"}, job.got, "a command was counted as goods")
	d.Scan("$BC.NONSENSE").Sees("! Unknown command NONSENSE").Scan("$BC.CONFIRM").Lacks("NONSENSE")
	d.Key("f5").Scan(tui.DoBack.Code()).Lacks("Close PO-1")
	d.Scan(tui.DoLogout.Code()).Sees(`"sign out" does nothing here`)
	d.Scan(tui.DoBack.Code())
	require.Equal(t, "home", d.Model.Route())

	staff, _ := newLoginDriver(t)
	staff.Scan("ADA-42").Scan(tui.DoLogout.Code()).Sees("Nobody is signed in")
}
