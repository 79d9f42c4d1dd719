package apiclient

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
)

// Config selects a service and the key for it. It prints with a masked key.
type Config struct {
	// URL is the base URL of the service, without /v1.
	URL string
	// Key is the API key.
	Key string `json:"-"`
	// Organization is the id of the key's organization.
	Organization string
	// AllowPlain permits an http URL of another machine, where the network can read
	// the key.
	AllowPlain bool
	// Timeout limits one request; zero means 10 s.
	Timeout time.Duration
	// MaxResponse limits the size of an answer in bytes; zero means 64 MiB.
	MaxResponse int64
	// UserAgent identifies the program; empty means "bincard".
	UserAgent string
	// Now returns the local time; nil means time.Now.
	Now func() time.Time
	// Transport sends the requests, for a test or a private certificate; nil
	// means the default.
	Transport http.RoundTripper
}

// String returns the configuration with a masked key.
func (c Config) String() string {
	return fmt.Sprintf("{URL:%s Key:%s Organization:%s}", c.URL, Mask(c.Key), c.Organization)
}

// Format prints String for every verb, so that no format prints the key.
func (c Config) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// LogValue returns String for structured logs.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Mask returns the displayable part of a key: bc_live_ab12cd34….
func Mask(key string) string {
	const visible = len("bc_live_ab12cd34")
	if (strings.HasPrefix(key, "bc_live_") || strings.HasPrefix(key, "bc_test_")) && len(key) > 2*visible {
		return key[:visible] + "…"
	}
	if key == "" {
		return ""
	}
	return "…"
}

// base checks the configuration and returns the URL of the organization.
func (c *Config) base() (*url.URL, error) {
	c.URL, c.Key, c.Organization = strings.TrimSpace(c.URL), strings.TrimSpace(c.Key), strings.TrimSpace(c.Organization)
	switch {
	case c.URL == "":
		return nil, errors.New(
			api.Text("no service is set: set BINCARD_URL to its URL, like https://stock.example.com"))
	case c.Key == "":
		return nil, errors.New(api.Text("no API key is set: set BINCARD_KEY to a key of the service"))
	case !isVisibleASCII(c.Key, 512):
		return nil, errors.New(api.Text("the API key in BINCARD_KEY has invalid characters; copy it again"))
	case c.Organization == "":
		return nil, errors.New(api.Text("no organization is set: set BINCARD_ORG to the ID of the key's organization"))
	}

	if _, err := uuid.Parse(c.Organization); err != nil {
		return nil, errors.New(
			api.Textf("the organization %q in BINCARD_ORG is not an ID like 0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e",
				c.Organization),
		)
	}

	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New(api.Text("BINCARD_URL must be a URL like https://stock.example.com"))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New(api.Text("BINCARD_URL must not have a user name, query or fragment"))
	}
	if u.Scheme == "http" && !c.AllowPlain && !isLoopback(u.Hostname()) {
		return nil, &PlainError{c.URL}
	}

	return u.JoinPath("v1", "organizations", c.Organization), nil
}

// A PlainError reports a URL to which the key would be sent unencrypted.
type PlainError struct{ URL string }

func (e *PlainError) Error() string {
	return api.Textf(
		"%s is not encrypted: the network could read the API key. Use https, or allow it with --allow-plain, BINCARD_ALLOW_PLAIN=true, or allow_plain = true in config.toml",
		e.URL,
	)
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// isVisibleASCII reports whether s has 1 to limit characters, all visible
// ASCII.
func isVisibleASCII(s string, limit int) bool {
	return s != "" && len(s) <= limit && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
