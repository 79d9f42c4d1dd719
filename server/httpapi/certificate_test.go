package httpapi_test

import (
	"crypto/tls"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

// A renewed certificate is shown without a restart, and half of one is not.
func TestServeShowsARenewedCertificate(t *testing.T) {
	t.Parallel()
	cert, key, old := certificate(t)
	newCert, newKey, renewed := certificate(t)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t), CertFile: cert, KeyFile: key})
	shown := func(conf *tls.Config) error {
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
		require.NoError(t, os.Chtimes(to, at, at)) // a clock too coarse would hide the change
	}
	require.NoError(t, shown(&tls.Config{RootCAs: old}))
	replace(newCert, cert, time.Now().Add(time.Second))
	require.NoError(t, shown(&tls.Config{RootCAs: old}), "the key is the old one still")
	replace(newKey, key, time.Now().Add(2*time.Second))
	require.NoError(t, shown(&tls.Config{RootCAs: renewed}))
	require.Error(t, shown(&tls.Config{RootCAs: old}))
	require.NoError(t, os.Remove(key))
	require.NoError(t, shown(&tls.Config{RootCAs: renewed}), "what is gone is kept in memory")
	require.NoError(t, stop())
}
