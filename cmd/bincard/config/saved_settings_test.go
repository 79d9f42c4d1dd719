package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/config"
	"bincard/views/submit"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	s := config.SavedSettings{Dir: filepath.Join(t.TempDir(), "saved")}
	data, err := s.Load("watchlist")
	require.NoError(t, err)
	require.Nil(t, data)
	require.NoError(t, s.Save("watchlist", []byte("[1]")))
	data, err = s.Load("watchlist")
	require.NoError(t, err)
	require.Equal(t, "[1]", string(data))
}

func TestRequests_LoadWhatWasSent(t *testing.T) {
	t.Parallel()
	r := config.Requests{Dir: filepath.Join(t.TempDir(), "sent"), Source: "demo", Command: "receive PO-1 7"}
	job := &submit.Job{Key: "k1"}
	require.NoError(t, r.Load(job))
	require.Nil(t, job.Saved)
	require.NoError(t, r.Save("k1", &submit.Submission{}))
	require.NoError(t, r.Load(job))
	require.NotNil(t, job.Saved)

	other := r
	other.Command = "receive PO-1 8"
	var used *config.KeyUsedError
	require.ErrorAs(t, other.Load(&submit.Job{Key: "k1"}), &used)
	require.Equal(t, "receive PO-1 7", used.Command)
	other.Source = "live"
	require.NoError(t, other.Load(&submit.Job{Key: "k1"}), "the keys of another ledger are its own")

	require.NoError(t, r.Save("k1", nil))
	job = &submit.Job{Key: "k1"}
	require.NoError(t, r.Load(job))
	require.Nil(t, job.Saved)
}

func TestRequests_RemoveOld(t *testing.T) {
	t.Parallel()
	r := config.Requests{Dir: t.TempDir(), Command: "receive"}
	require.NoError(t, r.Save("old", &submit.Submission{}))
	files, err := filepath.Glob(filepath.Join(r.Dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	past := time.Now().AddDate(0, 0, -31)
	require.NoError(t, os.Chtimes(files[0], past, past))
	require.NoError(t, r.Save("new", &submit.Submission{}))
	require.NoFileExists(t, files[0])
}
