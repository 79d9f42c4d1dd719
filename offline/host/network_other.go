//go:build !linux

package host

import "context"

// watchNetwork does nothing: the connection is checked every few seconds.
func watchNetwork(context.Context, func()) {}
