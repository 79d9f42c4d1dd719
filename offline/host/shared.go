package host

import (
	"context"
	"errors"
	"time"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/local"
)

const (
	// syncTimeout is how long AwaitSync waits, and silenceTimeout how long if the
	// service says nothing at all. syncInterval is how often it looks.
	syncTimeout    = 3 * time.Second
	silenceTimeout = time.Second
	syncInterval   = 25 * time.Millisecond
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
	member *local.Member[*Node]
	client *apiclient.Client
}

var _ api.Service = (*Shared)(nil)

// Join connects to the owner of the node in a directory, or becomes the owner.
func Join(ctx context.Context, o Options) (*Shared, error) {
	client, err := o.dial()
	if err != nil {
		return nil, err
	}
	if o.Open == nil {
		o.Open = func(context.Context) (*Node, error) {
			return nil, errors.New("this one has no key for the service and cannot continue alone")
		}
	}

	member, err := local.Join(ctx, local.Opener[*Node]{Dir: o.Dir, Open: o.Open, IsLocked: isLocked})
	if err != nil {
		return nil, err
	}

	return &Shared{member, client}, nil
}

// Do performs the operation at the node.
func (s *Shared) Do(ctx context.Context, req *api.Request) (res *api.Response, err error) {
	err = s.member.Do(ctx,
		func(n *Node) (err error) { res, err = n.Do(ctx, req); return err },
		func() (err error) { res, err = s.client.Do(ctx, req); return err })
	var lost *local.LostError
	if !errors.As(err, &lost) {
		return res, err
	}

	e := api.AsError(lost.Request)
	if lost.Cause != nil {
		return nil, api.Fail(
			api.Unavailable,
			e.Details,
			"The program that saves offline entries has stopped and none has replaced it: %v. Saved entries are on disk, and repeating them is safe.",
			lost.Cause,
		)
	}

	return nil, &api.Error{
		Code:      api.Unavailable,
		Details:   e.Details,
		RequestID: e.RequestID,
		Err:       e,
		Message: api.Text(
			"The program that saves offline entries does not answer. Saved entries are on disk, and repeating them is safe.",
		),
	}
}

// Now returns the service's time, as the owner knows it.
func (s *Shared) Now() time.Time { return s.clock().Now() }

// ClockOffset is by how much the service's clock is ahead of this machine's.
func (s *Shared) ClockOffset() time.Duration { return s.clock().ClockOffset() }

func (s *Shared) clock() Clock {
	if n := s.Own(); n != nil {
		return n.clock
	}
	return s.client
}

// Own returns the node if this process owns it, else nil.
func (s *Shared) Own() *Node {
	n, _ := s.member.Own()
	return n
}

// AwaitReady waits until there is data to show. A node of another process has some.
func (s *Shared) AwaitReady(ctx context.Context) {
	if n := s.Own(); n != nil {
		n.AwaitReady(ctx)
	}
}

// AwaitSync waits for a while until the node has sent what it saved, if this
// process is the one to send it and the service answers.
func (s *Shared) AwaitSync(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	tick := time.NewTicker(syncInterval)
	defer tick.Stop()
	silent := false
	silence := time.NewTimer(silenceTimeout)
	defer silence.Stop()
	for ctx.Err() == nil {
		n := s.Own()
		if n == nil {
			return
		}

		st := n.Status()
		heard := n.upstream.isChecked() || !st.Link.LastAnswer.IsZero()
		if st.Waiting == 0 || !st.Link.Next.IsZero() || silent && !heard {
			return
		}

		select {
		case <-tick.C:
		case <-silence.C:
			silent = true
		case <-ctx.Done():
		}
	}
}

// Close leaves the node, to the next process if this one owns it.
func (s *Shared) Close() error {
	err := s.member.Close()
	s.client.Close()
	return err
}
