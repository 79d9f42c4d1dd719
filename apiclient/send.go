package apiclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

// The values of details.outcome: whether a failed write may have been applied.
const (
	// NotSent means that the request certainly did not reach the service.
	NotSent = "not_sent"
	// Unknown means that the request may have reached it; a retry with the
	// same key finds out.
	Unknown = "unknown"
)

// A call is one HTTP request.
type call struct {
	method, url  string
	query        url.Values
	body         []byte
	header       map[string]string
	extraTimeout time.Duration // added to the client's timeout
}

// An answer is a complete HTTP response.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration // until the header arrived
	ended  time.Time     // when the header arrived
}

// send makes a request once.
func (c *Client) send(ctx context.Context, call call) (*answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, c.sendError(ctx, NotSent, err)
	}

	timeoutCtx, cancel := context.WithTimeout(ctx, c.timeout+call.extraTimeout)
	defer cancel()
	var asked, connected atomic.Bool
	traceCtx := httptrace.WithClientTrace(timeoutCtx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req := c.rest.R().SetContext(traceCtx).SetQueryParamsFromValues(call.query).SetHeader(
		"Authorization",
		"Bearer "+*c.key.Load(),
	)
	for name, value := range call.header {
		req.SetHeaderVerbatim(name, value)
	}
	if call.body != nil {
		req.SetHeader("Content-Type", "application/json").SetBody(call.body)
	}

	start := time.Now()
	res, err := req.Execute(call.method, call.url)
	ended := time.Now()
	if err != nil {
		if res != nil && res.RawResponse != nil && res.RawResponse.Body != nil {
			res.RawResponse.Body.Close()
		}
		outcome := Unknown
		if asked.Load() && !connected.Load() || isNotSent(err) {
			outcome = NotSent
		}
		return nil, c.sendError(ctx, outcome, err)
	}

	defer res.RawBody().Close()
	body, err := io.ReadAll(io.LimitReader(res.RawBody(), c.maxResponse+1))
	if err != nil {
		return nil, c.sendError(ctx, Unknown, err)
	}

	if int64(len(body)) > c.maxResponse {
		return nil, unavailable(
			Unknown,
			nil,
			"The answer from %s is larger than %d bytes. Request less with a limit.",
			c.host,
			c.maxResponse,
		)
	}

	return &answer{res.StatusCode(), res.Header(), body, ended.Sub(start), ended}, nil
}

// isNotSent reports whether the request never reached the service.
func isNotSent(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" || certificateRefused(err)
}

// certificateRefused reports whether the service's certificate was rejected.
func certificateRefused(err error) bool {
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	return errors.As(err, &cert) || errors.As(err, &unknown) || errors.As(err, &name)
}

func unavailable(outcome string, cause error, format string, args ...any) *api.Error {
	e := api.Fail(api.Unavailable, api.Details{"outcome": outcome}, format, args...)
	e.Err = cause
	return e
}

// worthRetrying reports whether a failed read is worth a retry: its connection
// broke, and the caller still waits.
func worthRetrying(ctx context.Context, err error) bool {
	var timeout net.Error
	var e *api.Error
	return ctx.Err() == nil && errors.As(err, &e) && e.Err != nil && api.ForeignAnswerOf(err) == nil &&
		!(errors.As(err, &timeout) && timeout.Timeout())
}

// sendError explains why there is no answer.
func (c *Client) sendError(ctx context.Context, outcome string, err error) error {
	var uerr *url.Error
	if errors.As(err, &uerr) {
		err = uerr.Err // the message has the host
	}

	var moved *redirectError
	if errors.As(err, &moved) {
		return unavailable(
			outcome,
			&api.ForeignAnswer{Status: moved.status, Text: redirectTarget(moved.to)},
			"%s redirects to %s, which was not followed. "+
				"Sign in to the network, or set BINCARD_URL if the service has moved.",
			c.host,
			redirectTarget(moved.to),
		)
	}

	if ctx.Err() != nil {
		// Some transports return an error of their own for a canceled request.
		if !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}

		return unavailable(
			outcome,
			err,
			"%v%v",
			api.Textf("The request to %s was canceled before an answer came.", c.host),
			outcomeNote(outcome),
		)
	}

	return unavailable(outcome, err, "%v%v", c.sendMessage(outcome, err), outcomeNote(outcome))
}

func (c *Client) sendMessage(outcome string, err error) string {
	var dns *net.DNSError
	var plain tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return api.Textf("The service at %s cannot be found. Check the network and BINCARD_URL.", c.host)
	case certificateRefused(err):
		return api.Textf(
			"This machine does not trust the certificate of %s. Nothing was sent; ask the service's administrator.",
			c.host)
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return api.Textf("The service at %s does not use HTTPS. Check BINCARD_URL.", c.host)
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		if outcome == NotSent {
			return api.Textf("The service at %s does not answer. Check the network.", c.host)
		}
		return api.Textf("The service at %s did not answer within %s.", c.host, c.timeout)
	case outcome == NotSent:
		return api.Textf("The service at %s cannot be reached. Check the network and that the service is running.",
			c.host)
	}

	return api.Textf("The connection to the service at %s broke before an answer came.", c.host)
}

// outcomeNote explains an unknown outcome.
func outcomeNote(outcome string) string {
	if outcome == NotSent {
		return ""
	}
	return " " + api.Text("The request may have been applied; retrying with the same key is safe.")
}
