package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/views/settings"
)

// The demo is its own organization, whatever the settings say.
func TestConnect_ReplacesDemoOfEarlierFormat(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Demo: true, Settings: config.Settings{Data: filepath.Join(t.TempDir(), "demo"), Organization: uuid.NewString()}}
	b, err := connect.Open(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, "Harbor Goods", b.Company)
	require.NoError(t, b.Close())

	st, err := boltstore.Open(cfg.Data, boltstore.Options{})
	require.NoError(t, err)
	require.NoError(t, st.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
		return tx.Put("meta", []byte("format"), []byte{1})
	}))
	require.NoError(t, st.Close())

	b, err = connect.Open(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, "Harbor Goods", b.Company)
	require.NoError(t, b.Close())
	require.FileExists(t, filepath.Join(cfg.Data+".earlier", "demo.txt"))
}

func TestMonthlyRequests_FlagOverridesFile(t *testing.T) {
	t.Parallel()
	cmd := rootCommand()
	cfg := config.Config{Settings: config.Settings{MonthlyRequests: 3000}}
	require.NoError(t, connect.Overlay(&cfg, cmd))
	require.EqualValues(t, 3000, cfg.MonthlyRequests)
	require.NoError(t, cmd.ParseFlags([]string{"--monthly-requests", "10000"}))
	require.NoError(t, connect.Overlay(&cfg, cmd))
	require.EqualValues(t, 10_000, cfg.MonthlyRequests)
	require.NoError(t, cmd.ParseFlags([]string{"--monthly-requests", "0"}))
	require.NoError(t, connect.Overlay(&cfg, cmd))
	require.Zero(t, cfg.MonthlyRequests, "0 means no limit")
	require.Error(t, cmd.ParseFlags([]string{"--monthly-requests", "-1"}))
}

func TestEnvironmentOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]api.Environment{
		"bk_live_a1B2": api.Live, "bk_test_a1B2": api.Test, "org:Test.secret": api.Test, "a1B2": "", "live-test": "", "test_test": api.Test, "testing": "",
	} {
		require.Equal(t, want, connect.EnvironmentOf(key), key)
	}
}

func TestStatusOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{cli.UsageErrorf("--lot is missing"), cli.StatusUsage},
		{api.Fail(api.NotFound, nil, "There is no inbound."), cli.StatusRefused},
		{api.Fail(api.Unavailable, nil, "No answer."), cli.StatusUnknown},
		{fmt.Errorf("receive: %w", context.DeadlineExceeded), cli.StatusUnknown},
	} {
		require.Equal(t, c.want, connect.StatusOf(c.err), "%v", c.err)
	}
}

func TestSession_RejectsSettingsThatStrandPendingWork(t *testing.T) {
	t.Parallel()
	pending := &api.Sync{Waiting: 1, Held: 1}
	s := &settingsHooks{cfg: config.Config{Settings: config.Settings{URL: "https://a", Organization: "o"}, UseNode: true}, syncStatus: func() *api.Sync { return pending }}
	here := settings.Connection{URL: "https://a", Organization: "o"}
	require.NoError(t, s.checkPending(settings.Values{Connection: here, Offline: true}))
	require.ErrorContains(t, s.checkPending(settings.Values{Connection: here}), "2 operations have not synced")
	require.Error(t, s.checkPending(settings.Values{Connection: settings.Connection{URL: "https://b", Organization: "o"}, Offline: true}))
	pending = &api.Sync{}
	require.NoError(t, s.checkPending(settings.Values{Connection: here}))
}

// Settings with which the next session could not start are refused, and others are in the file.
func TestSession_SavesSettings(t *testing.T) {
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv(apiclient.KeyEnvironment, "")
	xdg.Reload()
	s := &settingsHooks{}
	v := settings.Values{Operator: "Ada", Lock: 5}
	require.NoError(t, s.save(t.Context(), v))
	text, err := os.ReadFile(config.File())
	require.NoError(t, err)
	require.Regexp(t, `(?m)^lock = ["']5m["']$`, string(text))
	require.EqualValues(t, 5, s.load().Lock)

	v.URL, v.Organization = "http://127.0.0.1:8099", uuid.NewString()
	require.ErrorContains(t, s.save(t.Context(), v), "enter it in the field Key")
	text, err = os.ReadFile(config.File())
	require.NoError(t, err)
	require.NotContains(t, string(text), "8099")
}

// The command lines in the examples have only flags that exist.
func TestExamples_FlagsExist(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile(`(?m)/bincard (serve .*)$`)
	found := 0
	for _, name := range []string{"bincard.service", "compose.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", ".examples", name))
		require.NoError(t, err)
		for _, line := range commands.FindAllStringSubmatch(string(text), -1) {
			found++
			cmd, args, err := rootCommand().Find(strings.Fields(line[1]))
			require.NoError(t, err)
			require.NoError(t, cmd.ParseFlags(args), line[1])
			require.Empty(t, cmd.Flags().Args(), line[1])
		}
	}
	require.Equal(t, 2, found)
}

func TestFormatWork(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local)
	five := int64(5)
	for words, change := range map[string]func(*api.Work){
		"12:00  Ada (Scanner 3)  Adjust":             func(w *api.Work) { w.State = api.WorkWaiting },
		" MUG-W at WH-1: 5 (/stock/adjust)  pending": func(w *api.Work) { w.State = api.WorkWaiting },
		"waits for another site to send its work again": func(w *api.Work) {
			w.State, w.Wait = api.WorkSent, api.WaitOtherSite
		},
		"pending, not in the service at 12:00": func(w *api.Work) { w.State, w.NotRecorded = api.WorkSent, &at },
		"failed\n    Only 3.": func(w *api.Work) {
			w.State, w.Refusal = api.WorkRefused, &api.WorkRefusal{Message: "Only 3."}
		},
		"pending\n    at risk: Only 3.": func(w *api.Work) {
			w.State, w.Risk = api.WorkWaiting, &api.WorkRefusal{Message: "Only 3."}
		},
	} {
		w := &api.Work{Key: "k", At: at, Operator: "Ada", Device: "Scanner 3", Operation: api.AdjustStock.Spec.ID,
			Target: "/stock/adjust", Stock: api.WorkStock{SKU: "MUG-W", Location: "WH-1", Quantity: &five}}
		change(w)
		require.Contains(t, formatWork(w), words)
	}
}
