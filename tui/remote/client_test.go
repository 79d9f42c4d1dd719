package remote_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/remote"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

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
			style, err := theme.Remote("dark", v.Environ)
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
