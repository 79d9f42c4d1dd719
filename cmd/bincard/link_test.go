package main

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestTheDemoOpensBesideAnOwnCompany has a machine whose settings name the
// operator's own organization: the demo opens all the same.
func TestTheDemoOpensBesideAnOwnCompany(t *testing.T) {
	t.Parallel()
	l, err := connect(t.Context(), config{demo: true, Data: filepath.Join(t.TempDir(), "demo"), Organization: uuid.NewString()})
	require.NoError(t, err)
	require.Equal(t, "Harbour Goods", l.company)
	require.NoError(t, l.close())
}
