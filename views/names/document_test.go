package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/names"
)

func TestDetail_EveryDetailHasALabel(t *testing.T) {
	t.Parallel()
	for _, detail := range new(api.InboundDetails).Details() {
		require.NotEmpty(t, names.Detail(nil, detail.Name), detail.Name)
	}
	require.Empty(t, names.Detail(nil, "unknown"))
}
