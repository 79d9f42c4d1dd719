package dock_test

import (
	"testing"

	"bincard/server/upgrade/storedtypes"
	"bincard/views/dock"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "draft", dock.StoredDraft{})
}
