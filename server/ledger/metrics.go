package ledger

import (
	"context"
	"sync"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Census counts balances. It keeps its counts: balances are never deleted and
// their index only grows, so a later count reads only new ones.
type Census struct {
	ledger *Ledger
	mu     sync.Mutex
	known  map[store.Partition]*partitionCount
}

// A partitionCount is the number of balances of a partition, and the key after the last one counted.
type partitionCount struct {
	n    int64
	last []byte
}

// countBatch limits one read: a file that must grow waits for reads to end.
const countBatch = 10_000

// NewCensus returns an empty census.
func NewCensus(l *Ledger) *Census {
	return &Census{ledger: l, known: map[store.Partition]*partitionCount{}}
}

// Balances returns the number of balances in each environment, over all organizations.
func (c *Census) Balances(ctx context.Context) (map[api.Environment]int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts, err := c.ledger.store.Partitions(ctx)
	if err != nil {
		return nil, err
	}

	out := map[api.Environment]int64{api.Live: 0, api.Test: 0}
	for _, p := range parts {
		if p == (store.Partition{}) {
			continue
		}
		if c.known[p] == nil {
			c.known[p] = &partitionCount{}
		}
		if err := c.ledger.countFrom(ctx, p, c.known[p]); err != nil {
			return nil, err
		}

		out[api.Environment(p.Environment)] += c.known[p].n
	}

	return out, nil
}

// countFrom counts the balances since the last count.
func (l *Ledger) countFrom(ctx context.Context, p store.Partition, t *partitionCount) error {
	for more := true; more; {
		read, last := int64(0), []byte(nil)
		err := l.store.View(ctx, p, func(r store.Reader) error {
			return r.Scan(stored.BalanceKeys.Name+".seq", store.Range{From: t.last}, func(key, _ []byte) error {
				if read == countBatch {
					return store.ErrStop
				}
				read++
				last = append(last[:0], key...)
				return nil
			})
		})
		if err != nil {
			return err
		}
		if more = read == countBatch; read > 0 {
			t.n, t.last = t.n+read, append(last, 0)
		}
	}

	return nil
}
