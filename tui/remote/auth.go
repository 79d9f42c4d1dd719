package remote

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
)

// The limits of authentication.
const (
	loginTimeout = 30 * time.Second // the longest duration of a sign-in
	maxPending   = 64               // the most connections that have not signed in
)

// The keys of values in a connection's context.
type (
	personKey struct{} // the Person's name
	connKey   struct{} // *pendingConn
)

// pendingConn is a connection that has not signed in yet.
type pendingConn struct {
	net.Conn
	release func()
}

// loggedIn ends the sign-in: the connection no longer counts as pending and has no deadline.
func (k *pendingConn) loggedIn() { k.release() }

func (k *pendingConn) Close() error {
	k.release()
	return k.Conn.Close()
}

// accept accepts a connection unless too many are pending, with a deadline for the sign-in.
func (s *Server) accept(ctx ssh.Context, conn net.Conn) net.Conn {
	s.limiter.mu.Lock()
	defer s.limiter.mu.Unlock()
	if s.limiter.pending >= maxPending {
		s.cfg.Log.Warn("too many pending sign-ins", "from", conn.RemoteAddr().String())
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

// host returns an address without its port.
func host(addr net.Addr) string {
	if h, _, err := net.SplitHostPort(addr.String()); err == nil {
		return h
	}
	return addr.String()
}

// findPerson finds a person by user name. "ada.lovelace" also finds Ada Lovelace.
func (s *Server) findPerson(name string) (Person, bool) {
	if p, ok := s.cfg.Find(name); ok {
		return p, true
	}
	return s.cfg.Find(strings.NewReplacer(".", " ", "_", " ", "-", " ").Replace(name))
}

// checkPublicKey reports whether the key is one of the person's.
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

// checkPassword reports whether the password is the person's. An unknown name takes as long,
// and after too many failures every password is rejected for a while.
func (s *Server) checkPassword(ctx ssh.Context, password string) bool {
	from, name := host(ctx.RemoteAddr()), "name "+strings.ToLower(ctx.User())
	if !s.limiter.allow(from, name) {
		s.cfg.Log.Warn("sign-in rejected: too many wrong passwords", "name", ctx.User(), "from", from)
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
	s.cfg.Log.Info("sign-in failed", "name", ctx.User(), "from", from)
	return false
}
