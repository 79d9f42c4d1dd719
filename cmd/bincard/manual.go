package main

import (
	"io"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/manpage"
	"bincard/views/export"
)

// manualCommand writes the manual page.
func manualCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "manual",
		Short: "Write the manual page",
		Long:  `Write the manual page of bincard and all its commands in man format.`,
		Example: `  bincard manual | man -l -
  bincard manual -o /usr/local/share/man/man1/bincard.1`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := func(w io.Writer) error { return manualPage().Write(w, cmd.Root()) }
			if out == "" {
				return write(cmd.OutOrStdout())
			}
			return export.WriteFile(english, out, 0o644, write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the file to write; standard output if omitted")
	return cmd
}

// manualPage returns the parts of the manual page that the commands do not contain.
func manualPage() manpage.Page {
	return manpage.Page{Version: version, Environment: environmentVars, Files: fileList, PersonalFlags: []string{"data", "org"},
		ExitStatus: "0 on success, 1 on failure, 2 for incorrect usage."}
}

// environmentVars describes the environment variables that the program reads.
var environmentVars = []manpage.Entry{
	{"BINCARD_DATA", "the data directory; --data overrides it"},
	{"BINCARD_URL", "the service's URL"},
	{"BINCARD_ORG", "the organization's ID; --org overrides it"},
	{"BINCARD_KEY", "the service's API key; there is no flag for it"},
	{"BINCARD_ENV", "live or test, for a local ledger"},
	{"BINCARD_LOCATION", "the code of the terminal's location"},
	{"BINCARD_OPERATOR", "the operator's name"},
	{"BINCARD_THEME", "dark, light, high-contrast, color-blind or mono"},
}

// fileList describes the files that the program uses.
var fileList = []manpage.Entry{
	{"$XDG_CONFIG_HOME/bincard/config.toml", "the settings; flags and the environment override them"},
	{"$XDG_CONFIG_HOME/bincard/messages", "the company's own messages, a catalog per language; see bincard words"},
	{"$XDG_DATA_HOME/bincard", "the local ledger and the demo, if no data directory is set"},
	{"$XDG_STATE_HOME/bincard", "the terminal's log, drafts and sessions"},
}
