package config_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/config"
	"bincard/server/upgrade/storedtypes"
)

func TestConfig_NewerSettingsSurviveSave(t *testing.T) {
	t.Parallel()
	const newer = `
url = "https://stock.example.com"
region = "de"

[printer]
address = "tcp://10.0.0.9:9100"

[[operators]]
name = "Ada"
shift = "de"

[[operators]]
name = "Ben"
`
	var c config.Settings
	require.NoError(t, c.Decode(newer))
	c.URL = "https://other.example.com"
	var saved bytes.Buffer
	require.NoError(t, c.Encode(&saved))
	var again config.Settings
	require.NoError(t, again.Decode(saved.String()))
	require.Equal(t, c, again)
	require.Contains(t, saved.String(), "region = \"de\"\n")
	require.Contains(t, saved.String(), "[printer]\n  address = \"tcp://10.0.0.9:9100\"\n")
	require.Equal(t, "de", again.Operators[0].Unknown["shift"])
	require.Empty(t, again.Operators[1].Unknown)
}

func TestConfig_ReadsTheOldNameOfTheLocation(t *testing.T) {
	t.Parallel()
	var c config.Settings
	require.NoError(t, c.Decode("place = \"WH-1\"\n"))
	require.Equal(t, "WH-1", c.Location)
	var saved bytes.Buffer
	require.NoError(t, c.Encode(&saved))
	require.True(t, strings.HasPrefix(saved.String(), "location = \"WH-1\"\n"), saved.String())
	require.NoError(t, c.Decode("place = \"WH-1\"\nlocation = \"WH-2\"\n"))
	require.Equal(t, "WH-2", c.Location)
}

func TestConfig_KeepsOrderOfKnownSettings(t *testing.T) {
	t.Parallel()
	const text = "url = \"https://stock.example.com\"\noperator = \"Ada\"\n"
	var c config.Settings
	require.NoError(t, c.Decode(text))
	var saved bytes.Buffer
	require.NoError(t, c.Encode(&saved))
	require.True(t, strings.HasPrefix(saved.String(), text), saved.String())
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "settings", config.Settings{})
}
