package ledger_test

import (
	"testing"

	"bincard/server/ledger"
	"bincard/server/upgrade/storedtypes"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "ledger", ledger.StoredTypes...)
}
