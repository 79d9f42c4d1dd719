package setup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/setup"
)

func TestIsAutomatic_ByLocationAndProduct(t *testing.T) {
	t.Parallel()
	s, err := setup.Parse("labels.toml", `
[[automatic]]
location = "WH-1"
sku = "oat-*"

[[automatic]]
sku = "TEA/*"

[[automatic]]
location = "WH-2"
`)
	require.NoError(t, err)
	for _, c := range []struct {
		location, sku string
		want          bool
	}{
		{"WH-1", "OAT-1L", true}, {"wh-1", "OAT-2L/B", true}, {"WH-1", "SOY-1L", false}, {"WH-3", "OAT-1L", false},
		{"WH-3", "TEA/GREEN", true}, {"WH-3", "TEA-GREEN", false}, {"WH-2", "ANY", true}, {"", "OAT-1L", false},
	} {
		require.Equal(t, c.want, s.IsAutomatic(c.location, c.sku), c)
	}
	require.False(t, setup.Settings{}.IsAutomatic("WH-1", "OAT-1L"))
}

func TestParse_RejectsAutomaticPattern(t *testing.T) {
	t.Parallel()
	_, err := setup.Parse("labels.toml", "[[automatic]]\nlocation = \"WH-1\"\nsku = \"OAT-[\"\n")
	require.EqualError(t, err, `labels.toml, line 3: sku = "OAT-[" is not a pattern like OAT-*. Correct or remove the file.`)
	_, err = setup.Parse("labels.toml", "[[automatic]]\nplace = \"WH-1\"\n")
	require.ErrorContains(t, err, `unknown setting "place"`)
}
