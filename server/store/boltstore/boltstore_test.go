package boltstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, func(t *testing.T, dir string) store.Store { return open(t, dir) })
}

func open(t testing.TB, dir string) *boltstore.Store {
	t.Helper()
	s, err := boltstore.Open(dir, boltstore.Options{})
	require.NoError(t, err)
	return s
}
