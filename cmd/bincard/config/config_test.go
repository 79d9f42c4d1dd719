package config_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/config"
	"bincard/server/api/role"
	"bincard/server/upgrade"
	"bincard/views/session"
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

func TestConfig_Roles(t *testing.T) {
	t.Parallel()
	const text = "operator = \"Ada\"\n\n[roles]\n  [roles.worker]\n    adjust = \"5 or 2%\"\n    cancel = \"allow\"\n"
	var c config.Settings
	require.NoError(t, c.Decode(text))
	require.Equal(t, role.Rules{role.MayAdjust: "5 or 2%", role.MayCancel: "allow"}, c.Roles.Worker)
	var saved bytes.Buffer
	require.NoError(t, c.Encode(&saved))
	require.Contains(t, saved.String(), text[len("operator = \"Ada\"\n"):])
}

func TestConfig_RoleMistakesNameTheLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"role":       {"url = \"x\"\n\n[roles.lead]\nadjust = \"allow\"\n", `line 3: unknown role "lead": only the role worker can be changed`},
		"supervisor": {"[roles.supervisor]\nadjust = \"approve\"\n", `line 1: unknown role "supervisor": only the role worker can be changed; a supervisor may do everything`},
		"action":     {"[roles.worker]\n# fly is not known\ncancel = \"allow\"\nfly = \"allow\"\n", `line 4: unknown action "fly" of the role worker: see 'bincard help operators'`},
		"dotted":     {"silent = true\nroles.worker.fly = \"allow\"\n", `line 2: unknown action "fly"`},
		"rule":       {"[roles.worker]\n\nadjust = \"never\"\n", `line 3: the rule "never" is unknown: use "allow", "approve" or a limit`},
		"limit":      {"[roles.worker]\ncancel = \"10\"\n", `line 2: cancel has no quantity: use "allow" or "approve"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s config.Settings
			require.ErrorContains(t, s.Decode(c.text), c.problem)
		})
	}
}

func TestConfig_Counts(t *testing.T) {
	t.Parallel()
	require.Equal(t, session.LargeDifference{Pieces: 10, Percent: 10}, *config.Settings{}.Counts.LargeDifference())
	const text = "[counts]\n  large_pieces = 0\n"
	var c config.Settings
	require.NoError(t, c.Decode(text))
	require.Equal(t, session.LargeDifference{Percent: 10}, *c.Counts.LargeDifference())
	var saved bytes.Buffer
	require.NoError(t, c.Encode(&saved))
	require.Contains(t, saved.String(), text)
}

func TestConfig_CountMistakesNameTheLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"key":     {"url = \"x\"\n[counts]\nlarge = 3\n", `line 3: unknown setting "large" of [counts]: use large_pieces or large_percent`},
		"pieces":  {"[counts]\n\nlarge_pieces = -1\n", "line 3: large_pieces = -1 is out of range: use a number from 0 to 1000000000"},
		"percent": {"[counts]\nlarge_percent = 101\n", "line 2: large_percent = 101 is out of range: use a number from 0 to 100"},
		"dotted":  {"silent = true\ncounts.large_percent = -5\n", "line 2: large_percent = -5"},
		"text":    {"[counts]\nlarge_pieces = \"ten\"\n", "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s config.Settings
			require.ErrorContains(t, s.Decode(c.text), c.problem)
		})
	}
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	upgrade.CheckStoredTypes(t, "settings", config.Settings{})
}
