package panel_test

import (
	"testing"

	"bincard/server/upgrade/storedtypes"
	"bincard/views/panel"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "draft", panel.StoredDraft{})
}
