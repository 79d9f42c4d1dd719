package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/connect"
)

// helpOf returns the text of 'bincard help' about a command or topic.
func helpOf(t *testing.T, path ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := rootCommand()
	root.SetOut(&out)
	root.SetArgs(append([]string{"help"}, path...))
	require.NoError(t, root.Execute())
	return out.String()
}

func TestHelp_FitsIn80Columns(t *testing.T) {
	t.Parallel()
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		for i, line := range strings.Split(helpOf(t, path...), "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("bincard help %s, line %d is wider than 80 columns:\n%s", strings.Join(path, " "), i+1, line)
			}
		}
		for _, c := range cmd.Commands() {
			if c.Name() != "completion" && c.Name() != "help" {
				check(c)
			}
		}
	}
	check(rootCommand())
}

func TestHelp_GroupsCommandsAndNamesTopics(t *testing.T) {
	t.Parallel()
	text := helpOf(t)
	for _, want := range []string{
		"\nJobs:\n  adjust ", "\nData:\n  backup ", "\nAdministration:\n  key ", "\nService and sync:\n  edge ",
		"\n  bincard help start     Start: ", "\n  bincard help operators Operators: ", "\n  bincard help scanners  Scanners: ",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "Additional Commands")
}

func TestHelp_OmitsDefaultsOfThisMachine(t *testing.T) {
	t.Setenv("BINCARD_DATA", "/somewhere/private")
	t.Setenv("BINCARD_ORG", "private-id")
	t.Setenv("BINCARD_URL", "https://private.example.com")
	t.Setenv("BINCARD_KEY_FILE", "/private/key")
	for _, command := range []string{"edge", "edge key create", "ssh", "serve", "key list", "adjust"} {
		text := helpOf(t, strings.Fields(command)...)
		require.NotRegexp(t, `private|default \[\]|default "/`, text, command)
		if command == "edge" {
			require.NotContains(t, text, `(default "`+connect.MachineLabel()+`")`)
		}
	}
}

// A topic does not take the name of a screen: 'bincard scanner' opens the screen.
func TestHelp_TopicInTheSingular(t *testing.T) {
	t.Parallel()
	require.Equal(t, helpOf(t, "scanners"), helpOf(t, "scanner"))
	cmd, args, err := rootCommand().Find([]string{"scanner"})
	require.NoError(t, err)
	require.Equal(t, "bincard", cmd.Name())
	require.Equal(t, []string{"scanner"}, args)
}

// The command that syncs had the name try.
func TestOutbox_KeepsItsOldNames(t *testing.T) {
	t.Parallel()
	for old, now := range map[string]string{"try": "sync", "drop": "discard KEY --reason TEXT | --all"} {
		cmd, _, err := rootCommand().Find([]string{"outbox", old})
		require.NoError(t, err)
		require.Equal(t, now, cmd.Use)
	}
	require.NotRegexp(t, `\b(try|drop)\b`, helpOf(t, "outbox"))
}
