package httpapi_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

// A key file that all users can read is used with a warning, each time it is read.
func TestServe_WarnsOfAReadableKey(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	for mode, warns := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o644: true, 0o602: true} {
		cert, key, _ := certificate(t)
		require.NoError(t, os.Chmod(key, mode))
		var log bytes.Buffer
		_, stop := serve(t, httpapi.ServeConfig{Handler: open(t), CertFile: cert, KeyFile: key, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, stop())
		require.Equal(t, warns, strings.Contains(log.String(), "level=WARN msg=\"the TLS key is accessible to all users"), mode)
	}
}

// A renewed certificate is used without a restart, once both files are
// replaced.
func TestServe_ReloadsCertificate(t *testing.T) {
	t.Parallel()
	cert, key, old := certificate(t)
	newCert, newKey, renewed := certificate(t)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t), CertFile: cert, KeyFile: key})
	handshake := func(conf *tls.Config) error {
		c, err := tls.Dial("tcp", addr, conf)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	replace := func(from, to string, at time.Time) {
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, data, 0o600))
		require.NoError(t, os.Chtimes(to, at, at)) // a coarse file clock would hide the change
	}
	require.NoError(t, handshake(&tls.Config{RootCAs: old}))
	replace(newCert, cert, time.Now().Add(time.Second))
	require.NoError(t, handshake(&tls.Config{RootCAs: old}), "the key is not replaced yet")
	replace(newKey, key, time.Now().Add(2*time.Second))
	require.NoError(t, handshake(&tls.Config{RootCAs: renewed}))
	require.Error(t, handshake(&tls.Config{RootCAs: old}))
	require.NoError(t, os.Remove(key))
	require.NoError(t, handshake(&tls.Config{RootCAs: renewed}), "a removed certificate stays in use")
	require.NoError(t, stop())
}
