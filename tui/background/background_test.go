package background_test

import (
	"os/exec"
	"strings"
	"testing"

	_ "bincard/tui/background"

	"github.com/charmbracelet/lipgloss"
	"github.com/stretchr/testify/require"
)

func TestBackground_IsSetBeforeBubbleTea(t *testing.T) {
	t.Parallel()
	require.True(t, lipgloss.HasDarkBackground())
	require.Less(t, "bincard/tui/background", "github.com/charmbracelet/bubbletea", "packages are initialized in this order")
}

func TestBackground_ImportsNothingThatBubbleTeaDoesNot(t *testing.T) {
	t.Parallel()
	mine, theirs := deps(t, "bincard/tui/background"), deps(t, "github.com/charmbracelet/bubbletea")
	for _, p := range mine {
		if p != "bincard/tui/background" {
			require.Contains(t, theirs, p)
		}
	}
}

func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}
