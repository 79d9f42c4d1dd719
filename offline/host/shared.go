package host

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/apiclient"
	"bincard/server/api"
)

const (
	// syncTimeout is how long AwaitSync waits.
	syncTimeout = 3 * time.Second
	// maxAttempts is how often a request is retried.
	maxAttempts = 5
)

// Options of Join.
type Options struct {
	Dir          string
	Organization api.ID
	// Open makes this process the owner. If it is nil, there must be an owner.
	Open      func(context.Context) (*Node, error)
	UserAgent string
	Now       func() time.Time // this machine's clock
}

// A Shared is the node in a directory, in this process or in another one of this
// machine. If the owner ends, the Shared takes over or connects to the next owner,
// and repeats the request in progress: the journal has what the last one saved.
type Shared struct {
	options Options
	client  *apiclient.Client

	mu       sync.Mutex // held while looking for the owner
	closed   bool
	node     atomic.Pointer[Node] // nil unless this process is the owner
	stop     context.CancelFunc
	watchers sync.WaitGroup
}

var _ api.Service = (*Shared)(nil)

// Now returns the service's time, as the owner knows it.
func (s *Shared) Now() time.Time { return s.clock().Now() }

// ClockOffset is by how much the service's clock is ahead of this machine's.
func (s *Shared) ClockOffset() time.Duration { return s.clock().ClockOffset() }

func (s *Shared) clock() Clock {
	if n := s.node.Load(); n != nil {
		return n.clock
	}
	return s.client
}

// Own returns the node if this process owns it, else nil.
func (s *Shared) Own() *Node { return s.node.Load() }
