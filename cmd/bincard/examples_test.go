package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command lines in the examples have only flags that exist.
func TestExamples_FlagsExist(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile(`(?m)/bincard (serve .*)$`)
	found := 0
	for _, name := range []string{"bincard.service", "compose.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", ".examples", name))
		require.NoError(t, err)
		for _, line := range commands.FindAllStringSubmatch(string(text), -1) {
			found++
			cmd, args, err := rootCommand().Find(strings.Fields(line[1]))
			require.NoError(t, err)
			require.NoError(t, cmd.ParseFlags(args), line[1])
			require.Empty(t, cmd.Flags().Args(), line[1])
		}
	}
	require.Equal(t, 2, found)
}
