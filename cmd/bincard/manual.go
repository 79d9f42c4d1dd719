package main

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui/i18n"
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
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := func(w io.Writer) error { return manualPage().Write(w, cmd.Root()) }
			if out == "" {
				return write(cmd.OutOrStdout())
			}
			return export.WriteFile(cli.English, out, 0o644, write)
		},
	}

	cmd.Flags().StringVarP(&out, "out", "o", "", "the file to write; standard output if omitted")

	return cmd
}

// manualPage returns the parts of the manual page that the commands do not contain.
func manualPage() manPage {
	return manPage{
		Version:     cli.Version,
		Environment: environmentVars,
		Files:       fileList,
		ExitStatus:  "0 on success, 1 on failure, 2 for incorrect usage, 3 if the service, or the program that has the ledger open, cannot be reached.",
	}
}

// environmentVars describes the environment variables that the program reads.
var environmentVars = []manPageEntry{
	{"BINCARD_DATA", "the data directory; --data overrides it"},
	{
		"BINCARD_STORE",
		"the URL of a PostgreSQL database with the ledger, instead of a data directory; it may have the password. --store and --data override it",
	},
	{"PGPASSWORD, PGPASSFILE", "the password of the database, or a file with it (~/.pgpass), if the URL has none"},
	{"BINCARD_URL", "the service's URL"},
	{"BINCARD_ORG", "the organization's ID; --org overrides it"},
	{"BINCARD_KEY", "the service's API key; there is no flag for it"},
	{"BINCARD_KEY_FILE", "a file with the API key, instead of BINCARD_KEY; --key-file overrides it"},
	{
		"BINCARD_ALLOW_PLAIN",
		"true allows an http URL of another machine, although the network can then read the API key",
	},
	{"BINCARD_MIRROR", "a directory on another disk for a second copy of the offline work"},
	{"BINCARD_ENV", "live or test, for a local ledger"},
	{"BINCARD_LOCATION", "the code of the terminal's location"},
	{"BINCARD_OPERATOR", "the operator's name"},
	{"BINCARD_THEME", "dark, light, high-contrast, color-blind or mono"},
}

// fileList describes the files that the program uses.
var fileList = []manPageEntry{
	{"$XDG_CONFIG_HOME/bincard/config.toml", "the settings; flags and the environment override them"},
	{"$XDG_CONFIG_HOME/bincard/messages", "the company's own messages, a catalog per language; see bincard words"},
	{"$XDG_CONFIG_HOME/bincard/labels.toml", "the label printers; see bincard help labels"},
	{"$XDG_CONFIG_HOME/bincard/labels", "the company's own label templates; see bincard label templates"},
	{"$XDG_DATA_HOME/bincard/labels", "the labels to print, and the numbers of pallets"},
	{"$XDG_DATA_HOME/bincard", "the local ledger and the demo, if no data directory is set"},
	{"$XDG_STATE_HOME/bincard", "the terminal's log, drafts and sessions"},
}

// hideDefaults leaves defaults that come from this machine or its environment out of the help
// and the manual page.
func hideDefaults(cmd *cobra.Command) {
	for _, name := range []string{"data", "env", "host-key", "key-file", "label", "org", "upstream"} {
		if f := cmd.Flags().Lookup(name); f != nil {
			f.DefValue = ""
		}
	}

	for _, c := range cmd.Commands() {
		hideDefaults(c)
	}
}

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
		topics = append(
			topics,
			&cobra.Command{Use: strings.TrimSuffix(strings.TrimPrefix(name, "topics/"), ".txt"), Short: title,
				Long: strings.TrimSpace(string(text))},
		)
	}

	return topics
}

// wordsCommand prints all messages of the terminal for translation.
func wordsCommand() *cobra.Command {
	var check bool
	var language string
	cmd := &cobra.Command{
		Use:   "words",
		Short: "Print all messages of the terminal for translation",
		Long: `Print all messages of the terminal as a catalog of GNU gettext (PO).

To change messages, put a catalog with the changed ones in the folder messages
beside config.toml: messages/en.po changes English, messages/de.po German, and
messages/fr.po adds French: write its name into the header X-Language-Name, and
its rule for plural forms into Plural-Forms. Keep placeholders such as %s and
{pending}; if their order changes, number them (%[2]s %[1]s). The message
2006-01-02 is the form of dates: 02.01.2006, 02/01/2006. Messages with msgctxt
"error" are errors of the service and the scanner, and words in them. The
language of a terminal is set in its settings; "language" of an operator in
config.toml has precedence.

--check reports the errors in these catalogs; the exit status is 1 if there are
any.`,
		Example: `  bincard words > fr.po
  bincard words --language de | grep -A1 Receive
  bincard words --check`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			languages, notes := config.Languages()
			if check {
				for _, n := range notes {
					fmt.Fprintln(cmd.OutOrStdout(), n)
				}
				if len(notes) > 0 {
					return fmt.Errorf("%d messages in %s are ignored", len(notes), config.MessagesDir())
				}
				return nil
			}

			if language == "" {
				fmt.Fprint(cmd.OutOrStdout(), i18n.Template())
				return nil
			}

			l, ok := languages.Find(language)
			if !ok {
				return &cli.UsageError{
					Err: fmt.Errorf("unknown language %q: use one of %s", language,
						strings.Join(languages.Codes(), ", ")),
				}
			}

			return l.Write(cmd.OutOrStdout())
		},
	}

	cmd.Flags().BoolVar(&check, "check", false, "report errors in the company's catalogs")
	cmd.Flags().StringVar(&language, "language", "", "print the messages in a language: "+`"de"`)

	return cmd
}
