package remote

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
)

// How the door is held.
const (
	loginTimeout = 30 * time.Second // the longest that a log-on may take
	maxPending   = 64               // connections that have not logged on, at a time
	maxFailures  = 5                // wrong passwords from one address, or for one name
	failureDecay = 12 * time.Second // one of them is forgotten after this
	maxSources   = 4096             // sources that are remembered
)

// authLimiter keeps those out who try passwords.
type authLimiter struct {
	now func() time.Time

	mu       sync.Mutex
	failures map[string]failures
	pending  int
}

// failures are the wrong passwords of a source, fewer with every moment.
type failures struct {
	count float64
	last  time.Time
}

func newAuthLimiter() *authLimiter {
	return &authLimiter{now: time.Now, failures: map[string]failures{}}
}

func (d *authLimiter) count(source string) float64 {
	t := d.failures[source]
	return max(0, t.count-float64(d.now().Sub(t.last))/float64(failureDecay))
}

// allow tells whether a source may try now.
func (d *authLimiter) allow(sources ...string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		if d.count(s) > maxFailures-1 {
			return false
		}
	}
	return true
}

// fail notes a wrong password.
func (d *authLimiter) fail(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.failures) > maxSources {
		for s := range d.failures {
			if d.count(s) == 0 || len(d.failures) > 2*maxSources {
				delete(d.failures, s)
			}
		}
	}
	for _, s := range sources {
		d.failures[s] = failures{d.count(s) + 1, d.now()}
	}
}

// reset forgets the wrong ones.
func (d *authLimiter) reset(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		delete(d.failures, s)
	}
}

// The values kept with a connection.
type (
	personKey struct{} // the Person's name
	connKey   struct{} // *knock
)

// pendingConn is a connection that has not logged on yet.
type pendingConn struct {
	net.Conn
	release func()
}

// loggedIn lets the connection stay: it has logged on, or is gone.
func (k *pendingConn) loggedIn() { k.release() }

func (k *pendingConn) Close() error {
	k.release()
	return k.Conn.Close()
}

// accept takes a connection, unless too many wait at the door, for a while.
func (s *Server) accept(ctx ssh.Context, conn net.Conn) net.Conn {
	s.limiter.mu.Lock()
	defer s.limiter.mu.Unlock()
	if s.limiter.pending >= maxPending {
		s.cfg.Log.Warn("too many log-ons at a time", "from", conn.RemoteAddr().String())
		return nil
	}
	s.limiter.pending++
	_ = conn.SetDeadline(time.Now().Add(loginTimeout))
	k := &pendingConn{Conn: conn, release: sync.OnceFunc(func() {
		s.limiter.mu.Lock()
		s.limiter.pending--
		s.limiter.mu.Unlock()
		_ = conn.SetDeadline(time.Time{})
	})}
	ctx.SetValue(connKey{}, k)
	return k
}

// host is an address without its port.
func host(addr net.Addr) string {
	if h, _, err := net.SplitHostPort(addr.String()); err == nil {
		return h
	}
	return addr.String()
}

// findPerson finds who wants in. People write names as they can: "ada.lovelace" is
// Ada Lovelace.
func (s *Server) findPerson(name string) (Person, bool) {
	if p, ok := s.cfg.Find(name); ok {
		return p, true
	}
	return s.cfg.Find(strings.NewReplacer(".", " ", "_", " ", "-", " ").Replace(name))
}

// checkPublicKey lets a person in who holds one of their keys.
func (s *Server) checkPublicKey(ctx ssh.Context, key ssh.PublicKey) bool {
	p, ok := s.findPerson(ctx.User())
	if !ok {
		return false
	}
	for _, line := range p.Keys {
		known, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err == nil && ssh.KeysEqual(known, key) {
			ctx.SetValue(personKey{}, p.Name)
			return true
		}
	}
	return false
}

// checkPassword lets a person in who knows their password. The name of nobody
// takes as long, and who tries too often is not heard for a while.
func (s *Server) checkPassword(ctx ssh.Context, password string) bool {
	from, name := host(ctx.RemoteAddr()), "name "+strings.ToLower(ctx.User())
	if !s.limiter.allow(from, name) {
		s.cfg.Log.Warn("log-on not heard: too many wrong passwords", "name", ctx.User(), "from", from)
		return false
	}
	p, ok := s.findPerson(ctx.User())
	if p.Password == nil {
		p.Password, ok = dummyPassword, false
	}
	if p.Password(password) && ok {
		s.limiter.reset(from, name)
		ctx.SetValue(personKey{}, p.Name)
		return true
	}
	s.limiter.fail(from, name)
	s.cfg.Log.Info("log-on refused", "name", ctx.User(), "from", from)
	return false
}
