package httpapi

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

const (
	maxWrongKeys   = 20              // the most wrong keys from one address at once
	wrongKeyDecay  = 6 * time.Second // the count of wrong keys decreases by one in this time
	wrongShards    = 64              // maps of addresses, each with a lock
	maxWrongSource = 128             // the most addresses of a shard
)

// A keyGuard slows down who tries keys. It is asked after a key is known to be wrong, so that
// no client stops others behind the same address.
type keyGuard struct {
	now func() time.Time

	delay   time.Duration // before an address with too many wrong keys is answered
	delayed atomic.Int64  // requests that wait for it

	seed   maphash.Seed
	shards [wrongShards]wrongShard
}

// A wrongShard has the wrong keys of some addresses.
type wrongShard struct {
	mu    sync.Mutex
	wrong map[string]wrongKeys
}

const (
	defaultWrongKeyDelay = time.Second
	maxDelayed           = 256 // more are answered at once
)

// wrongKeys counts the wrong keys of an address. The count decreases with time.
type wrongKeys struct {
	count float64
	last  time.Time
}

// newKeyGuard returns a guard, or nil if the rate is not limited.
func newKeyGuard(cfg *Config) *keyGuard {
	if cfg.Rate < 0 {
		return nil
	}
	return &keyGuard{
		now:   clockOf(cfg.Now),
		delay: cmp.Or(cfg.WrongKeyDelay, defaultWrongKeyDelay),
		seed:  maphash.MakeSeed(),
	}
}

func (g *keyGuard) shard(address string) *wrongShard {
	return &g.shards[maphash.String(g.seed, address)%wrongShards]
}

func (g *keyGuard) count(w wrongKeys) float64 {
	return min(maxWrongKeys, max(0, w.count-float64(g.now().Sub(w.last))/float64(wrongKeyDecay)))
}

// clientOf returns the network that wrong keys are counted for.
func clientOf(remote string) string {
	addr, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	return networkOf(addr.Addr()).String()
}

// check authenticates a key with fn. A wrong key from an address with too many gets an error
// with the time to wait. A client without an address is delayed, but not told to wait.
func (g *keyGuard) check(
	ctx context.Context,
	remote string,
	draining <-chan struct{},
	fn func() (*api.Caller, error),
) (*api.Caller, error) {
	caller, err := fn()
	if g == nil || !api.HasCode(err, api.Unauthorized) {
		return caller, err
	}

	limited := g.fail(clientOf(remote))
	if limited == nil {
		return nil, err
	}

	delayAnswer(ctx, &g.delayed, maxDelayed, g.delay, draining)
	if remote == "" {
		return nil, err
	}

	return nil, limited
}

// fail records a wrong key, or returns an error if its address has too many. A full shard
// forgets the address with the fewest wrong keys of a few, so that a client with many
// addresses costs neither memory nor time.
func (g *keyGuard) fail(address string) error {
	s := g.shard(address)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong == nil {
		s.wrong = map[string]wrongKeys{}
	}

	w, known := s.wrong[address]
	if over := g.count(w) - (maxWrongKeys - 1); over > 0 {
		seconds := int64((time.Duration(over*float64(wrongKeyDecay)) + time.Second - 1) / time.Second)
		return api.Fail(api.RateLimited, api.Details{retryAfter: seconds},
			"Too many wrong keys came from this address. Check the API key, and retry in %d s.", seconds)
	}

	if !known && len(s.wrong) >= maxWrongSource {
		g.forget(s)
	}

	s.wrong[address] = wrongKeys{g.count(w) + 1, g.now()}

	return nil
}

// forget removes the address with the fewest wrong keys of eight at random.
func (g *keyGuard) forget(s *wrongShard) {
	var fewest string
	least, looked := math.Inf(1), 0
	for address, w := range s.wrong {
		if n := g.count(w); n < least {
			fewest, least = address, n
		}
		if looked++; looked == 8 {
			break
		}
	}

	delete(s.wrong, fewest)
}
