package dock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/dock"
)

// TestAStepSaysOnWhatItStands goes through a receipt with a damaged share and a
// surplus, and the receipt of another line.
func TestAStepSaysOnWhatItStands(t *testing.T) {
	t.Parallel()
	p := &dock.Submission{Steps: []dock.Step{{Key: "receipt"}, {Key: "share", DependsOnPrevious: true}, {Key: "surplus", DependsOnPrevious: true}, {Key: "other"}, {Key: "its share", DependsOnPrevious: true}}}
	var after []string
	for over := false; !over; {
		after = append(after, p.Steps[p.Next].After)
		var err error
		over, err = p.Advance(&api.Response{})
		require.NoError(t, err)
	}
	require.Equal(t, []string{"", "receipt", "receipt", "", "other"}, after)
}
