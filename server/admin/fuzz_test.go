package admin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/admin"
	"bincard/server/archive"
)

// FuzzLines requires that any text yields a result or an error.
func FuzzLines(f *testing.F) {
	f.Add(`{"progress":{"stage":"proving","done":1,"of":2}}` + "\n" + `{"proof":{"records":1}}`)
	f.Add(`{"failure":{"code":"X","message":"m"}}`)
	f.Add("{}\nnull\n[]\n")
	f.Fuzz(func(t *testing.T, text string) {
		proof, err := admin.ReadProgress(t.Context(), strings.NewReader(text), func(archive.Progress) {})
		if err == nil {
			require.NotNil(t, proof)
			return
		}
		require.NotEmpty(t, err.Error())
	})
}
