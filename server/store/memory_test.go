package store_test

import (
	"testing"

	"bincard/server/store"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, testenv.Property, func(*testing.T) store.Store { return store.NewMemory() })
}
