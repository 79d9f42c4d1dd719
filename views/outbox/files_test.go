package outbox_test

import (
	"strings"
	"testing"

	"bincard/server/api"
	"bincard/views/outbox"

	"github.com/stretchr/testify/require"
)

func TestImportFile_SplitsLargeFile(t *testing.T) {
	t.Parallel()
	item := api.Metadata(`"` + strings.Repeat("x", 200<<10) + `"`)
	in := &api.ImportWorkInput{Format: 1, Items: []api.Metadata{item, item, item, item, item}}
	var parts []int
	got, err := outbox.ImportFile(in, func(part api.ImportWorkInput) (api.Imported, error) {
		require.EqualValues(t, 1, part.Format)
		parts = append(parts, len(part.Items))
		return api.Imported{Taken: int64(len(part.Items))}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{2, 2, 1}, parts)
	require.EqualValues(t, 5, got.Taken)
}
