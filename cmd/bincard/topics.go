package main

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed topics
var topicFiles embed.FS

// topicCommands returns the texts of 'bincard help TOPIC'. The first line of a text is
// its title.
func topicCommands() (topics []*cobra.Command) {
	files, _ := fs.Glob(topicFiles, "topics/*.txt")
	for _, name := range files {
		text, err := topicFiles.ReadFile(name)
		if err != nil {
			panic(err) // embedded, so it exists
		}
		title, _, _ := strings.Cut(string(text), "\n")
		topics = append(topics, &cobra.Command{Use: strings.TrimSuffix(strings.TrimPrefix(name, "topics/"), ".txt"), Short: title,
			Long: strings.TrimSpace(string(text))})
	}
	return topics
}
