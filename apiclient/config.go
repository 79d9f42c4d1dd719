package apiclient

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Config says which service to use, and as whom. It prints without its key.
type Config struct {
	// URL is the service's base address, without /v1.
	URL string
	// Key is the API key.
	Key string `json:"-"`
	// Organization is the id of the key's organization.
	Organization string
	// Timeout bounds one request; 0 means 10 s.
	Timeout time.Duration
	// MaxResponse bounds an answer in bytes; 0 means 64 MiB.
	MaxResponse int64
	// UserAgent names the program; "bincard" when empty.
	UserAgent string
	// Now is the clock of this machine; time.Now where nil.
	Now func() time.Time
	// Transport replaces the network, e.g. for a test or an own certificate; nil means the usual one.
	Transport http.RoundTripper
}

// String shows the configuration with a masked key.
func (c Config) String() string {
	return fmt.Sprintf("{URL:%s Key:%s Organization:%s}", c.URL, Mask(c.Key), c.Organization)
}

// Format prints String whatever the verb, so that no format reaches the key.
func (c Config) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// LogValue is String for structured logs.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Mask is a key as it may be shown: bc_live_ab12cd34….
func Mask(key string) string {
	const shown = len("bc_live_ab12cd34")
	if (strings.HasPrefix(key, "bc_live_") || strings.HasPrefix(key, "bc_test_")) && len(key) > 2*shown {
		return key[:shown] + "…"
	}
	if key == "" {
		return ""
	}
	return "…"
}

// base checks the configuration and returns the address of the organization.
func (c *Config) base() (*url.URL, error) {
	c.URL, c.Key, c.Organization = strings.TrimSpace(c.URL), strings.TrimSpace(c.Key), strings.TrimSpace(c.Organization)
	switch {
	case c.URL == "":
		return nil, errors.New("no service is set: set BINCARD_URL to its URL, like https://stock.example.com")
	case c.Key == "":
		return nil, errors.New("no API key is set: set BINCARD_KEY to a key of the service")
	case !isVisibleASCII(c.Key, 512):
		return nil, errors.New("the API key in BINCARD_KEY has invalid characters; copy it again")
	case c.Organization == "":
		return nil, errors.New("no organization is set: set BINCARD_ORG to the ID of the key's organization")
	}
	if _, err := uuid.Parse(c.Organization); err != nil {
		return nil, fmt.Errorf("the organization %q in BINCARD_ORG is not an ID like 0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e", c.Organization)
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("BINCARD_URL must be a URL like https://stock.example.com")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("BINCARD_URL must not have a user name, query or fragment")
	}
	return u.JoinPath("v1", "organizations", c.Organization), nil
}

// isVisibleASCII reports whether s has 1 to most characters, all visible ASCII.
func isVisibleASCII(s string, most int) bool {
	return s != "" && len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
