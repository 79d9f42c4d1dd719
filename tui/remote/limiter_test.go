package remote_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bincard/tui/remote"
)

// Silent connections keep nobody out: the oldest of them make room.
func TestServer_SilentConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for range 100 {
		c, err := net.Dial("tcp", s.addr)
		require.NoError(t, err)
		defer c.Close()
	}
	s.open("Ada", "xterm").shows("Ada counted")
	require.NoError(t, dialFrom(t, s, "127.0.0.2", "Ben", "correct horse"))
}

// Guesses at once are no more than guesses one after the other, and lock nobody out who
// signs in from elsewhere.
func TestServer_LimitsParallelGuesses(t *testing.T) {
	t.Parallel()
	var checked atomic.Int64
	s := serve(t, func(c *remote.Config) {
		find := c.Find
		c.Find = func(name string) (remote.Person, bool) {
			p, ok := find(name)
			if p.Password != nil {
				right := p.Password
				p.Password = func(text string) bool { checked.Add(1); return right(text) }
			}
			return p, ok
		}
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { _, _ = s.dial("Ben", gossh.Password("guess")) })
	}
	all.Wait()
	require.LessOrEqual(t, checked.Load(), int64(5))
	require.Error(t, dialFrom(t, s, "127.0.0.1", "Ben", "correct horse"))
	require.NoError(t, dialFrom(t, s, "127.0.0.2", "Ben", "correct horse"))
}

// dialFrom signs in from an address.
func dialFrom(t *testing.T, s *server, address, user, password string) error {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := d.Dial("tcp", s.addr)
	require.NoError(t, err)
	defer conn.Close()
	c, _, _, err := gossh.NewClientConn(conn, s.addr, &gossh.ClientConfig{User: user, Auth: []gossh.AuthMethod{gossh.Password(password)},
		HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	if err == nil {
		_ = c.Close()
	}
	return err
}
