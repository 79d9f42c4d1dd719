package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	var c config
	require.NoError(t, c.decode(newer))
	c.URL = "https://other.example.com"
	var saved bytes.Buffer
	require.NoError(t, c.encode(&saved))
	var again config
	require.NoError(t, again.decode(saved.String()))
	require.Equal(t, c, again)
	require.Equal(t, "de", again.unknown["region"])
	require.Equal(t, map[string]any{"address": "tcp://10.0.0.9:9100"}, again.unknown["printer"])
	require.Equal(t, "de", again.Operators[0].Unknown["shift"])
	require.Empty(t, again.Operators[1].Unknown)
}

func TestConfig_ReadsTheOldNameOfTheLocation(t *testing.T) {
	t.Parallel()
	var c config
	require.NoError(t, c.decode("place = \"WH-1\"\n"))
	require.Equal(t, "WH-1", c.Location)
	require.Empty(t, c.unknown)
	var saved bytes.Buffer
	require.NoError(t, c.encode(&saved))
	require.True(t, strings.HasPrefix(saved.String(), "location = \"WH-1\"\n"), saved.String())
	require.NoError(t, c.decode("place = \"WH-1\"\nlocation = \"WH-2\"\n"))
	require.Equal(t, "WH-2", c.Location)
}

func TestConfig_KeepsOrderOfKnownSettings(t *testing.T) {
	t.Parallel()
	const text = "url = \"https://stock.example.com\"\noperator = \"Ada\"\n"
	var c config
	require.NoError(t, c.decode(text))
	var saved bytes.Buffer
	require.NoError(t, c.encode(&saved))
	require.True(t, strings.HasPrefix(saved.String(), text), saved.String())
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "settings", config{})
}
