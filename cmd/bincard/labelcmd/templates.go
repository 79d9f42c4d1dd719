package labelcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui/label"
	"bincard/tui/label/layout"
	"bincard/tui/widget"
)

// labelTemplatesCommand lists the templates.
func labelTemplatesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "List and show the templates of labels",
		Long: `List the templates of labels: the built-in ones, and those of the company in the folder
labels beside config.toml, which replace built-in ones of the same name. The exit
status is 1 if one has a mistake; the message names the file and the line.

Fields:
` + fieldTable(),
		Example: "  bincard label templates\n  bincard label templates show 70x40 > ~/.config/bincard/labels/70x40.label",
		Args:    cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listTemplates(cmd, layout.Library{Dir: config.LabelTemplatesDir()})
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "show NAME",
		Short:   "Show the text of a template",
		Long:    "Show the text of a template, to copy and change it.",
		Example: "  bincard label templates show 70x40",
		Args:    cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs the name of a template", cmd.CommandPath())
			}
			t, err := layout.Library{Dir: config.LabelTemplatesDir()}.Find(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), widget.CleanLines(t.Text))
			return err
		},
	})
	return cmd
}

func listTemplates(cmd *cobra.Command, lib layout.Library) error {
	names, err := lib.Names()
	if err != nil {
		return err
	}
	mistakes := false
	for _, name := range names {
		t, err := lib.Find(name)
		line := ""
		switch {
		case err != nil:
			mistakes = true
			line = fmt.Sprintf("%s  %v", widget.Left(name, 12), err)
		case t.IsBuiltIn():
			line = fmt.Sprintf("%s  %g × %g mm  built in", widget.Left(name, 12), t.Width, t.Height)
		default:
			line = fmt.Sprintf("%s  %g × %g mm  %s", widget.Left(name, 12), t.Width, t.Height, t.File)
		}
		if err := cli.Say(cmd.OutOrStdout(), "%s", line); err != nil {
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
