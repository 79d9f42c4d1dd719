package shell_test

import (
	"io"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
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
	d, job := openShell(t, func(o *shell.Options) {
		o.Keys = tui.Keymap{"panel.all": {"f6"}, "shell.find": {"f3"}, "shell.palette": {"f10"}}
	})
	require.Empty(t, d.Model.Conflicts())
	d.Sees("F6 all 144", "F3 find").Key("+")
	require.Zero(t, job.now)
	d.Key("?").Sees("F6         All 144", "F3         Find").Key("esc", "f6")
	require.Equal(t, 144, job.now)
	d.Type("0").Key("enter", "f10").Type("all 144").Sees("all 144", "F6").Key("enter")
	require.Equal(t, 144, job.now)
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

func TestShell_SpeaksTheLanguageOfTheSession(t *testing.T) {
	t.Parallel()
	tr := tuitest.Language(t, "de_DE.UTF-8")
	d, _ := openShell(t, func(o *shell.Options) { o.Translator = tr })
	d.Sees("esc zurück", "? Hilfe")
	tr.SetLanguage(tuitest.Language(t, "en").Language())
	d.Key("f1").Sees("esc back")
}

// A code typed where the screen accepts no text does nothing, including its digits and
// enter.
func TestTypedCode_RunsNoActions(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	done := 0
	for _, key := range []string{"1", "enter"} {
		p.acts = append(p.acts, tui.Action{ID: "probe." + key, Key: key, Label: "open " + key,
			Run: func() tea.Cmd { done++; return nil }})
	}
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("SO")}).Key("-", "1").Sees("Press F2 to type a code").Key("L", "enter")
	require.Zero(t, done)
	d.Advance(2*time.Second).Key("1", "enter")
	require.Equal(t, 2, done)
	d.Key("x").Advance(2 * time.Second).Key("1")
	require.Equal(t, 3, done, "a letter of long ago makes no code of it")
}

func TestKeymapProblems_NamesEachMistake(t *testing.T) {
	t.Parallel()
	require.Empty(t, shell.KeymapProblems(tui.Keymap{"panel.all": {"f6"}, "receive.new": {"f6"}, "shell.palette": {"f10"}, "panel.record": {"enter", "alt+b"}}, nil))
	require.Equal(t, []string{
		`keys in config.toml: nodot is not an action with keys: use a line like "panel.all" = ["f6"]`,
		`keys in config.toml: ctrl+p is assigned to shell.palette and panel.all: shell.palette wins`,
		`keys in config.toml: unknown key "hyper" for panel.record: use f6, ctrl+e, alt+e, pgdown or +`,
		`keys in config.toml: F7 is assigned to panel.lot and panel.record: panel.lot wins`,
		`keys in config.toml: "x" for panel.undo may come from a scanner: use an F-key or a ctrl key`,
	}, shell.KeymapProblems(tui.Keymap{"panel.all": {"ctrl+p"}, "panel.lot": {"f7"}, "panel.record": {"hyper", "f7"}, "panel.undo": {"x"}, "nodot": {"f3"}}, nil))
	require.Equal(t, []string{`keys in config.toml: F2 is assigned to shell.help and shell.find: shell.help wins`},
		shell.KeymapProblems(tui.Keymap{"shell.help": {"f2"}}, nil))
}

func TestKeyboard_NextSessionGetsUnhandledKeys(t *testing.T) {
	t.Parallel()
	terminal, line, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { terminal.Close(); line.Close() })
	k := shell.NewKeyboard(line)
	k.Stop() // no session
	require.NoError(t, k.Close())
	first, err := k.Begin()
	require.NoError(t, err)
	press := func(keys string) {
		_, err := terminal.WriteString(keys)
		require.NoError(t, err)
	}
	read := func(from io.Reader) string {
		buf := make([]byte, 2)
		n, err := from.Read(buf)
		require.NoError(t, err)
		return string(buf[:n])
	}
	press("a")
	require.Equal(t, "a", read(first))
	press("\r\x11bcd")
	require.Equal(t, "\r\x11", read(first), "raw")
	stopped := make(chan struct{})
	go func() { k.Stop(); close(stopped) }()
	for err == nil { // what was read before Stop
		var n int
		if n, err = first.Read(make([]byte, 0)); err == nil {
			require.Zero(t, n)
		}
	}
	require.ErrorIs(t, err, io.EOF)
	<-stopped
	second, err := k.Begin()
	require.NoError(t, err)
	require.Equal(t, "bc", read(second))
	require.Equal(t, "d", read(second))
	require.NoError(t, k.Close())
}

func TestHelp_Scrolls(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Size(60, 10)
	d.Key("?").Sees("help: Receive", "All 144").Lacks("Home")
	first := d.Model.View()
	d.Key("down").Lacks("book 0").Sees("All 144", "help: Receive")
	d.Key("up")
	require.Equal(t, first, d.Model.View())
	d.Key("up", "pgup")
	require.Equal(t, first, d.Model.View(), "nothing is above the first line")
	d.Key("pgdown", "space", "pgdown", "down").Sees("ctrl+q").Lacks("All 144")
	last := d.Model.View()
	d.Key("up")
	require.NotEqual(t, last, d.Model.View(), "it stopped at the last line")
	d.Key("down")
	require.Equal(t, last, d.Model.View())
	d.Size(80, 40).Sees("help: Receive", "All 144", "ctrl+q")
	d.Key("q").Lacks("help: Receive")
}

// Where "?" is text, the footer names the key that works.
func TestHelp_FooterNamesAKeyThatWorks(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Sees("? help").Key("?").Sees("help: Receive").Key("esc")
	typing := tuitest.Screen(t, func(tui.Env) (tui.Screen, error) { return &textScreen{}, nil })
	typing.Sees("F1 help").Lacks("? help").Key("f1").Sees("Everywhere").Key("esc", "?").Sees("typed ?")
	for _, size := range [][2]int{{40, 8}, {20, 16}} {
		home, _ := openShell(t, func(o *shell.Options) { o.Start = nil })
		home.Size(size[0], size[1]).Sees("F1 help")
		d.Size(size[0], size[1]).Sees("F1", "esc")
	}
}

// textScreen is a screen with an input for text.
type textScreen struct {
	env   tui.Env
	input widget.Input
}

func (s *textScreen) Init(env tui.Env) tea.Cmd     { s.env = env; return nil }
func (s *textScreen) Title() string                { return "Text" }
func (s *textScreen) Actions() []tui.Action        { return nil }
func (s *textScreen) View(tui.Size) string         { return "typed " + s.input.Value() }
func (s *textScreen) AcceptsKey(k tea.KeyMsg) bool { return s.input.AcceptsKey(k) }
func (s *textScreen) Update(m tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := m.(tea.KeyMsg); ok {
		s.input.Key(k)
	}
	return s, nil
}

func TestQuestion_EditsInTheMiddle(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Type("48").Key("left").Sees("▸ 4█8").Type("1").Sees("▸ 41█8").Key("home", "delete").Sees("▸ █18").Key("enter")
	require.Equal(t, 18, job.now)
	d.Key("ctrl+p").Type("bok").Key("left").Type("o").Sees("boo█k", "Book 18")
}

// A list that does not fit says how many more there are.
func TestList_SaysHowManyMore(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	d.Size(40, 8)
	p.next = func() tea.Cmd {
		return tui.Choose(tui.Choice{Text: "Which?", Options: []string{"one", "two", "three", "four", "five"}})
	}
	d.Key("f9").Sees("three", "↓ 2 more").Lacks("four").Key("up", "down", "down", "down").Sees("four", "↓ 1 more")
	d.Key("down").Sees("five", "↑ 2 more")
	d.Key("f1").Sees("Everywhere").Key("esc", "f9", "ctrl+g")
	require.Empty(t, d.Model.Dialog())
}

// The footer of a small terminal keeps both answers, and shortens enter only if that gains room.
func TestFooter_ShortensEnterForRoom(t *testing.T) {
	t.Parallel()
	for yes, footer := range map[string][]string{
		"post":                      {"enter post esc no"},
		"post 1234":                 {"ent post 1234 esc no"},
		"post 1 difference of many": {"enter post 1…", "esc no"},
	} {
		d, p := newProbe(t)
		p.next = func() tea.Cmd { return tui.Confirm(tui.Question{Text: "Post it?", Yes: yes}) }
		d.Size(20, 16).Key("f9").Sees(footer...)
	}
}

// The actions of the first screen get shorter labels before the last ones are left out.
func TestFooter_ShortensBeforeItOmits(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, func(o *shell.Options) {
		o.Registry = tui.NewRegistry().Add("probe", "", func(tui.Env) (tui.Screen, error) { return &probe{}, nil })
	})
	p.acts = []tui.Action{{ID: "a", Key: "f4", Label: "a label of a good length", Short: "one"},
		{ID: "b", Key: "f5", Label: "another label as long", Short: "two"}, {ID: "c", Key: "f6", Label: "and one more", Short: "three"}}
	d.Sees("F5 two", "F6 three", "? help", "ctrl+q quit")
}
