package store_test

import (
	"testing"

	"bincard/server/store"
	"bincard/server/store/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store { return store.NewMemory() })
}
