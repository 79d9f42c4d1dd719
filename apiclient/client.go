package apiclient

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/go-resty/resty/v2"

	"bincard/server/api"
)

// A Client is a remote service. It is safe for concurrent use.
type Client struct {
	rest        *resty.Client
	base        string
	host        string
	display     string
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
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	rest := resty.NewWithClient(&http.Client{Transport: cfg.Transport}).
		SetRetryCount(0).
		SetDisableWarn(true).
		SetLogger(discardLogger{}).
		SetDoNotParseResponse(true).
		SetRedirectPolicy(resty.RedirectPolicyFunc(redirect)).
		SetHeader("Authorization", "Bearer "+cfg.Key).
		SetHeader("Accept", "application/json").
		SetHeader("User-Agent", cmp.Or(cfg.UserAgent, "bincard"))
	return &Client{rest: rest, base: base.String(), host: base.Host, display: cfg.String(),
		timeout: cmp.Or(cfg.Timeout, 10*time.Second), maxResponse: cmp.Or(cfg.MaxResponse, 64<<20), now: cfg.Now, offset: new(offset)}, nil
}

// newTransport returns the default transport. It closes idle connections well
// before the service does, so that a write rarely meets one that is being
// closed.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:   3 * time.Second,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConnsPerHost:   64,
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
	}
}

// Close closes the idle connections.
func (c *Client) Close() { c.rest.GetClient().CloseIdleConnections() }

// String identifies the service, with the key masked.
func (c *Client) String() string { return c.display }

// Format prints String for every verb, so that no format prints the key.
func (c Client) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.display)) }

// Do performs an operation on the remote service. Errors are *api.Error.
func (c *Client) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	id := req.RequestID
	if !isVisibleASCII(id, 128) {
		id = "req_" + api.NewKey()
	}
	res, err := c.do(ctx, req, id)
	if err != nil {
		e := api.AsError(err)
		if e.RequestID == "" {
			e.RequestID = id
		}
		return nil, e
	}
	return res, nil
}

func (c *Client) do(ctx context.Context, req *api.Request, id string) (*api.Response, error) {
	path, query, body, err := req.Spec.Encode(req.Input)
	if err != nil {
		return nil, api.Fail(api.ValidationError, nil, "Cannot encode the request: %v.", err)
	}
	header, err := headers(req, id)
	if err != nil {
		return nil, err
	}
	out := call{method: req.Spec.Method, url: c.base + path, query: query, body: body, header: header}
	if p, ok := req.Input.(api.Patient); ok {
		out.extraTimeout = p.Patience()
	}
	ans, err := c.send(ctx, out)
	if err != nil && !req.Spec.Writes() && worthRetrying(ctx, err) {
		ans, err = c.send(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	res, err := c.read(req.Spec, ans)
	if err == nil { // only the service's own answers carry its time
		c.offset.update(ans.header, c.now().Add(-time.Since(ans.ended)), ans.took)
	}
	return res, err
}

// headers returns the headers of a request, with the spelling to send.
func headers(req *api.Request, id string) (map[string]string, error) {
	h := map[string]string{"X-Request-Id": id}
	if !req.Spec.Writes() {
		return h, nil
	}
	if req.IdempotencyKey == "" {
		return nil, api.Fail(api.IdempotencyKeyRequired, nil, "Each write needs its own idempotency key, reused on retries.")
	}
	var p api.Problems
	if !isVisibleASCII(req.IdempotencyKey, 255) {
		p.Add("Idempotency-Key", "header", "must be 1 to 255 visible ASCII characters")
	}
	if strings.ContainsFunc(req.Operator, func(r rune) bool { return !unicode.IsPrint(r) }) {
		p.Add("X-Operator", "header", "must be a name of printable characters")
	}
	if strings.ContainsFunc(req.IfMatch, func(r rune) bool { return r < ' ' || r > '~' }) {
		p.Add("If-Match", "header", "must be a version in quotes")
	}
	// With its usual spelling, net/http would resend a write by itself when a
	// connection breaks.
	h["idempotency-key"] = req.IdempotencyKey
	if req.Operator != "" {
		h["X-Operator"] = req.Operator
	}
	if req.IfMatch != "" {
		h["If-Match"] = req.IfMatch
	}
	if req.After != "" {
		h["Bincard-After"] = req.After
	}
	if req.AcceptRisk {
		h["Bincard-Insist"] = "true"
	}
	return h, p.Err()
}

// A redirectError is a redirect that was not followed.
type redirectError struct{ to *url.URL }

func (e *redirectError) Error() string { return "redirected to " + redirectTarget(e.to) }

// redirect follows redirects of reads within their host. A write must not be
// repeated, nor the key sent to another host.
func redirect(r *http.Request, via []*http.Request) error {
	from := via[0]
	if from.Method != http.MethodGet || len(via) > 3 || r.URL.Host != from.URL.Host || r.URL.Scheme != from.URL.Scheme {
		return &redirectError{r.URL}
	}
	return nil
}

// A discardLogger discards what resty logs: errors are returned.
type discardLogger struct{}

func (discardLogger) Errorf(string, ...any) {}
func (discardLogger) Warnf(string, ...any)  {}
func (discardLogger) Debugf(string, ...any) {}
