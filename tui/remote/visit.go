package remote

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bincard/tui"
	"bincard/tui/clip"
	"bincard/tui/plain"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// fps is how often a session paints at most: a network carries no more.
const fps = 60

// How a line is watched.
const (
	aliveEvery = 30 * time.Second // a sign of life is asked for
	aliveIn    = 15 * time.Second // and must come within
)

// started is what spans are measured from, so that a clock that is set ends no session.
var started = time.Now()

// visit is a session under way.
type visit struct {
	Visit
	sess  ssh.Session
	bye   atomic.Pointer[string] // what is said at the end
	over  chan struct{}
	heard atomic.Int64 // when something was typed, since started

	mu   sync.Mutex
	send func(tea.Msg) // once the shell runs
	gone bool          // it shall end as soon as it runs
}

// serve is one channel of one connection.
func (s *Server) serve(sess ssh.Session) {
	if k, ok := sess.Context().Value(connKey{}).(*knock); ok {
		k.entered()
	}
	name, _ := sess.Context().Value(whoKey{}).(string)
	pty, windows, screen := sess.Pty()
	lines := !screen || pty.Term == "dumb"
	switch command := strings.Join(sess.Command(), " "); command {
	case "":
	case "plain", "--plain":
		lines = true
	default:
		say(sess, onlyTerminal)
		_ = sess.Exit(1)
		return
	}
	v := &visit{sess: sess, over: make(chan struct{}), Visit: Visit{Person: name, From: sess.RemoteAddr().String(),
		Environ: append(sess.Environ(), "TERM="+pty.Term)}}
	v.heard.Store(int64(time.Since(started)))
	if why := s.seat(v); why != "" {
		say(sess, why)
		_ = sess.Exit(1)
		return
	}
	defer s.leave(v)
	ctx, cancel := context.WithCancel(sess.Context())
	defer cancel()
	opts, done, err := s.cfg.Open(ctx, v.Visit)
	if err != nil {
		s.cfg.Log.Error("session not opened", "person", name, "error", err)
		say(sess, err.Error())
		_ = sess.Exit(1)
		return
	}
	if done != nil {
		defer done()
	}
	opts.NoSignals, opts.FPS, opts.Copier = true, fps, clip.Remote
	opts.Width, opts.Height = pty.Window.Width, pty.Window.Height
	inner := opts.Program
	opts.Program = func(send func(tea.Msg)) {
		if inner != nil {
			inner(send)
		}
		v.runs(send)
	}
	go v.watch(ctx, s.cfg)
	go v.alive(ctx)
	s.cfg.Log.Info("session began", "person", name, "from", v.From, "term", pty.Term, "lines", lines)
	if lines {
		err = v.speak(ctx, opts, screen, pty.Window.Width)
	} else {
		go v.resizes(ctx, windows)
		opts.Input, opts.Output = &ear{v}, sess
		err = tui.Run(ctx, opts)
	}
	status := 0
	if err != nil && !errors.Is(err, plain.ErrStands) {
		s.cfg.Log.Error("session failed", "person", name, "error", err)
		say(sess, err.Error())
		status = 1
	}
	if bye := v.bye.Load(); bye != nil {
		say(sess, *bye)
	}
	s.cfg.Log.Info("session ended", "person", name, "from", v.From)
	_ = sess.Exit(status)
}

// speak runs the session in lines.
func (v *visit) speak(ctx context.Context, opts tui.Options, screen bool, width int) error {
	p := plain.Options{Shell: opts, In: &ear{v}, Out: v.sess, Width: width, Person: screen, Bells: screen}
	if screen {
		p.Echo = plain.EchoRaw
	} else {
		p.Shell.Restore = false
	}
	return plain.Run(ctx, p)
}

// runs takes how messages reach the running shell.
func (v *visit) runs(send func(tea.Msg)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.send = send
	if v.gone {
		go send(tui.Hangup())
	}
}

// tell sends the shell a message, if it runs.
func (v *visit) tell(msg tea.Msg) {
	v.mu.Lock()
	send := v.send
	v.mu.Unlock()
	if send != nil {
		go send(msg)
	}
}

// end makes the session save what it has and end, with a word at the end.
func (v *visit) end(bye string) {
	v.bye.CompareAndSwap(nil, &bye)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.gone = true
	if v.send != nil {
		go v.send(tui.Hangup())
	}
}

// resizes passes on how large the terminal is.
func (v *visit) resizes(ctx context.Context, windows <-chan ssh.Window) {
	for {
		select {
		case <-ctx.Done():
			return
		case w, ok := <-windows:
			if !ok {
				return
			}
			v.tell(tea.WindowSizeMsg{Width: w.Width, Height: w.Height})
		}
	}
}

// watch ends the session when nobody is there any more, with a warning first.
func (v *visit) watch(ctx context.Context, cfg Config) {
	look := time.NewTicker(max(time.Millisecond, min(time.Second, cfg.Warning/4)))
	defer look.Stop()
	warned := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		idle := time.Since(started) - time.Duration(v.heard.Load())
		switch {
		case idle >= cfg.Idle:
			v.end(byeIdle)
			return
		case idle >= cfg.Idle-cfg.Warning && !warned:
			warned = true
			v.tell(tui.Warn(warnIdle)())
			v.tell(tui.Bell(2)())
		case idle < cfg.Idle-cfg.Warning:
			warned = false
		}
	}
}

// alive closes a connection at whose other end nobody answers.
func (v *visit) alive(ctx context.Context) {
	conn, ok := v.sess.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !ok {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(aliveEvery):
		}
		answered := make(chan error, 1)
		go func() { _, _, err := conn.SendRequest("keepalive@openssh.com", true, nil); answered <- err }()
		select {
		case <-ctx.Done():
			return
		case err := <-answered:
			if err == nil {
				continue
			}
		case <-time.After(aliveIn):
		}
		_ = conn.Close()
		return
	}
}

// ear is the line as it is heard: it notes when, and hangs up when it ends.
type ear struct{ v *visit }

func (e *ear) Read(p []byte) (int, error) {
	n, err := e.v.sess.Read(p)
	if n > 0 {
		e.v.heard.Store(int64(time.Since(started)))
	}
	if err != nil && !e.v.lines() {
		e.v.end("")
	}
	return n, err
}

// lines tells whether the session is one of lines, which end when they end.
func (v *visit) lines() bool {
	_, _, screen := v.sess.Pty()
	return !screen
}

// say writes a line where no shell runs.
func say(w io.Writer, text string) {
	if text != "" {
		_, _ = io.WriteString(w, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\r\n")+"\r\n")
	}
}
