package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
			write := func(w io.Writer) error { return manual(w, cmd.Root()) }
			if out == "" {
				return write(cmd.OutOrStdout())
			}
			return export.WriteFile(english, out, 0o644, write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the file to write; standard output if omitted")
	return cmd
}

// A page is a manual page under way.
type page struct{ strings.Builder }

// manual writes the page of a command and all below it.
func manual(w io.Writer, root *cobra.Command) error {
	root.InitDefaultCompletionCmd()
	var p page
	fmt.Fprintf(&p, ".TH BINCARD 1 \"\" \"bincard %s\" \"Bincard\"\n", roff(version))
	p.WriteString(".ad l\n")
	p.section("NAME")
	fmt.Fprintf(&p, "bincard \\- %s\n", roff(root.Short))
	p.section("SYNOPSIS")
	p.usages(root)
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.section("OPTIONS")
	p.flags(root)
	p.section("COMMANDS")
	p.commands(root)
	p.section("ENVIRONMENT")
	for _, v := range environmentVars {
		fmt.Fprintf(&p, ".TP\n.B %s\n%s\n", v[0], roff(v[1]))
	}
	p.section("FILES")
	for _, v := range fileList {
		fmt.Fprintf(&p, ".TP\n.I %s\n%s\n", roff(v[0]), roff(v[1]))
	}
	p.section("EXIT STATUS")
	p.text("0 on success, 1 on failure, 2 for incorrect usage.")
	p.section("EXAMPLES")
	p.example(root.Example)
	_, err := io.WriteString(w, p.String())
	return err
}

// environmentVars are the variables that stand in for flags and settings.
var environmentVars = [][2]string{
	{"BINCARD_DATA", "the data directory; --data overrides it"},
	{"BINCARD_URL", "the service's URL"},
	{"BINCARD_ORG", "the organization's ID; --org overrides it"},
	{"BINCARD_KEY", "the service's API key; there is no flag for it"},
	{"BINCARD_ENV", "live or test, for a local ledger"},
	{"BINCARD_PLACE", "the code of the terminal's location"},
	{"BINCARD_OPERATOR", "the operator's name"},
	{"BINCARD_THEME", "dark, light, high-contrast, colour-blind or mono"},
}

var fileList = [][2]string{
	{"$XDG_CONFIG_HOME/bincard/config.toml", "the settings; flags and the environment override them"},
	{"$XDG_CONFIG_HOME/bincard/messages", "the company's own messages, a catalog per language; see bincard words"},
	{"$XDG_DATA_HOME/bincard", "the local ledger and the demo, if no data directory is set"},
	{"$XDG_STATE_HOME/bincard", "the terminal's log, drafts and sessions"},
}

func (p *page) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

// usages lists how each command is called.
func (p *page) usages(cmd *cobra.Command) {
	if cmd.Runnable() && (!cmd.HasParent() || cmd.Name() != "help") {
		fmt.Fprintf(p, ".B %s\n.br\n", roff(cmd.UseLine()))
	}
	for _, c := range visibleCommands(cmd) {
		if c.Name() != "completion" {
			p.usages(c)
		}
	}
}

// commands describes the subcommands of a command.
func (p *page) commands(cmd *cobra.Command) {
	for _, c := range visibleCommands(cmd) {
		if c.Runnable() && cmd.Name() != "completion" {
			fmt.Fprintf(p, ".SS %s\n", roff(c.UseLine()))
			text := c.Long
			if text == "" {
				text = c.Short + "."
			}
			p.text(text)
			p.flags(c)
			p.example(c.Example)
		}
		if c.Name() == "completion" {
			p.completion(c)
			continue
		}
		p.commands(c)
	}
}

func (p *page) completion(cmd *cobra.Command) {
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	fmt.Fprintf(p, ".SS %s\n", roff(cmd.CommandPath()+" "+strings.Join(shells, "|")))
	p.text("Write a completion script for that shell; 'bincard completion SHELL --help' shows how to load it.")
}

func visibleCommands(cmd *cobra.Command) (list []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			list = append(list, c)
		}
	}
	return list
}

// flagName is where the usage of a flag begins.
var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)

// flags lists the flags of a command.
func (p *page) flags(cmd *cobra.Command) {
	for _, found := range flagName.FindAllStringSubmatch(cmd.NonInheritedFlags().FlagUsages(), -1) {
		f := cmd.Flag(found[1])
		if f.Name == "help" {
			continue
		}
		name, usage := "--"+f.Name, f.Usage
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if kind := f.Value.Type(); kind != "bool" {
			name += " " + kind
		}
		fmt.Fprintf(p, ".TP\n.B %s\n", roff(name))
		if !slices.Contains([]string{"", "false", "0", "0s"}, f.DefValue) && !personalFlags[f.Name] {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(p, "%s\n", roff(usage))
	}
}

// personalFlags flags have defaults from the environment of whoever makes the page,
// which are no part of it.
var personalFlags = map[string]bool{"data": true, "org": true}

// text writes paragraphs; indented lines stay as they are.
func (p *page) text(text string) {
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(paragraph, " ") {
			p.example(paragraph)
			continue
		}
		fmt.Fprintf(p, ".PP\n%s\n", roff(paragraph))
	}
}

func (p *page) example(text string) {
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(p, ".PP\n.nf\n%s\n.fi\n", roff(strings.TrimRight(text, "\n")))
	}
}

// roff is text as it stands, for roff: no line is taken for a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
