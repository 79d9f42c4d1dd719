package remote

import (
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	"golang.org/x/crypto/bcrypt"
)

// The limits of authentication.
const (
	loginTimeout = 30 * time.Second // the longest duration of a sign-in
	maxPending   = 64               // the most connections that have not signed in

	maxPendingPerSource = 8 // the most of them from one address
)

// The keys of values in a connection's context.
type (
	personKey struct{} // the Person's name
	connKey   struct{} // *pendingConn
)

// pendingConn is a connection that has not signed in yet.
type pendingConn struct {
	net.Conn
	from    string
	release func()
}

// loggedIn ends the sign-in: the connection no longer counts as pending and has no deadline.
func (k *pendingConn) loggedIn() { k.release() }

func (k *pendingConn) Close() error {
	k.release()
	return k.Conn.Close()
}

// accept accepts a connection, with a deadline for the sign-in. Above a limit of pending
// ones it closes the oldest of the address with most of them.
func (s *Server) accept(ctx ssh.Context, conn net.Conn) net.Conn {
	k := &pendingConn{Conn: conn, from: host(conn.RemoteAddr())}
	k.release = sync.OnceFunc(func() {
		s.limiter.removePending(k)
		_ = conn.SetDeadline(time.Time{})
	})
	_ = conn.SetDeadline(time.Now().Add(loginTimeout))
	ctx.SetValue(connKey{}, k)
	if old := s.limiter.addPending(k); old != nil {
		s.cfg.Log.Warn("too many pending sign-ins; the oldest is closed", "from", old.from)
		_ = old.Close()
	}

	return k
}

// addPending adds a pending connection. It returns the one to close for it, if any.
func (d *authLimiter) addPending(k *pendingConn) (old *pendingConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	counts := map[string]int{}
	for _, p := range d.pending {
		counts[p.from]++
	}

	from := k.from
	if counts[from] < maxPendingPerSource && len(d.pending) >= maxPending {
		for _, p := range d.pending {
			if counts[p.from] > counts[from] {
				from = p.from
			}
		}
	}

	if counts[from] >= maxPendingPerSource || len(d.pending) >= maxPending {
		i := slices.IndexFunc(d.pending, func(p *pendingConn) bool { return p.from == from })
		if i < 0 { // of 64 addresses, one connection each
			i = 0
		}
		old = d.pending[i]
		d.pending = slices.Delete(d.pending, i, i+1)
	}

	d.pending = append(d.pending, k)

	return old
}

func (d *authLimiter) removePending(k *pendingConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.pending, k); i >= 0 {
		d.pending = slices.Delete(d.pending, i, i+1)
	}
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
	from, name := host(ctx.RemoteAddr()), strings.ToLower(ctx.User())
	if !s.limiter.reserve(from, name) {
		s.cfg.Log.Warn("sign-in rejected: too many wrong passwords", "name", ctx.User(), "from", from)
		return false
	}

	p, ok := s.findPerson(ctx.User())
	if p.Password == nil {
		p.Password, ok = dummyPassword, false
	}
	if p.Password(password) && ok {
		s.limiter.succeed(from, name)
		ctx.SetValue(personKey{}, p.Name)
		return true
	}

	s.cfg.Log.Info("sign-in failed", "name", ctx.User(), "from", from)

	return false
}

// The minimum length of a password and the most bytes that bcrypt uses.
const (
	MinPassword = 8
	maxPassword = 72
)

// HashPassword returns the bcrypt hash of a password.
func HashPassword(text string) (string, error) {
	if len(text) > maxPassword {
		return "", bcrypt.ErrPasswordTooLong
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(text), bcrypt.DefaultCost)
	return string(hash), err
}

// CheckPassword returns a function that reports whether a password matches the hash.
func CheckPassword(hash string) func(text string) bool {
	return func(text string) bool { return bcrypt.CompareHashAndPassword([]byte(hash), []byte(text)) == nil }
}

// dummyPassword takes as long as the check of an actual password, so that timing does not
// reveal who has one.
var dummyPassword = CheckPassword("$2a$10$7EqJtq98hPqEX7fNZaFWoOQ5pX1k5f5m2kq9j5bQ5c5p5c5p5c5p6")
