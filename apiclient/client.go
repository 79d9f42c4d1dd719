package apiclient

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/go-resty/resty/v2"

	"bincard/server/api"
)

// A Client is a remote service. It is safe for concurrent use.
type Client struct {
	rest        *resty.Client
	base        string
	host        string
	cfg         Config
	key         *atomic.Pointer[string]
	timeout     time.Duration
	maxResponse int64
	now         func() time.Time
	offset      *offset
}

var _ api.Service = (*Client)(nil)

// New returns a client without connecting. An error names the environment
// variable to set.
func New(cfg Config) (*Client, error) {
	base, err := cfg.base()
	if err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	if cfg.Transport == nil {
		cfg.Transport = newTransport(cfg.Timeout)
	}

	rest := resty.NewWithClient(&http.Client{Transport: cfg.Transport}).
		SetRetryCount(0).
		SetDisableWarn(true).
		SetLogger(discardLogger{}).
		SetDoNotParseResponse(true).
		SetRedirectPolicy(resty.RedirectPolicyFunc(redirect)).
		SetHeader("Accept", "application/json").
		SetHeader("User-Agent", cmp.Or(cfg.UserAgent, "bincard"))

	key := new(atomic.Pointer[string])
	key.Store(&cfg.Key)

	return &Client{
		rest:        rest,
		base:        base.String(),
		host:        base.Host,
		cfg:         cfg,
		key:         key,
		timeout:     cfg.Timeout,
		maxResponse: cmp.Or(cfg.MaxResponse, 64<<20),
		now:         cfg.Now,
		offset:      new(offset),
	}, nil
}

// newTransport returns the default transport, for requests that may take as long as timeout.
// Connecting, and a TLS handshake, may take three tenths of that. The transport closes idle
// connections well before the service does, so that a write rarely meets one that is being
// closed. All requests share one HTTP/2 connection, which it closes if it is
// dead: a router that restarted tells nobody that it forgot it.
func newTransport(timeout time.Duration) *http.Transport {
	connect := timeout * 3 / 10
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connect, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:   connect,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConnsPerHost:   64,
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 5 * time.Second, PingTimeout: 4 * time.Second},
	}
}

// Close closes the idle connections.
func (c *Client) Close() { c.rest.GetClient().CloseIdleConnections() }

// SetKey replaces the key for all further requests.
func (c *Client) SetKey(key string) error {
	cfg := c.cfg
	cfg.Key = key
	if _, err := cfg.base(); err != nil {
		return err
	}
	c.key.Store(&cfg.Key)
	return nil
}

// String identifies the service, with the key masked.
func (c *Client) String() string {
	cfg := c.cfg
	cfg.Key = *c.key.Load()
	return cfg.String()
}

// Format prints String for every verb, so that no format prints the key.
func (c Client) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// ClockOffset returns how far the service's clock is ahead of the local one;
// zero before the first answer.
func (c *Client) ClockOffset() time.Duration {
	c.offset.mu.Lock()
	defer c.offset.mu.Unlock()
	return c.offset.value
}

// Now returns the service's time, as far as it is known.
func (c *Client) Now() time.Time {
	now := c.now()
	if d := c.ClockOffset(); d != 0 {
		return now.Round(0).Add(d) // Round removes the monotonic clock, which the offset ignores
	}
	return now
}

// A redirectError is a redirect that was not followed.
type redirectError struct {
	to     *url.URL
	status int
}

func (e *redirectError) Error() string { return "redirected to " + redirectTarget(e.to) }

// redirectTarget returns a redirect's URL without its query, which may have
// secrets.
func redirectTarget(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// redirect follows redirects of reads within their host. A write must not be
// repeated, nor the key sent to another host.
func redirect(r *http.Request, via []*http.Request) error {
	from := via[0]
	if from.Method != http.MethodGet || len(via) > 3 || r.URL.Host != from.URL.Host || r.URL.Scheme != from.URL.Scheme {
		return &redirectError{r.URL, r.Response.StatusCode}
	}
	return nil
}

// A discardLogger discards what resty logs: errors are returned.
type discardLogger struct{}

func (discardLogger) Errorf(string, ...any) {}
func (discardLogger) Warnf(string, ...any)  {}
func (discardLogger) Debugf(string, ...any) {}
