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
	out, err := exec.Command("go", "list", "-f", `{{join .Deps " "}}`, "bincard/tui/background", "github.com/charmbracelet/bubbletea").Output()
	require.NoError(t, err)
	mine, theirs, _ := strings.Cut(string(out), "\n")

	require.NotEmpty(t, theirs)
	require.Subset(t, strings.Fields(theirs), strings.Fields(mine))
}
