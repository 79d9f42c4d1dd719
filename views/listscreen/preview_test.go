package listscreen_test

import (
	"fmt"
	"strings"
	"testing"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"

	"github.com/stretchr/testify/require"
)

func TestNotes_TextsAndNumbersByName(t *testing.T) {
	t.Parallel()
	require.Equal(t, []listscreen.PreviewFact{{Label: "dock", Text: "7"}, {Label: "note", Text: "Call the driver"}},
		listscreen.PreviewNotes(api.Metadata(`{"note":" Call the driver ","dock":7,"empty":"","nested":{"a":1},"none":null}`)))
	require.Len(t, listscreen.PreviewNotes(api.Metadata(`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}`)), 5)
	for _, none := range []string{"", "null", "[1]", `"text"`, "{"} {
		require.Empty(t, listscreen.PreviewNotes(api.Metadata(none)), none)
	}
}

func TestView_FitsAnyRoom(t *testing.T) {
	t.Parallel()
	doc := listscreen.Preview{Title: "PO-1 " + strings.Repeat("long ", 40), Numbers: []string{"expected", "to go"},
		Facts: []listscreen.PreviewFact{{Label: "a label that is too long for its column", Text: strings.Repeat("text ", 40)}, {Label: "empty"}, {Label: "line\nbreak", Text: "\x1b[31mred\nnext", Warn: true}}}
	for i := range 30 {
		doc.Lines = append(doc.Lines, listscreen.PreviewLine{ID: api.ID{byte(i)}, SKU: fmt.Sprintf("SKU-%d", i), Name: strings.Repeat("name ", 20),
			Lot: "L42-A × 6, L43-B × 6, L44-C × 1", Numbers: []int64{1_000_000_000, int64(i)}})
	}
	for width := range 90 {
		for height := range 45 {
			lines := doc.View(nil, widget.PlainTheme(), width, height)
			require.LessOrEqual(t, len(lines), height)
			for _, line := range lines {
				require.LessOrEqual(t, widget.Width(line), width, "%d x %d: %q", width, height, line)
			}
		}
	}
	require.Contains(t, strings.Join(doc.View(nil, widget.PlainTheme(), 80, 20), "\n"), "↓", "more lines follow")
}

func TestView_OneLineHasTitles(t *testing.T) {
	t.Parallel()
	doc := listscreen.Preview{Title: "PO-1", Numbers: []string{"expected"}, Lines: []listscreen.PreviewLine{{SKU: "OAT-1L", Numbers: []int64{12}}}}
	lines := doc.View(nil, widget.PlainTheme(), 60, 20)
	require.Len(t, lines, 4)
	require.Contains(t, lines[2], "expected")
	require.Contains(t, lines[3], "OAT-1L")
}

func TestWidth_LargeScreensOnly(t *testing.T) {
	t.Parallel()
	for class, want := range map[tui.Class]int{tui.Narrow: 0, tui.Short: 0, tui.Standard: 0, tui.Wide: 48, tui.Wall: 48} {
		require.Equal(t, want, listscreen.PreviewWidth(tui.Size{Class: class, Width: 120, Height: 40}), class)
	}
}
