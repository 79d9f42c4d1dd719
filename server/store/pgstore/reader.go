package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bincard/server/store"
)

// A reader reads the rows of a partition within a transaction of conn.
type reader struct {
	ctx       context.Context
	conn      *pgx.Conn
	partition string
	err       error // the first failure of the database
}

// fail records a failure of the database.
func (r *reader) fail(table string, err error) error {
	err = fmt.Errorf("cannot read table %s: %w", table, err)
	if r.err == nil {
		r.err = err
	}
	return err
}

// Get implements store.Reader.
func (r *reader) Get(table string, key []byte) (value []byte, err error) {
	err = r.conn.QueryRow(r.ctx, "SELECT value FROM bincard.rows WHERE partition = $1 AND tbl = $2 AND key = $3",
		r.partition, table, key).Scan(&value)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, r.fail(table, err)
	}

	if value == nil {
		value = []byte{}
	}

	return value, nil
}

// Pages of a scan. fn may use the connection, so a page must be complete before.
const (
	firstPage = 32
	lastPage  = 1024
)

// Scan implements store.Reader.
func (r *reader) Scan(table string, rng store.Range, fn func(key, value []byte) error) error {
	for size := firstPage; ; size = min(4*size, lastPage) {
		page, err := r.page(table, rng, size)
		if err != nil {
			return err
		}

		for _, row := range page {
			if err := fn(row.Key, row.Value); err != nil {
				if errors.Is(err, store.ErrStop) {
					return nil
				}
				return err
			}
		}

		if len(page) < size {
			return nil
		}

		last := page[len(page)-1].Key
		if rng.Reverse {
			rng.To = last
		} else {
			rng.From = append(last[:len(last):len(last)], 0) // the least key after it
		}
	}
}

// page returns the first rows of a range.
func (r *reader) page(table string, rng store.Range, size int) ([]store.Row, error) {
	query, args := "SELECT key, value FROM bincard.rows WHERE partition = $1 AND tbl = $2", []any{r.partition, table}
	if rng.From != nil {
		args = append(args, rng.From)
		query += fmt.Sprintf(" AND key >= $%d", len(args))
	}
	if rng.To != nil {
		args = append(args, rng.To)
		query += fmt.Sprintf(" AND key < $%d", len(args))
	}

	order := " ORDER BY key"
	if rng.Reverse {
		order += " DESC"
	}

	rows, err := r.conn.Query(r.ctx, fmt.Sprintf("%s%s LIMIT %d", query, order, size), args...)
	if err != nil {
		return nil, r.fail(table, err)
	}

	page, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (x store.Row, err error) {
		err = row.Scan(&x.Key, &x.Value)
		return x, err
	})
	if err != nil {
		return nil, r.fail(table, err)
	}

	return page, nil
}
