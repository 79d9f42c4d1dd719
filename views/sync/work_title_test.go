package sync_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/sync"
)

// A node can keep every write that is not the service's alone, so each has a title.
func TestWorkTitle_EveryOperationHasOne(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec.Writes() && !spec.ServiceOnly {
			require.NotEqual(t, spec.ID, sync.WorkTitle(nil, &api.Work{Operation: spec.ID}), "add %s to operationTitles", spec.ID)
		}
	}
}
