// Package remote serves the shell over SSH. Each person has a session with its own theme
// and drafts, all in one process. The server runs no other commands and supports no file
// transfer and no forwarding.
//
// A Server accepts connections, authenticates people (auth.go), limits their sessions
// (admit.go) and runs the shell or line mode for each (session.go). A lost connection loses
// no work: the next session of the person restores the drafts and ends the old session.
package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/charmbracelet/ssh"
	"github.com/charmbracelet/wish"
)

// New returns a server. It creates the host key if it does not exist.
func New(cfg Config) (*Server, error) {
	s := &Server{cfg: cfg.filled(), limiter: newAuthLimiter()}
	if err := os.MkdirAll(filepath.Dir(cfg.HostKey), 0o700); err != nil {
		return nil, fmt.Errorf("cannot save the host key: %w", err)
	}

	var err error
	s.ssh, err = wish.NewServer(
		wish.WithHostKeyPath(cfg.HostKey),
		wish.WithPublicKeyAuth(s.checkPublicKey),
		wish.WithPasswordAuth(s.checkPassword),
		wish.WithMiddleware(func(ssh.Handler) ssh.Handler { return s.serve }),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot use the host key in %s: %w", cfg.HostKey, err)
	}

	s.ssh.ConnCallback = s.accept

	return s, nil
}

// Serve accepts connections until ctx ends. It then rejects new sessions and waits until
// all sessions have saved their drafts and ended, at most for Config.Drain.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.ssh.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}

	ln.Close()
	s.drain()
	_ = s.ssh.Close()
	if err := <-failed; err != nil && !errors.Is(err, ssh.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		return err
	}

	return nil
}

// drain ends every session and waits until they have saved.
func (s *Server) drain() {
	s.mu.Lock()
	s.ending = true
	live := append([]*session(nil), s.sessions...)
	s.mu.Unlock()
	for _, v := range live {
		v.end(s.cfg.Translator.Get("The terminal is restarting. Your counts are saved: sign in again in a moment."))
	}

	done := make(chan struct{})
	go func() { s.wait.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(s.cfg.Drain):
		s.cfg.Log.Warn("sessions did not end in time", "sessions", len(live))
	}
}

// SessionCount returns the number of sessions.
func (s *Server) SessionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}
