package tui_test

import (
	"testing"

	"bincard/tui"

	"github.com/stretchr/testify/require"
)

func TestClassOf(t *testing.T) {
	t.Parallel()
	for s, want := range map[[2]int]tui.Class{
		{20, 16}: tui.Narrow, {40, 8}: tui.Short, {80, 24}: tui.Standard, {120, 40}: tui.Wide, {200, 60}: tui.Wall,
		{0, 0}: tui.Narrow, {1, 1}: tui.Narrow, {300, 5}: tui.Short, {60, 24}: tui.Narrow, {200, 24}: tui.Standard, {150, 60}: tui.Wide,
	} {
		require.Equal(t, want, tui.ClassOf(s[0], s[1]), s)
	}
}
