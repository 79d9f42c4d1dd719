package apiclient_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"

	"bincard/apiclient"
)

const url, company = "https://stock.example.com", "5f2a"

func TestStore_Keyring(t *testing.T) {
	keyring.MockInit()
	t.Setenv(apiclient.KeyEnvironment, "")
	s := apiclient.KeyStore{Dir: filepath.Join(t.TempDir(), "keys")}
	_, err := s.Load(url, company)
	require.ErrorContains(t, err, "there is no key for "+url)
	require.NoError(t, s.Save(url, company, "bk_live_1"))
	require.NoDirExists(t, s.Dir)
	key, err := s.Load(url, company)
	require.NoError(t, err)
	require.Equal(t, "bk_live_1", key)
	_, err = s.Load(url, "other")
	require.Error(t, err)
	t.Setenv(apiclient.KeyEnvironment, "bk_test_2")
	key, err = s.Load(url, company)
	require.NoError(t, err)
	require.Equal(t, "bk_test_2", key)
}

func TestStore_FileWithoutKeyring(t *testing.T) {
	keyring.MockInitWithError(errors.New("no keyring"))
	t.Setenv(apiclient.KeyEnvironment, "")
	s := apiclient.KeyStore{Dir: filepath.Join(t.TempDir(), "keys")}
	require.NoError(t, s.Save(url, company, "bk_live_1"))
	key, err := s.Load(url, company)
	require.NoError(t, err)
	require.Equal(t, "bk_live_1", key)
	files, err := filepath.Glob(filepath.Join(s.Dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// A key file has precedence over everything, and a credential of systemd over saved keys.
func TestStore_KeyFile(t *testing.T) {
	keyring.MockInit()
	dir := t.TempDir()
	write := func(name, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		return filepath.Join(dir, name)
	}
	load := func(s apiclient.KeyStore, want string) {
		t.Helper()
		key, err := s.Load(url, company)
		require.NoError(t, err)
		require.Equal(t, want, key)
	}
	t.Setenv(apiclient.KeyEnvironment, "")
	s := apiclient.KeyStore{Dir: filepath.Join(dir, "keys")}
	require.NoError(t, s.Save(url, company, "saved"))
	require.Empty(t, s.KeyFile())
	t.Setenv("CREDENTIALS_DIRECTORY", dir)
	load(s, "saved")
	write(apiclient.KeyCredential, "credential\n")
	load(s, "credential")
	t.Setenv(apiclient.KeyEnvironment, "environment")
	load(s, "environment")
	s.File = write("file", " file \n")
	load(s, "file")
	require.Equal(t, filepath.Join(dir, "file"), s.KeyFile())
	write("file", "\n")
	_, err := s.Load(url, company)
	require.ErrorContains(t, err, "is empty")
	require.NoError(t, os.Remove(s.File))
	_, err = s.Load(url, company)
	require.ErrorIs(t, err, os.ErrNotExist)
}
