package store

import "context"

// cancelInterval is the number of rows that a cancelable reader reads between two looks at
// its context.
const cancelInterval = 64

// Cancelable returns r with reads that fail once ctx has ended: a long read for a client that
// is gone, or past its deadline, stops after a few rows.
func Cancelable(ctx context.Context, r Reader) Reader {
	if ctx.Done() == nil {
		return r
	}
	return &cancelable{r: r, ctx: ctx}
}

type cancelable struct {
	r    Reader
	ctx  context.Context
	rows int
}

// count counts a row, and returns the context's error if it has ended.
func (c *cancelable) count() error {
	if c.rows++; c.rows%cancelInterval != 0 {
		return nil
	}
	return c.ctx.Err()
}

func (c *cancelable) Get(table string, key []byte) ([]byte, error) {
	if err := c.count(); err != nil {
		return nil, err
	}
	return c.r.Get(table, key)
}

func (c *cancelable) Scan(table string, r Range, fn func(key, value []byte) error) error {
	return c.r.Scan(table, r, func(key, value []byte) error {
		if err := c.count(); err != nil {
			return err
		}
		return fn(key, value)
	})
}
