package httpapi

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"
)

// A certificate is a TLS certificate in files. It is reloaded when they
// change, since it expires before the service stops. While the new files are
// unusable, as when only one of them is written, the old one is used.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu       sync.Mutex
	versions [2]fileVersion
	pair     *tls.Certificate
	failed   string // the last error logged
}

// A fileVersion identifies the content of a file.
type fileVersion struct {
	changed time.Time
	size    int64
}

// readCertificate reads the certificate and its key.
func readCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if err := c.read(c.fileVersions()); err != nil {
		return nil, fmt.Errorf("cannot use TLS certificate %s with key %s: %w", certFile, keyFile, err)
	}
	return c, nil
}

func (c *certificate) fileVersions() (s [2]fileVersion) {
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			s[i] = fileVersion{info.ModTime(), info.Size()}
		}
	}

	return s
}

func (c *certificate) read(now [2]fileVersion) error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}

	c.pair, c.versions, c.failed = &pair, now, ""
	if info, err := os.Stat(c.keyFile); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		c.log.Warn("the TLS key is accessible to all users of this machine; take it from them with chmod o=", "file",
			c.keyFile, "mode", info.Mode().String())
	}

	return nil
}

// get returns the certificate for a handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.fileVersions(); now != c.versions {
		if err := c.read(now); err == nil {
			c.log.Info("TLS certificate reloaded", "file", c.certFile, "ends", c.pair.Leaf.NotAfter)
		} else if c.failed != err.Error() {
			c.failed = err.Error()
			c.log.Error("cannot use the new TLS certificate; keeping the old one", "file", c.certFile, "error", err)
		}
	}

	return c.pair, nil
}
