package shell_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

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
			require.Contains(t, text.String(), "answer_test.go")
		})
	}
}
