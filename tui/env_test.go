package tui_test

import (
	"context"
	"testing"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

func TestEnv_LatestReplacesOlderWork(t *testing.T) {
	t.Parallel()
	env, cancel := tui.Env{}.Bind(context.Background(), 7, time.Second)
	work := func(name string) tui.WorkMsg {
		return env.Latest(name, func(context.Context) tea.Msg { return nil })().(tui.WorkMsg)
	}
	first, other, second := work("list"), work("total"), work("list")
	require.Equal(t, 7, first.Screen)
	require.True(t, first.Stale())
	require.Error(t, first.Context.Err())
	require.False(t, other.Stale())
	require.False(t, second.Stale())
	require.NoError(t, second.Context.Err())
	cancel()
	require.Error(t, second.Context.Err(), "its screen is closed")
}

func TestEnv_ContextEndsWithTheScreen(t *testing.T) {
	t.Parallel()
	require.NoError(t, tui.Env{}.Context().Err(), "an Env without a screen")
	env, cancel := tui.Env{}.Bind(context.Background(), 1, time.Second)
	passedOn := env
	cancel()
	require.Error(t, passedOn.Context().Err())
}
