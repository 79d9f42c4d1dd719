package remote_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/remote"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/widget"
)

func TestServer_KeyAndPassword(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.open("Ada", "xterm-256color").shows("Ada counted")
	s.open("ben", "xterm-256color", gossh.Password("correct horse")).shows("Ben counted")
	for name, auth := range map[string]gossh.AuthMethod{"Ada": gossh.Password("correct horse"), "Ben": gossh.PublicKeys(s.keys["Ada"]),
		"Nobody": gossh.PublicKeys(s.keys["Ada"])} {
		_, err := s.dial(name, auth)
		require.ErrorContains(t, err, "unable to authenticate", name)
	}
	_, err := s.dial("Ada", gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil }))
	require.ErrorContains(t, err, "unable to authenticate")
}

func TestServer_LimitsWrongPasswords(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for range 5 {
		_, err := s.dial("Ben", gossh.Password("guess"))
		require.Error(t, err)
	}
	_, err := s.dial("Ben", gossh.Password("correct horse"))
	require.ErrorContains(t, err, "unable to authenticate", "the right password is rejected too")
	s.open("Ada", "xterm").shows("Ada counted") // keys are not limited
}

// Many attempts at once are no way around the limit.
func TestServer_LimitsParallelPasswords(t *testing.T) {
	t.Parallel()
	var checked atomic.Int64
	begun, release := make(chan struct{}, 8), make(chan struct{})
	s := serve(t, func(c *remote.Config) {
		find := c.Find
		c.Find = func(name string) (remote.Person, bool) {
			p, ok := find(name)
			if p.Password != nil {
				p.Password = func(string) bool {
					checked.Add(1)
					begun <- struct{}{}
					<-release
					return false
				}
			}
			return p, ok
		}
	})
	rejected := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := s.dial("Ben", gossh.Password("guess"))
			rejected <- err
		}()
	}
	for range 3 {
		require.ErrorContains(t, <-rejected, "unable to authenticate")
	}
	for range 5 {
		<-begun // the others may come to their check after the three are rejected
	}
	close(release)
	for range 5 {
		require.Error(t, <-rejected)
	}
	require.EqualValues(t, 5, checked.Load())
}

// A right password gives its attempt back.
func TestServer_RightPasswordDoesNotCount(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for range 25 {
		c, err := s.dial("Ben", gossh.Password("correct horse"))
		require.NoError(t, err)
		c.Close()
	}
}

// Connections that do not sign in keep nobody out, not even from their address.
func TestServer_SilentConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var silent []net.Conn
	for range 70 {
		c, err := net.Dial("tcp", s.addr)
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Read(make([]byte, 1)) // the server's greeting: it waits for this one
		require.NoError(t, err)
		silent = append(silent, c)
	}
	s.open("Ada", "xterm").shows("Ada counted")
	_, err := io.Copy(io.Discard, silent[0]) // ends: the oldest is closed
	require.NoError(t, err)
}

func TestServer_ColorsPerSession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	color := s.open("Ada", "xterm-256color").shows("Ada counted")
	mono := s.open("Ben", "vt100", gossh.Password("correct horse")).shows("Ben counted")
	require.Contains(t, color.bytes(), "\x1b[38;5;")
	require.NotContains(t, mono.bytes(), "\x1b[38;5;")
	color.types("AAAA-1\r").shows("counted AAAA-1 end")
	require.NotContains(t, mono.bytes(), "AAAA-1")
}

func TestServer_LostConnectionKeepsDrafts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	x := s.open("Ada", "xterm").shows("counted")
	x.types("AAAA-1\r").shows("AAAA-1")
	x.types("BBBB-2\r").shows("AAAA-1 BBBB-2 end")
	x.client.Close()
	s.open("Ada", "xterm").shows("Ada counted AAAA-1 BBBB-2 end")
}

func TestServer_NewSessionEndsOldest(t *testing.T) {
	t.Parallel()
	s := serve(t)
	first := s.open("Ada", "xterm").shows("counted")
	first.types("AAAA-1\r").shows("AAAA-1")
	s.open("Ada", "xterm").shows("Ada counted AAAA-1 end")
	first.shows("Session moved to your other terminal").over()
	require.Equal(t, 1, s.SessionCount())

	s = serve(t, func(c *remote.Config) { c.MaxPerPerson, c.MaxSessions = 2, 2 })
	one := s.open("Ada", "xterm").shows("counted").types("AAAA-1\r").shows("AAAA-1")
	two := s.open("Ada", "xterm").shows("Ada counted  end") // a second session with its own drafts
	three := s.open("Ada", "xterm").shows("Ada counted AAAA-1 end")
	one.over()
	full := s.open("Ben", "xterm", gossh.Password("correct horse"))
	full.shows("Too many sessions").over()
	two.types("CCCC-3\r").shows("CCCC-3")
	three.types("DDDD-4\r").shows("AAAA-1 DDDD-4 end")
}

func TestServer_RejectsCommandsAndForwarding(t *testing.T) {
	t.Parallel()
	s := serve(t)
	client, err := s.dial("Ada")
	require.NoError(t, err)
	defer client.Close()
	sess, err := client.NewSession()
	require.NoError(t, err)
	out, err := sess.Output("cat /etc/passwd")
	require.Error(t, err)
	require.Contains(t, string(out), "no command runs here")
	sess, err = client.NewSession()
	require.NoError(t, err)
	require.Error(t, sess.RequestSubsystem("sftp"))
	_, err = client.Dial("tcp", "127.0.0.1:22")
	require.Error(t, err, "no forwarding")
	_, err = client.Listen("tcp", "127.0.0.1:0")
	require.Error(t, err)
}

func TestServer_LineMode(t *testing.T) {
	t.Parallel()
	s := serve(t)
	x := s.open("Ada", "").shows("HOME")
	x.types("AAAA-1\nwhere\n").shows("counted AAAA-1")
	require.NoError(t, x.in.Close())
	x.over()
	require.NotContains(t, x.bytes(), "\x1b")
	dumb := s.open("Ada", "dumb").shows("counted AAAA-1") // the draft was saved
	dumb.types("BBBB-2\r").shows("BBBB-2\r\n")
	require.NotContains(t, dumb.bytes(), "\x1b")
	client, err := s.dial("Ada")
	require.NoError(t, err)
	defer client.Close()
	sess, err := client.NewSession()
	require.NoError(t, err)
	sess.Stdin = strings.NewReader("where\nquit\nyes\n")
	out, err := sess.Output("plain")
	require.NoError(t, err)
	require.Contains(t, string(out), "BBBB-2")
}

func TestServer_WindowChange(t *testing.T) {
	t.Parallel()
	s := serve(t)
	x := s.open("Ada", "xterm").shows(strings.Repeat("=", 80))
	require.NoError(t, x.sess.WindowChange(16, 100))
	x.shows(strings.Repeat("=", 100))
}

func TestServer_IdleSessionEnds(t *testing.T) {
	t.Parallel()
	s := serve(t, func(c *remote.Config) { c.Idle, c.Warning = 2500*time.Millisecond, 1500*time.Millisecond })
	x := s.open("Ada", "xterm").types("AAAA-1\r")
	x.shows("Press a key to stay").shows("because it was idle").over()
	require.Contains(t, x.bytes(), "\a")
	s.open("Ada", "xterm").shows("counted AAAA-1")
}

func TestServer_StopSavesSessions(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.open("Ada", "xterm").types("AAAA-1\r").shows("AAAA-1")
	ben := s.open("Ben", "dumb", gossh.Password("correct horse")).shows("> ")
	ben.types("BBBB-2\r").shows("BBBB-2")
	host, err := os.ReadFile(s.cfg.HostKey)
	require.NoError(t, err)
	s.stop()
	ada.shows("is restarting").over()
	ben.shows("is restarting").over()
	require.Zero(t, s.SessionCount())

	s.start()
	s.open("Ada", "xterm").shows("counted AAAA-1")
	again, err := os.ReadFile(s.cfg.HostKey)
	require.NoError(t, err)
	require.Equal(t, host, again, "the host key did not change")
	info, err := os.Stat(s.cfg.HostKey)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestHashPassword(t *testing.T) {
	t.Parallel()
	hash, err := remote.HashPassword("correct horse")
	require.NoError(t, err)
	require.NotContains(t, hash, "horse")
	require.True(t, remote.CheckPassword(hash)("correct horse"))
	require.False(t, remote.CheckPassword(hash)("correct house"))
	require.False(t, remote.CheckPassword("no hash")("correct horse"))
	_, err = remote.HashPassword(strings.Repeat("x", 73))
	require.Error(t, err)
}

// waitTimeout is how long a test waits for a condition before it fails.
const waitTimeout = 30 * time.Second

// countScreen is a screen that counts scans, with a draft of the count.
type countScreen struct {
	env   tui.Env
	who   string
	codes []string
}

func (s *countScreen) Init(env tui.Env) tea.Cmd {
	s.env = env
	if raw, ok := env.Draft(); ok {
		s.codes = strings.Fields(string(raw))
	}
	return nil
}

func (s *countScreen) Update(tea.Msg) (tui.Screen, tea.Cmd) { return s, nil }
func (s *countScreen) Title() string                        { return "" }
func (s *countScreen) Actions() []tui.Action                { return nil }
func (s *countScreen) OnScan(x scan.Scan) tea.Cmd {
	s.codes = append(s.codes, x.Text)
	return tui.Accepted()
}

func (s *countScreen) View(size tui.Size) string {
	return s.env.Theme.Accent.Render(s.who+" counted "+strings.Join(s.codes, " ")+" end") + "\n" + strings.Repeat("=", size.Width)
}

func (s *countScreen) Snapshot() []byte {
	if len(s.codes) == 0 {
		return nil
	}
	return []byte(strings.Join(s.codes, " "))
}

// A server is the server under test.
type server struct {
	*remote.Server
	t    *testing.T
	cfg  remote.Config
	addr string
	stop context.CancelFunc
	done chan error
	keys map[string]gossh.Signer
}

// serve starts a server for Ada, by key, and Ben, by password.
func serve(t *testing.T, change ...func(*remote.Config)) *server {
	t.Helper()
	dir := t.TempDir()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, err := gossh.NewSignerFromKey(private)
	require.NoError(t, err)
	s := &server{t: t, keys: map[string]gossh.Signer{"Ada": key}}
	people := map[string]remote.Person{
		"ada": {Name: "Ada", Keys: []string{"not a key", string(gossh.MarshalAuthorizedKey(key.PublicKey())) + " ada@quay"}},
		"ben": {Name: "Ben", Password: func(text string) bool { return text == "correct horse" }},
	}
	s.cfg = remote.Config{HostKey: filepath.Join(dir, "keys", "host"),
		Find: func(name string) (remote.Person, bool) { p, ok := people[strings.ToLower(name)]; return p, ok },
		Open: func(_ context.Context, v remote.Session) (shell.Options, func(), error) {
			style, err := widget.RemoteTheme("dark", v.Environ)
			reg := tui.NewRegistry().Add("tally", "Tally", func(tui.Env) (tui.Screen, error) { return &countScreen{who: v.Person}, nil })
			return shell.Options{Registry: reg, Theme: style, Drafts: drafts.InFolder(filepath.Join(dir, v.Person, string(rune('0'+v.Index))))}, nil, err
		}}
	for _, c := range change {
		c(&s.cfg)
	}
	s.start()
	return s
}

func (s *server) start() {
	s.t.Helper()
	var err error
	s.Server, err = remote.New(s.cfg)
	require.NoError(s.t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s.t, err)
	s.addr = ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	s.done = make(chan error, 1)
	go func(server *remote.Server, done chan error) { done <- server.Serve(ctx, ln) }(s.Server, s.done)
	s.stop = sync.OnceFunc(func() {
		stop()
		select {
		case err := <-s.done:
			require.NoError(s.t, err)
		case <-time.After(waitTimeout):
			require.Fail(s.t, "the server does not end")
		}
	})
	s.t.Cleanup(s.stop)
}

// dial connects and signs in.
func (s *server) dial(user string, auth ...gossh.AuthMethod) (*gossh.Client, error) {
	if key := s.keys[user]; key != nil && auth == nil {
		auth = []gossh.AuthMethod{gossh.PublicKeys(key)}
	}
	return gossh.Dial("tcp", s.addr, &gossh.ClientConfig{User: user, Auth: auth, Timeout: waitTimeout, HostKeyCallback: gossh.InsecureIgnoreHostKey()})
}

// A terminal is the client's terminal.
type terminal struct {
	t      *testing.T
	client *gossh.Client
	sess   *gossh.Session
	in     io.WriteCloser

	mu   sync.Mutex
	seen bytes.Buffer
}

func (s *terminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.Write(p)
}

func (s *terminal) bytes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// open signs in and starts a session with a pseudo-terminal of a kind, or without one for "".
func (s *server) open(user, kind string, auth ...gossh.AuthMethod) *terminal {
	s.t.Helper()
	client, err := s.dial(user, auth...)
	require.NoError(s.t, err)
	x := &terminal{t: s.t, client: client}
	s.t.Cleanup(func() { client.Close() })
	x.sess, err = client.NewSession()
	require.NoError(s.t, err)
	x.sess.Stdout = x
	x.in, err = x.sess.StdinPipe()
	require.NoError(s.t, err)
	if kind != "" {
		require.NoError(s.t, x.sess.RequestPty(kind, 24, 80, gossh.TerminalModes{}))
	}
	require.NoError(s.t, x.sess.Shell())
	return x
}

// shows waits until the terminal shows a text.
func (s *terminal) shows(text string) *terminal {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(ansi.Strip(s.bytes()), text) }, waitTimeout, 2*time.Millisecond, "%q is not shown", text)
	return s
}

func (s *terminal) types(text string) *terminal {
	s.t.Helper()
	_, err := io.WriteString(s.in, text)
	require.NoError(s.t, err)
	return s
}

// over waits until the session has ended.
func (s *terminal) over() {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.sess.Wait() }()
	select {
	case <-done:
	case <-time.After(waitTimeout):
		require.Fail(s.t, "the session does not end")
	}
}
