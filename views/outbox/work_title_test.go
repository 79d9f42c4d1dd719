package outbox_test

import (
	"testing"

	"bincard/server/api"
	"bincard/views/outbox"

	"github.com/stretchr/testify/require"
)

// A node can queue every write that is not ServiceOnly, so each needs a title.
func TestWorkTitle_EveryOperationHasOne(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec.Writes() && !spec.ServiceOnly {
			require.NotEqual(t, spec.ID, outbox.WorkTitle(nil, &api.Work{Operation: spec.ID}), "add %s to operationTitles", spec.ID)
		}
	}
}
