package remote

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/ssh"

	"bincard/tui/plain"
	"bincard/tui/shell"
)

// serve runs the session of an SSH channel.
func (s *Server) serve(sess ssh.Session) {
	if k, ok := sess.Context().Value(connKey{}).(*pendingConn); ok {
		k.loggedIn()
	}

	name, _ := sess.Context().Value(personKey{}).(string)
	pty, windows, screen := sess.Pty()
	lines := !screen || pty.Term == "dumb"
	switch command := strings.Join(sess.Command(), " "); command {
	case "":
	case "plain", "--plain":
		lines = true
	default:
		writeLine(sess, s.cfg.Translator.Get(
			"Only the terminal is available: no command runs here. Connect without a command, or with plain for line mode.",
		))
		_ = sess.Exit(1)
		return
	}

	v := &session{
		sess: sess,
		done: make(chan struct{}),
		Session: Session{Person: name, From: sess.RemoteAddr().String(),
			Environ: append(sess.Environ(), "TERM="+pty.Term)},
	}

	v.lastInput.Store(int64(time.Since(started)))
	if why := s.admit(v); why != "" {
		writeLine(sess, why)
		_ = sess.Exit(1)
		return
	}

	defer s.release(v)
	ctx, cancel := context.WithCancel(sess.Context())
	defer cancel()
	opts, done, err := s.cfg.Open(ctx, v.Session)
	if err != nil {
		s.cfg.Log.Error("session not opened", "person", name, "error", err)
		writeLine(sess, err.Error())
		_ = sess.Exit(1)
		return
	}

	if done != nil {
		defer done()
	}

	opts.NoSignals, opts.FPS, opts.Copier = true, fps, shell.RemoteCopySequence
	opts.Width, opts.Height = pty.Window.Width, pty.Window.Height
	inner := opts.Program
	opts.Program = func(send func(tea.Msg)) {
		if inner != nil {
			inner(send)
		}
		v.setSend(send)
	}

	go v.watchIdle(ctx, opts.Translator, s.cfg)
	go v.keepAlive(ctx)
	s.cfg.Log.Info("session began", "person", name, "from", v.From, "term", pty.Term, "lines", lines)
	if lines {
		err = v.runPlain(ctx, opts, screen, pty.Window.Width)
	} else {
		go v.watchSize(ctx, windows)
		opts.Input, opts.Output = &sessionReader{v}, sess
		err = shell.Run(ctx, opts)
	}

	status := 0
	if err != nil && !errors.Is(err, plain.ErrUnacknowledged) {
		s.cfg.Log.Error("session failed", "person", name, "error", err)
		writeLine(sess, err.Error())
		status = 1
	}

	if bye := v.goodbye.Load(); bye != nil {
		writeLine(sess, *bye)
	}

	s.cfg.Log.Info("session ended", "person", name, "from", v.From)
	_ = sess.Exit(status)
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
