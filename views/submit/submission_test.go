package submit_test

import (
	"testing"

	"bincard/server/api"
	"bincard/views/submit"

	"github.com/stretchr/testify/require"
)

// The submission is a receipt with a damaged share and an over-receipt, then the
// receipt of another line.
func TestSubmissionAdvance_SetsAfter(t *testing.T) {
	t.Parallel()
	p := &submit.Submission{Steps: []submit.Step{{Key: "receipt"}, {Key: "share", DependsOnPrevious: true}, {Key: "extra", DependsOnPrevious: true}, {Key: "other"}, {Key: "other share", DependsOnPrevious: true}}}
	var after []string
	for last := false; !last; {
		after = append(after, p.Steps[p.Next].After)
		var err error
		last, err = p.Advance(&api.Response{})
		require.NoError(t, err)
	}
	require.Equal(t, []string{"", "receipt", "receipt", "", "other"}, after)
}
