package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestPage_Write(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "stock", Short: "Count stock", Long: "Count stock.\n\n  stock count\n\n.hidden \\ line", Example: "  stock count --by Ada"}
	count := &cobra.Command{Use: "count FILE", Short: "Count", RunE: func(*cobra.Command, []string) error { return nil }}
	count.Flags().StringP("by", "b", "Ada", "who counts")
	count.Flags().String("data", "/private", "the data directory")
	count.Flags().StringArray("shelf", nil, "a shelf")
	count.Flags().Bool("secret", false, "hidden")
	require.NoError(t, count.Flags().MarkHidden("secret"))
	root.AddCommand(count, &cobra.Command{Use: "old", Hidden: true, Run: func(*cobra.Command, []string) {}})
	var text strings.Builder
	page := manPage{Version: "1.2", Environment: []manPageEntry{{"STOCK_BY", "who counts"}}, Files: []manPageEntry{{"~/stock", "the data"}},
		ExitStatus: "0 on success."}
	hideDefaults(root)
	require.NoError(t, page.Write(&text, root))
	got := text.String()
	for _, want := range []string{
		".TH STOCK 1 \"\" \"stock 1.2\" \"Stock\"\n", "stock \\- Count stock\n", ".nf\n  stock count\n.fi", "\n\\&.hidden \\e line\n",
		".SS stock count FILE [flags]\n.PP\nCount.\n", ".TP\n.B \\-b, \\-\\-by string\nwho counts (default Ada)\n",
		".TP\n.B \\-\\-data string\nthe data directory\n", ".TP\n.B STOCK_BY\nwho counts\n", ".TP\n.I ~/stock\nthe data\n",
		".SH EXIT STATUS\n.PP\n0 on success.\n", ".SS stock completion bash|fish|powershell|zsh\n",
	} {
		require.Contains(t, got, want)
	}
	require.NotContains(t, got, "[]")
	require.NotContains(t, got, "secret")
	require.NotContains(t, got, "/private")
	require.NotContains(t, got, "old")
}
