package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// ErrOtherVersion means that the process that serves the directory does not know
// the request.
var ErrOtherVersion = errors.New(
	"the process that has the directory open is another version and cannot do this. Stop it, or use its version")

// A Failure is an error as sent over the socket. It includes internal causes.
type Failure struct {
	Code    api.Code    `json:"code"`
	Message string      `json:"message"`
	Details api.Details `json:"details,omitempty"`
}

// FailureOf returns an error for sending.
func FailureOf(err error) Failure {
	var e *api.Error
	if errors.As(err, &e) && e.Err == nil {
		return Failure{Code: e.Code, Message: e.Message, Details: e.Details}
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("the process that has the directory open is shutting down; try again")
	}
	return Failure{Code: api.InternalError, Message: err.Error()}
}

// Err returns the error that was sent.
func (f *Failure) Err() error {
	if f.Code == api.InternalError {
		return errors.New(f.Message)
	}
	return &api.Error{Code: f.Code, Message: f.Message, Details: f.Details}
}

// Answer returns a handler that decodes an I from the body and encodes an O, or the
// Failure. GET requests have no body.
func Answer[I, O any](fn func(r *http.Request, in I) (O, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in I
		if r.Method == http.MethodPost && r.ContentLength != 0 {
			if err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 1<<20), &in); err != nil {
				fail(w, api.Fail(api.InvalidJSON, nil, "Cannot read the request: %v.", err))
				return
			}
		}

		out, err := fn(r, in)
		if err != nil {
			fail(w, err)
			return
		}

		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, out) // an error means that the client is gone
	}
}

func fail(w http.ResponseWriter, err error) {
	f := FailureOf(err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Code.Status())
	_ = json.MarshalWrite(w, f)
}

// Call makes a request to an Answer and decodes what it returns. Client has the
// Transport of the directory; body may be nil.
func Call[O any](ctx context.Context, client *http.Client, method, path string, body any) (out O, err error) {
	res, err := Send(ctx, client, method, path, body)
	if err != nil {
		return out, err
	}

	defer res.Body.Close()
	if err := json.UnmarshalRead(res.Body, &out); err != nil {
		return out, Disconnected(ctx, err)
	}

	return out, nil
}

// Send makes a request and returns its answer unless it failed.
func Send(ctx context.Context, client *http.Client, method, path string, body any) (*http.Response, error) {
	var buf bytes.Buffer
	if body != nil {
		if err := json.MarshalWrite(&buf, body); err != nil {
			return nil, err
		}
	}

	req, err := http.NewRequestWithContext(ctx, method, URL+path, &buf)
	if err != nil {
		return nil, err
	}

	res, err := client.Do(req)
	if err != nil {
		return nil, Disconnected(ctx, err)
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}

	defer res.Body.Close()
	var f Failure
	if err := json.UnmarshalRead(io.LimitReader(res.Body, 1<<20), &f); err != nil || f.Code == "" {
		return nil, ErrOtherVersion
	}

	return nil, f.Err()
}

// A disconnectedError is an error of a connection to the owner.
type disconnectedError struct{ err error }

func (e *disconnectedError) Error() string {
	return fmt.Sprintf("the process that has the directory open stopped answering: %v", e.err)
}

func (e *disconnectedError) Unwrap() error { return e.err }

// Disconnected explains an error of a connection, unless ctx ended.
func Disconnected(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &disconnectedError{err}
}
