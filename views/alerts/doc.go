// Package alerts finds what needs attention: low products, expiring lots and late
// documents.
package alerts

import "errors"

// ErrUnsupported marks errors of services that cannot report low products or expiring
// lots. It has no text of its own.
var ErrUnsupported = errors.New("")
