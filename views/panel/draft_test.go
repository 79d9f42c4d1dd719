package panel_test

import (
	"testing"

	"bincard/server/upgrade"
	"bincard/views/panel"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	upgrade.CheckStoredTypes(t, "draft", panel.StoredDraft{})
}
