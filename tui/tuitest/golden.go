package tuitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// update reports whether the flag -update is set. The flag is shared with x/exp/golden if a
// test imports both.
var update = updateFlag()

func updateFlag() func() bool {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite the golden files")
	}
	return func() bool { return flag.Lookup("update").Value.String() == "true" }
}

// A Shape is a size of a terminal.
type Shape struct{ Width, Height int }

// Shapes returns the five sizes that every screen is tested in.
func Shapes() []Shape {
	return []Shape{{20, 16}, {40, 8}, {80, 24}, {120, 40}, {200, 60}}
}

// String returns the shape as "80x24".
func (s Shape) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// Fits requires that a view is not wider or taller than s.
func Fits(t testing.TB, view string, s Shape) {
	t.Helper()
	lines := strings.Split(view, "\n")
	require.LessOrEqual(t, len(lines), s.Height, "taller than %s", s)
	for i, line := range lines {
		require.LessOrEqual(t, ansi.StringWidth(line), s.Width, "line %d is wider than %s: %q", i+1, s, line)
	}
}

// Golden requires that a view equals testdata/TEST/NAME.golden, which `go test -update`
// writes. It ignores spaces at line ends.
func Golden(t testing.TB, name, view string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(t.Name()), name+".golden")
	lines := strings.Split(view, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}

	view = strings.Join(lines, "\n") + "\n"
	if update() {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(view), 0o644))
		return
	}

	want, err := os.ReadFile(file)
	require.NoError(t, err, "no golden file: run this test with -update and look at what it wrote")
	require.Equal(t, string(want), view)
}

// goldenShapes are the sizes that have golden files: Narrow and Standard.
var goldenShapes = []Shape{{20, 16}, {80, 24}}

// Goldens requires that the screen fits all five sizes, and compares two of them with
// golden files.
func (d *Driver) Goldens(name string) {
	d.t.Helper()
	for _, s := range Shapes() {
		d.Size(s.Width, s.Height)
		Fits(d.t, d.Painted(), s)
		if slices.Contains(goldenShapes, s) {
			Golden(d.t, name+"-"+s.String(), d.Painted())
		}
	}

	d.Size(80, 24)
}
