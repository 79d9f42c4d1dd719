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
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/shell"

	"github.com/charmbracelet/ssh"
	"github.com/charmbracelet/wish"
)

// A Person can sign in.
type Person struct {
	Name string
	// Keys are lines of an authorized_keys file. Invalid lines are ignored.
	Keys []string
	// Password reports whether a password is the person's. It is nil without a password.
	Password func(text string) bool
}

// A Session is a signed-in person at a terminal.
type Session struct {
	Person  string
	Index   int      // 0, or the lowest number that no other session of the person has
	Environ []string // "KEY=value" lines: TERM, COLORTERM, NO_COLOR
	From    string   // the remote address
}

// Config configures a Server. HostKey, Find and Open are required.
type Config struct {
	HostKey string // the file of the host key; New creates it
	// Find finds a person by name. It is called at each sign-in.
	Find func(name string) (Person, bool)
	// Open returns the options of a session's shell. Its context ends with the session.
	// done, if not nil, is called after the session.
	Open func(ctx context.Context, v Session) (opts shell.Options, done func(), err error)
	Log  *slog.Logger
	// Translator translates messages outside of a session; English if nil.
	Translator *i18n.Translator

	MaxSessions  int           // the most sessions: 100 if 0
	MaxPerPerson int           // the most sessions of one person; one more ends the oldest: 1 if 0
	Idle         time.Duration // the time without input after which a session ends: 30 min if 0
	Warning      time.Duration // how long before that the operator is warned: 1 min if 0
	Drain        time.Duration // how long sessions may take to save when the server ends: 5 s if 0
}

func (c Config) filled() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		of *time.Duration
		is time.Duration
	}{{&c.Idle, 30 * time.Minute}, {&c.Warning, time.Minute}, {&c.Drain, 5 * time.Second}} {
		if *d.of == 0 {
			*d.of = d.is
		}
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = 100
	}
	if c.MaxPerPerson == 0 {
		c.MaxPerPerson = 1
	}
	return c
}

// A Server serves the shell over SSH.
type Server struct {
	cfg     Config
	limiter *authLimiter
	ssh     *ssh.Server

	mu       sync.Mutex
	sessions []*session // oldest first
	ending   bool
	wait     sync.WaitGroup
}

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
