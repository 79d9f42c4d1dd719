package httpapi

import (
	"sync"

	"github.com/google/uuid"

	"bincard/server/api"
)

// The most bytes of answers in memory. What is smaller than smallTransit is counted,
// but not rejected: connections bound it.
const (
	defaultTransit       = 256 << 20
	defaultTransitPerOrg = 64 << 20
	defaultTransitPerKey = 32 << 20
	smallTransit         = 16 << 10
)

// A transit counts the bytes of answers in memory. They stay until the client has
// read them.
type transit struct {
	total, perOrg, perKey int64

	mu    sync.Mutex
	now   int64
	bytes map[uuid.UUID]int64 // by organization and by key
}

func newTransit(cfg *Config) *transit {
	t := &transit{
		total:  defaultTransit,
		perOrg: defaultTransitPerOrg,
		perKey: defaultTransitPerKey,
		bytes:  map[uuid.UUID]int64{},
	}

	if n := cfg.MaxTransitPerKey; n > 0 {
		t.perKey = n
		t.perOrg = max(n, t.perOrg)
		t.total = max(n, t.total)
	}

	return t
}

// add counts bytes of the request until x.settle. It returns an error if they are
// too many, unless they are required.
func (t *transit) add(x *exchange, n int64, required bool) error {
	org, key := x.caller.Organization, x.caller.KeyID
	t.mu.Lock()
	defer t.mu.Unlock()
	if !required && n > smallTransit {
		over := func(now, limit int64) bool { return now > 0 && now+n > limit } // one is always possible
		switch {
		case over(t.bytes[key], t.perKey):
			return tooMuchTransit("key", t.perKey)
		case over(t.bytes[org], t.perOrg):
			return tooMuchTransit("organization", t.perOrg)
		case over(t.now, t.total):
			return unavailable(retryCrowded, nil, "Too many answers are unread (%d MB). Retry shortly.", t.total>>20)
		}
	}

	x.transit, x.transitBytes = t, x.transitBytes+n
	t.count(org, key, n)

	return nil
}

func tooMuchTransit(of string, limit int64) error {
	return api.Fail(api.RateLimited, api.Details{retryAfter: int64(retryCrowded)},
		"Too many answers of this %s are unread (%d MB). Read them, and retry shortly.", of, limit>>20)
}

func (t *transit) count(org, key uuid.UUID, n int64) {
	t.now += n
	for _, id := range []uuid.UUID{org, key} {
		if t.bytes[id] += n; t.bytes[id] == 0 {
			delete(t.bytes, id)
		}
	}
}

// settle ends the count of the request's bytes.
func (x *exchange) settle() {
	if t := x.transit; t != nil {
		t.mu.Lock()
		t.count(x.caller.Organization, x.caller.KeyID, -x.transitBytes)
		t.mu.Unlock()
		x.transit, x.transitBytes = nil, 0
	}
}
