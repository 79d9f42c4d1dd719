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
	knockFor  = 30 * time.Second // the longest that a log-on may take
	knocking  = 64               // connections that have not logged on, at a time
	perSource = 5                // wrong passwords from one address, or for one name
	forgetOne = 12 * time.Second // one of them is forgotten after this
	forgotten = 4096             // sources that are remembered
)

// door keeps those out who try passwords.
type door struct {
	now func() time.Time

	mu      sync.Mutex
	tries   map[string]tries
	waiting int
}

// tries are the wrong passwords of a source, fewer with every moment.
type tries struct {
	n    float64
	last time.Time
}

func newDoor() *door { return &door{now: time.Now, tries: map[string]tries{}} }

func (d *door) left(source string) float64 {
	t := d.tries[source]
	return max(0, t.n-float64(d.now().Sub(t.last))/float64(forgetOne))
}

// open tells whether a source may try now.
func (d *door) open(sources ...string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		if d.left(s) > perSource-1 {
			return false
		}
	}
	return true
}

// wrong notes a wrong password.
func (d *door) wrong(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.tries) > forgotten {
		for s := range d.tries {
			if d.left(s) == 0 || len(d.tries) > 2*forgotten {
				delete(d.tries, s)
			}
		}
	}
	for _, s := range sources {
		d.tries[s] = tries{d.left(s) + 1, d.now()}
	}
}

// right forgets the wrong ones.
func (d *door) right(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		delete(d.tries, s)
	}
}

// The values kept with a connection.
type (
	whoKey  struct{} // the Person's name
	connKey struct{} // *knock
)

// knock is a connection that has not logged on yet.
type knock struct {
	net.Conn
	once func()
}

// entered lets the connection stay: it has logged on, or is gone.
func (k *knock) entered() { k.once() }

func (k *knock) Close() error {
	k.once()
	return k.Conn.Close()
}

// knock takes a connection, unless too many wait at the door, for a while.
func (s *Server) knock(ctx ssh.Context, conn net.Conn) net.Conn {
	s.door.mu.Lock()
	defer s.door.mu.Unlock()
	if s.door.waiting >= knocking {
		s.cfg.Log.Warn("too many log-ons at a time", "from", conn.RemoteAddr().String())
		return nil
	}
	s.door.waiting++
	_ = conn.SetDeadline(time.Now().Add(knockFor))
	k := &knock{Conn: conn, once: sync.OnceFunc(func() {
		s.door.mu.Lock()
		s.door.waiting--
		s.door.mu.Unlock()
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

// find finds who wants in. People write names as they can: "ada.lovelace" is
// Ada Lovelace.
func (s *Server) find(name string) (Person, bool) {
	if p, ok := s.cfg.Find(name); ok {
		return p, true
	}
	return s.cfg.Find(strings.NewReplacer(".", " ", "_", " ", "-", " ").Replace(name))
}

// byKey lets a person in who holds one of their keys.
func (s *Server) byKey(ctx ssh.Context, key ssh.PublicKey) bool {
	p, ok := s.find(ctx.User())
	if !ok {
		return false
	}
	for _, line := range p.Keys {
		known, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err == nil && ssh.KeysEqual(known, key) {
			ctx.SetValue(whoKey{}, p.Name)
			return true
		}
	}
	return false
}

// byPassword lets a person in who knows their password. The name of nobody
// takes as long, and who tries too often is not heard for a while.
func (s *Server) byPassword(ctx ssh.Context, password string) bool {
	from, name := host(ctx.RemoteAddr()), "name "+strings.ToLower(ctx.User())
	if !s.door.open(from, name) {
		s.cfg.Log.Warn("log-on not heard: too many wrong passwords", "name", ctx.User(), "from", from)
		return false
	}
	p, ok := s.find(ctx.User())
	if p.Password == nil {
		p.Password, ok = nobodys, false
	}
	if p.Password(password) && ok {
		s.door.right(from, name)
		ctx.SetValue(whoKey{}, p.Name)
		return true
	}
	s.door.wrong(from, name)
	s.cfg.Log.Info("log-on refused", "name", ctx.User(), "from", from)
	return false
}
