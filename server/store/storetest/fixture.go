package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

var ctx = context.Background()

// partition returns a new partition.
func partition() store.Partition {
	return store.Partition{Organization: uuid.New(), Environment: "live"}
}

// put writes key-value pairs to table "t".
func put(t testing.TB, s store.Store, p store.Partition, pairs ...string) {
	t.Helper()
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := tx.Put("t", []byte(pairs[i]), []byte(pairs[i+1])); err != nil {
				return err
			}
		}

		return nil
	}))
}

// get returns the value of a key in table "t", or "none".
func get(t testing.TB, s store.Store, p store.Partition, key string) string {
	t.Helper()
	var value string
	require.NoError(t, s.View(ctx, p, func(r store.Reader) (err error) {
		value, err = read(r, key)
		return err
	}))
	return value
}

func read(r store.Reader, key string) (string, error) {
	value, err := r.Get("t", []byte(key))
	if value == nil {
		return "none", err
	}
	return string(value), err
}

// list formats a range of table "t".
func list(r store.Reader, rng store.Range) ([]string, error) {
	rows := []string{}
	err := r.Scan("t", rng, func(key, value []byte) error {
		rows = append(rows, fmt.Sprintf("%s=%s", key, value))
		return nil
	})
	return rows, err
}

// rows lists all of table "t".
func rows(t testing.TB, s store.Store, p store.Partition) []string {
	t.Helper()
	var all []string
	require.NoError(t, s.View(ctx, p, func(r store.Reader) (err error) {
		all, err = list(r, store.Range{})
		return err
	}))
	return all
}
