package shell_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

func TestEsc_GoesBackOneButNotOutOfHome(t *testing.T) {
	t.Parallel()
	d, _ := newProbe(t)
	d.Do(tui.Open("receive/PO-1"))
	require.Equal(t, []string{"home", "probe", "receive/PO-1"}, d.Model.Routes())
	d.Key("esc", "esc", "esc", "esc")
	require.Equal(t, []string{"home"}, d.Model.Routes())
	require.False(t, d.Quit())
}

func TestBack_RefusedByTheScreen(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	job.stayReason = "The count is not booked"
	d.Key("esc").Sees("! The count is not booked")
	require.Equal(t, "receive/PO-1", d.Model.Route())
	d.Key("ctrl+g")
	require.Equal(t, "receive/PO-1", d.Model.Route())
	job.stayReason, job.busy = "", true
	d.Key("esc").Sees("Still sending")
}

func TestKey_GoesToTheQuestionFirst(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Type("48").Sees("▸ 48").Key("enter")
	require.Equal(t, 48, job.now, "enter set the number")
	require.False(t, job.busy, "enter booked at once")
	d.Key("9", "esc")
	require.Equal(t, "receive/PO-1", d.Model.Route(), "esc empties before it leaves")
	d.Key("+")
	require.Equal(t, 144, job.now)
	d.Key("?").Sees("help: Receive")
}

func TestAction_DisabledSaysWhy(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Lacks("book 0").Key("enter").Sees("! Nothing is counted yet")
	require.False(t, job.busy)
	d.Key("ctrl+p").Type("book").Sees("Book 0", "Nothing is counted yet").Key("enter")
	require.False(t, job.busy)
	require.NotEmpty(t, d.Model.Dialog())
	d.Key("esc", "?").Sees("Nothing is counted yet")
}

func TestPalette_RunsActions(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Key("ctrl+p").Type("dama").Key("enter")
	require.Equal(t, "How many are damaged?", d.Model.Dialog())
	d.Type("2").Key("enter")
	require.Equal(t, []string{"damaged 2"}, job.got)
	d.Key("ctrl+p").Type("open pro").Key("enter")
	require.Equal(t, "probe", d.Model.Route())
}

func TestAction_DangerousAsksFirst(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Key("f5").Sees("Close PO-1 with 144 pieces missing?").Key("esc")
	require.Empty(t, job.got)
	d.Key("f5", "enter")
	require.Equal(t, []string{"closed"}, job.got)
	d.Key("ctrl+p").Type("short").Key("enter").Sees("Close PO-1")
}

func TestKeymap_ReplacesKeys(t *testing.T) {
	t.Parallel()
	d, job := openShell(t, func(o *shell.Options) { o.Keys = tui.Keymap{"panel.all": {"f6"}, "shell.palette": {"f10"}} })
	require.Empty(t, d.Model.Conflicts())
	d.Sees("F6 all 144").Key("+")
	require.Zero(t, job.now)
	d.Key("f6")
	require.Equal(t, 144, job.now)
	d.Key("f10")
	require.NotEmpty(t, d.Model.Dialog())
}

func TestConflicts_AreShown(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) { o.Keys = tui.Keymap{"panel.all": {"f4"}, "panel.short": {"f1"}} })
	require.Equal(t, []tui.Conflict{
		{Key: "f1", Actions: []string{"shell.help", "panel.short"}},
		{Key: "f4", Actions: []string{"panel.all", "panel.damaged"}},
	}, d.Model.Conflicts())
	d.Sees("! F1 is bound to shell.help, panel.short").Key("?").Sees("F4 is bound to panel.all, panel.damaged")
}

func TestCtrlC_QuitsTheSecondTime(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Key("ctrl+c").Sees("Press ctrl+c again to quit")
	require.False(t, d.Quit())
	d.Advance(5 * time.Second).Key("ctrl+c")
	require.False(t, d.Quit(), "five seconds later is not again")
	d.Key("1", "ctrl+c")
	require.False(t, d.Quit(), "another key came between")
	d.Key("ctrl+c")
	require.True(t, d.Quit())
}

func TestCtrlC_AroundAScanDoesNotQuit(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	for range 3 {
		d.Scan("\x02BOX-1\x03")
		d.Advance(300 * time.Millisecond)
	}
	require.False(t, d.Quit())
	require.Equal(t, []string{"BOX-1", "BOX-1", "BOX-1"}, job.got)
}

func TestQuit_AsksIfWorkIsUnsent(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Scan("BOX-1").Key("ctrl+q").Sees("An unsent draft is saved: PO-1").Key("esc")
	require.False(t, d.Quit())
	d.Hold().Key("enter", "ctrl+q").Sees("Still sending: PO-1").Key("enter")
	require.True(t, d.Quit())
	require.Error(t, job.env.Context().Err())

	clean, _ := openShell(t)
	clean.Key("ctrl+q")
	require.True(t, clean.Quit())
}

func TestMouse_IsOffAtFirst(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	click := tea.MouseMsg{X: 4, Y: 23, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d.Send(click)
	require.Zero(t, job.now)
	d.Key("f12")
	require.Len(t, d.System(), 1)
	d.Sees("+ all 144").Send(click)
	require.Equal(t, 144, job.now, "the first action in the footer")
	d.Send(tea.MouseMsg{X: 3, Y: 7, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	require.Len(t, job.got, 1)
	d.Key("f12")
	require.Len(t, d.System(), 2)
}

func TestCopy_WritesTheSequenceOnce(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Do(tui.Copy("OAT-1L")).Sees("✓ Copied").Painted()
	require.Equal(t, "\x1b]52;c;T0FULTFM\a", d.Written()+"\a"[:min(1, d.Bells())])
}

func TestOpen_DeniedToWorkers(t *testing.T) {
	t.Parallel()
	r := registry().AddEntry(tui.Entry{Pattern: "adjust", Label: "Adjust",
		Factory: func(tui.Env) (tui.Screen, error) { return &probe{}, nil },
		Denied: func(e tui.Env) string {
			if !e.IsSupervisor() {
				return "Only a supervisor adjusts stock"
			}
			return ""
		}})
	d, _ := openShell(t, func(o *shell.Options) {
		o.Registry, o.Login = r, tui.Login{Operators: []tui.Operator{{Name: "Ada"}}, Current: "Ada"}
	})
	d.Do(tui.Open("adjust")).Sees("! Only a supervisor adjusts stock").Key("enter", "ctrl+p").Type("adjust").Sees("Only a supervisor")
	boss, _ := openShell(t, func(o *shell.Options) { o.Registry = r })
	boss.Do(tui.Open("adjust"))
	require.Equal(t, "adjust", boss.Model.Route())
}

func TestScreen_Alone(t *testing.T) {
	t.Parallel()
	d := tuitest.At(t, "receive/{id}", "receive/PO-9", newJobScreen)
	d.Sees("Receive › PO-9").Do(tui.Open("explain/OAT-1L@WH-1"))
	require.Equal(t, "explain/OAT-1L@WH-1", d.Model.Route())
}

func TestShell_SpeaksTheLanguageOfTheSession(t *testing.T) {
	t.Parallel()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	german, ok := languages.Find("de_DE.UTF-8")
	require.True(t, ok)
	tr := i18n.New(german)
	d, _ := openShell(t, func(o *shell.Options) { o.Translator = tr })
	d.Sees("esc zurück", "? Hilfe")
	english, _ := languages.Find("en")
	tr.SetLanguage(english)
	d.Key("f1").Sees("esc back")
}

// A code typed where the screen accepts no text does nothing, including its digits and
// enter.
func TestTypedCode_RunsNoActions(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	done := 0
	for _, key := range []string{"1", "enter"} {
		p.acts = append(p.acts, tui.Action{ID: "probe." + key, Keys: []string{key}, Label: "open " + key,
			Run: func() tea.Cmd { done++; return nil }})
	}
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("SO")}).Key("-", "1").Sees("Press F2 to type a code").Key("L", "enter")
	require.Zero(t, done)
	d.Advance(2*time.Second).Key("1", "enter")
	require.Equal(t, 2, done)
	d.Key("x").Advance(2 * time.Second).Key("1")
	require.Equal(t, 3, done, "a letter of long ago makes no code of it")
}
