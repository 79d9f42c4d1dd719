package labelcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/tui/label"
	"bincard/tui/widget"
)

// labelTemplatesCommand lists the templates.
func labelTemplatesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "List and show the templates of labels",
		Long: `List the templates of labels: the built-in ones, and those of the company in the
folder labels beside config.toml, which replace built-in ones of the same name.
The exit status is 1 if one has a mistake; the message names the file and the
line.

Fields:
` + fieldTable(),
		Example: "  bincard label templates\n  bincard label templates show 70x40 > ~/.config/bincard/labels/70x40.label",
		Args:    cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listTemplates(cmd, library())
		},
	}

	cmd.AddCommand(&cobra.Command{
		Use:     "show NAME",
		Short:   "Show the text of a template",
		Long:    "Show the text of a template, to copy and change it.",
		Example: "  bincard label templates show 70x40",
		Args:    oneArg("the name of a template"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := library().Find(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), widget.CleanLines(t.Text))
			return err
		},
	})

	return cmd
}

func listTemplates(cmd *cobra.Command, lib label.Library) error {
	names, err := lib.Names()
	if err != nil {
		return err
	}

	mistakes := false
	for _, name := range names {
		t, err := lib.Find(name)
		line := ""
		if err != nil {
			mistakes, line = true, err.Error()
		} else {
			from := t.File
			if t.IsBuiltIn() {
				from = "built in"
			}
			line = fmt.Sprintf("%g × %g mm  %s", t.Width, t.Height, from)
		}

		if err := cli.Say(cmd.OutOrStdout(), "%s  %s", widget.Left(name, 12), line); err != nil {
			return err
		}
	}

	if mistakes {
		return errors.New("not all templates are correct")
	}

	return nil
}

// fieldTable describes the fields of templates.
func fieldTable() string {
	var b strings.Builder
	for _, f := range label.AllFields {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Description)
	}
	return strings.TrimRight(b.String(), "\n")
}
