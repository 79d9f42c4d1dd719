package remote

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/plain"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// fps is the most frames per second that a session paints.
const fps = 60

const (
	keepAliveInterval = 30 * time.Second // between keepalive requests
	keepAliveTimeout  = 15 * time.Second // for the answer
)

// started is the origin of session.lastInput. It has a monotonic reading, so that setting
// the clock ends no session.
var started = time.Now()

// session is a running session.
type session struct {
	Session
	sess      ssh.Session
	goodbye   atomic.Pointer[string] // the last message to the terminal
	done      chan struct{}          // closed when the session has ended
	lastInput atomic.Int64           // the time of the last input, since started

	mu    sync.Mutex
	send  func(tea.Msg) // nil until the shell runs
	ended bool          // end was called
}

// runPlain runs the session in line mode.
func (v *session) runPlain(ctx context.Context, opts shell.Options, screen bool, width int) error {
	p := plain.Options{
		Shell:       opts,
		In:          &sessionReader{v},
		Out:         v.sess,
		Width:       width,
		Interactive: screen,
		Bells:       screen,
	}

	if screen {
		p.Echo = plain.EchoRaw
	} else {
		p.Shell.Restore = false
	}

	return plain.Run(ctx, p)
}

// setSend stores the function that sends messages to the running shell.
func (v *session) setSend(send func(tea.Msg)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.send = send
	if v.ended {
		go send(shell.Hangup())
	}
}

// notify sends the shell a message if it runs.
func (v *session) notify(msg tea.Msg) {
	v.mu.Lock()
	send := v.send
	v.mu.Unlock()
	if send != nil {
		go send(msg)
	}
}

// end makes the session save its drafts and end. bye is its last message to the terminal.
func (v *session) end(bye string) {
	v.goodbye.CompareAndSwap(nil, &bye)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	if v.send != nil {
		go v.send(shell.Hangup())
	}
}

// watchSize sends the shell each new size of the terminal.
func (v *session) watchSize(ctx context.Context, windows <-chan ssh.Window) {
	for {
		select {
		case <-ctx.Done():
			return
		case w, ok := <-windows:
			if !ok {
				return
			}
			v.notify(tea.WindowSizeMsg{Width: w.Width, Height: w.Height})
		}
	}
}

// watchIdle ends the session after cfg.Idle without input, with a warning before.
func (v *session) watchIdle(ctx context.Context, t *i18n.Translator, cfg Config) {
	tick := time.NewTicker(max(time.Millisecond, min(time.Second, cfg.Warning/4)))
	defer tick.Stop()
	warned := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}

		idle := time.Since(started) - time.Duration(v.lastInput.Load())
		switch {
		case idle >= cfg.Idle:
			v.end(t.Get("Session ended because it was idle. Your counts are saved: sign in again."))
			return
		case idle >= cfg.Idle-cfg.Warning && !warned:
			warned = true
			v.notify(tui.Warn(t.Get("This session ends soon because it is idle. Press a key to stay."))())
			v.notify(tui.Bell(2)())
		case idle < cfg.Idle-cfg.Warning:
			warned = false
		}
	}
}

// keepAlive closes the connection when the other end stops answering.
func (v *session) keepAlive(ctx context.Context) {
	conn, ok := v.sess.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !ok {
		return
	}

	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(keepAliveInterval):
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
		case <-time.After(keepAliveTimeout):
		}

		_ = conn.Close()

		return
	}
}

// sessionReader reads the session's input. It records the time of each input, and on an error
// ends a session that has a pseudo-terminal.
type sessionReader struct{ session *session }

func (e *sessionReader) Read(p []byte) (int, error) {
	n, err := e.session.sess.Read(p)
	if n > 0 {
		e.session.lastInput.Store(int64(time.Since(started)))
	}
	if err != nil && !e.session.isPlain() {
		e.session.end("")
	}
	return n, err
}

// isPlain reports whether the session has no pseudo-terminal. Line mode then ends by itself
// at the end of the input.
func (v *session) isPlain() bool {
	_, _, screen := v.sess.Pty()
	return !screen
}

// writeLine writes a line outside of the shell.
func writeLine(w io.Writer, text string) {
	if text != "" {
		_, _ = io.WriteString(w, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\r\n")+"\r\n")
	}
}
