package plain_test

import (
	"errors"
	"strconv"
	"testing"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/plain"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// counter is a screen that counts numbers and asks for damaged ones.
type counter struct {
	t        *i18n.Translator
	question widget.Question
	count    int
	damaged  int
	posted   int
	review   bool
}

func (c *counter) Init(env tui.Env) tea.Cmd     { c.t = env.T; return nil }
func (c *counter) View(tui.Size) string         { return "" }
func (c *counter) Title() string                { return "Counter" }
func (c *counter) AcceptsKey(k tea.KeyMsg) bool { return c.question.AcceptsKey(k) }
func (c *counter) Speech() tui.Speech {
	return tui.Speech{Facts: []string{"now " + strconv.Itoa(c.count)}, Question: "number", Numbers: !c.review, Enter: c.review}
}

func (c *counter) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		if text, done := c.question.Key(k); done {
			c.count, _ = strconv.Atoi(text)
		}
	}
	return c, nil
}

func (c *counter) Actions() []tui.Action {
	return []tui.Action{
		{ID: "panel.record", Keys: []string{"enter"}, Label: c.t.Get("record"), Run: func() tea.Cmd { c.posted++; return nil }},
		{ID: "panel.all", Keys: []string{"+"}, Label: "all 24", Short: "all", Help: "Count everything", Run: func() tea.Cmd { c.count = 24; return nil }},
		{ID: "fulfill.all", Keys: []string{"f10"}, Label: "all lines", Short: "all", Help: "Count every line", Run: func() tea.Cmd { c.count = 42; return nil }},
		{ID: "panel.review", Label: "review", Run: func() tea.Cmd { c.review = true; return nil }},
		{ID: "panel.reload", Label: "refresh", Run: func() tea.Cmd { return nil }},
		{ID: "panel.damaged", Keys: []string{"f4"}, Label: "damaged", Disabled: func() string {
			if c.count == 0 {
				return "Nothing is counted yet"
			}
			return ""
		}, Run: func() tea.Cmd {
			return tui.Prompt(tui.Request{Text: "How many are damaged?", Check: func(text string) error {
				n, err := strconv.Atoi(text)
				switch {
				case err != nil:
					return errors.New(text + " is not a quantity")
				case n > c.count:
					return errors.New(text + " damaged is more than counted")
				}
				c.damaged = n
				return nil
			}})
		}},
	}
}

func runCounter(t *testing.T, input, language string) (*counter, string) {
	t.Helper()
	c := &counter{question: widget.Number("?")}
	out, err := run(t, input, func(o *plain.Options) {
		languages, problems := i18n.Load("")
		require.Empty(t, problems)
		l, _ := languages.Find(language)
		o.Shell.Translator = i18n.New(l)
		o.Shell.Registry = tui.NewRegistry().Add("counter", "Counter", func(tui.Env) (tui.Screen, error) { return c, nil })
	})
	require.NoError(t, err)
	return c, out
}

func TestLine_RefusedCommandDropsItsNumber(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "damaged 2\n", "en")
	require.Contains(t, out, "Nothing is counted yet")
	require.Zero(t, c.count, out)

	c, out = runCounter(t, "24\ndamaged 99\ndamaged 2\n", "en")
	require.Contains(t, out, "no  99 damaged is more than counted.")
	require.NotContains(t, out, "is not a quantity")
	require.Equal(t, 2, c.damaged, out)

	_, out = runCounter(t, "24\ndamaged\nx\nback\n", "en")
	require.Contains(t, out, "no  x is not a quantity. Type it again, or back.")
}

func TestLine_EnterPostsWhereThePromptSaysSo(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "\n\nreview\n\n", "en")
	require.Equal(t, 1, c.posted, out)
}

func TestHelp_NamesEachActionByAWordThatRunsIt(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "help\nall lines\n", "en")
	require.Contains(t, out, "  all: Count everything\n")
	require.Contains(t, out, "  all lines: Count every line\n")
	require.Contains(t, out, "  reload: Refresh\n")
	require.Equal(t, 42, c.count)
}

func TestLine_German(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "hilfe\n5\ndamaged\nx\nzurück\nbuchen\nbeenden\n", "de")
	require.Contains(t, out, "  buchen, record: ")
	require.Contains(t, out, "Fehler: x is not a quantity. Erneut eingeben oder zurück.")
	require.Contains(t, out, "zurück: diese Ansicht verlassen")
	require.Equal(t, 1, c.posted, out)
}
