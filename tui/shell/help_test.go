package shell_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

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

// A question on a small terminal keeps both answers in the footer.
func TestQuestion_SmallKeepsBothAnswers(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd {
		return tui.Confirm(tui.Question{Text: "Post it?", Yes: "post 1 difference of many"})
	}
	d.Size(20, 16).Key("f9").Sees("enter post 1…", "esc no")
}

// The footer of a small terminal shortens enter only if that gains room.
func TestFooter_ShortensEnterForRoom(t *testing.T) {
	t.Parallel()
	for yes, footer := range map[string]string{"post": "enter post esc no", "post 1234": "ent post 1234 esc no"} {
		d, p := newProbe(t)
		p.next = func() tea.Cmd { return tui.Confirm(tui.Question{Text: "Post it?", Yes: yes}) }
		d.Size(20, 16).Key("f9").Sees(footer)
	}
}

// The actions of the first screen get shorter labels before the last ones are left out.
func TestFooter_ShortensBeforeItOmits(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t, func(o *shell.Options) {
		o.Registry = tui.NewRegistry().Add("probe", "", func(tui.Env) (tui.Screen, error) { return &probe{}, nil })
	})
	p.acts = []tui.Action{{ID: "a", Keys: []string{"f4"}, Label: "a label of a good length", Short: "one"},
		{ID: "b", Keys: []string{"f5"}, Label: "another label as long", Short: "two"}, {ID: "c", Keys: []string{"f6"}, Label: "and one more", Short: "three"}}
	d.Sees("F5 two", "F6 three", "? help", "ctrl+q quit")
}
