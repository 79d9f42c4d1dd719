package edge_test

import (
	"testing"

	"bincard/offline/edge"
	"bincard/server/upgrade/storedtypes"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "devices", []*edge.StoredDevice{})
}
