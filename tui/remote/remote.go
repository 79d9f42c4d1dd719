// Package remote serves the shell over SSH: many people on one machine, each
// with a session, a theme and drafts of their own, in one process. There is no
// other command than the terminal, no file transfer and no forwarding.
//
// A line that is lost costs nothing: what was counted is there again at the
// next log-on, which also ends what is left of the session before.
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

// A Person may log on.
type Person struct {
	Name string
	// Keys are lines of an authorized_keys file; one that cannot be read is none.
	Keys []string
	// Password tells whether a password is the person's; nil where they have none.
	Password func(text string) bool
}

// A Session is somebody who has logged on.
type Session struct {
	Person  string
	Index   int      // 0 for the person's first session, 1 for one beside it
	Environ []string // TERM, COLORTERM, NO_COLOR and the like, "KEY=value"
	From    string   // the address
}

// Config is what a Server needs. HostKey, Find and Open are required.
type Config struct {
	HostKey string // the file of the host's key, made once and kept for its owner alone
	// Find finds a person by the name given at the log-on; it is asked each time.
	Find func(name string) (Person, bool)
	// Open makes the session of a visit; its context ends with it. Done, if not
	// nil, is called when the session is over.
	Open func(ctx context.Context, v Session) (opts shell.Options, done func(), err error)
	Log  *slog.Logger
	// Translator translates what is said to those who have no session yet; English if nil.
	Translator *i18n.Translator

	MaxSessions  int           // the most at a time: 100 if 0
	MaxPerPerson int           // the most of one person; one more ends the oldest: 1 if 0
	Idle         time.Duration // without a key, after which a session ends: 30 min if 0
	Warning      time.Duration // how long before that it is said: 1 min if 0
	Drain        time.Duration // for sessions to save when the server ends: 5 s if 0
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
	sessions []*session // the oldest first
	ending   bool
	wait     sync.WaitGroup
}

// New makes a server, and the host's key where there is none.
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

// Serve serves on a listener until ctx ends: then nobody is let in any more,
// every session saves its drafts and says goodbye, and the server ends.
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
	over := make(chan struct{})
	go func() { s.wait.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(s.cfg.Drain):
		s.cfg.Log.Warn("sessions did not end in time", "sessions", len(live))
	}
}

// SessionCount tells how many sessions there are.
func (s *Server) SessionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}
