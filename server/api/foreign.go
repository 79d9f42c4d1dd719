package api

import (
	"errors"
	"net/http"
	"strconv"
)

// A ForeignAnswer is the cause of an error for an answer that is not the service's own,
// such as the page of a proxy or of a network sign-in. It says nothing about whether the
// request was performed.
type ForeignAnswer struct {
	// Status is the HTTP status.
	Status int
	// Text is the beginning of the body, safe to print.
	Text string
}

func (f *ForeignAnswer) Error() string {
	return "status " + strconv.Itoa(f.Status) + ": " + strconv.Quote(f.Text)
}

// NoRoute reports whether the answer is that of a server without the requested path.
func (f *ForeignAnswer) NoRoute() bool {
	return f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed || f.Status == http.StatusNotImplemented
}

// IsGateway reports whether the answer is that of a gateway that cannot reach the
// service.
func (f *ForeignAnswer) IsGateway() bool {
	return f.Status == http.StatusBadGateway || f.Status == http.StatusServiceUnavailable || f.Status == http.StatusGatewayTimeout
}

// ForeignAnswerOf returns the ForeignAnswer that caused err, or nil.
func ForeignAnswerOf(err error) *ForeignAnswer {
	var f *ForeignAnswer
	if errors.As(err, &f) {
		return f
	}
	return nil
}
