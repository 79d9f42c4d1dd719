package store_test

import (
	"testing"

	"bincard/server/budget"
	"bincard/server/store"
	"bincard/server/store/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, budget.Property, func(*testing.T) store.Store { return store.NewMemory() })
}
