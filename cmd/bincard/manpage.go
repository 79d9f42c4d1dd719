package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// An manPageEntry is a name and its description.
type manPageEntry [2]string

// A manPage holds the parts of the page that the commands do not contain.
type manPage struct {
	Version     string
	Environment []manPageEntry
	Files       []manPageEntry
	ExitStatus  string
}

// Write writes the page of root and all its subcommands.
func (x manPage) Write(w io.Writer, root *cobra.Command) error {
	root.InitDefaultCompletionCmd()
	var p manPageWriter
	name := root.Name()
	fmt.Fprintf(&p, ".TH %s 1 \"\" \"%s %s\" \"%s\"\n", strings.ToUpper(name), name, roff(x.Version),
		strings.ToUpper(name[:1])+name[1:])
	p.WriteString(".ad l\n")
	p.section("NAME")
	fmt.Fprintf(&p, "%s \\- %s\n", name, roff(root.Short))
	p.section("SYNOPSIS")
	p.usages(root)
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.section("OPTIONS")
	p.flags(root)
	p.section("COMMANDS")
	p.commands(root)
	p.section("ENVIRONMENT")
	for _, v := range x.Environment {
		fmt.Fprintf(&p, ".TP\n.B %s\n%s\n", v[0], roff(v[1]))
	}

	p.section("FILES")
	for _, v := range x.Files {
		fmt.Fprintf(&p, ".TP\n.I %s\n%s\n", roff(v[0]), roff(v[1]))
	}

	p.section("EXIT STATUS")
	p.text(x.ExitStatus)
	p.section("EXAMPLES")
	p.example(root.Example)
	_, err := io.WriteString(w, p.String())

	return err
}

// A manPageWriter is a manual page under construction.
type manPageWriter struct {
	strings.Builder
}

func (p *manPageWriter) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

// usages writes the usage line of cmd and of each command below it.
func (p *manPageWriter) usages(cmd *cobra.Command) {
	if cmd.Runnable() && (!cmd.HasParent() || cmd.Name() != "help") {
		fmt.Fprintf(p, ".B %s\n.br\n", roff(cmd.UseLine()))
	}
	for _, c := range visibleCommands(cmd) {
		if c.Name() != "completion" {
			p.usages(c)
		}
	}
}

// commands writes a subsection for each command below cmd.
func (p *manPageWriter) commands(cmd *cobra.Command) {
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

func (p *manPageWriter) completion(cmd *cobra.Command) {
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

// flagName matches the name of a flag in the usage text of a flag set.
var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)

// flags writes the flags of cmd.
func (p *manPageWriter) flags(cmd *cobra.Command) {
	for _, match := range flagName.FindAllStringSubmatch(cmd.NonInheritedFlags().FlagUsages(), -1) {
		f := cmd.Flag(match[1])
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
		if !slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}

		fmt.Fprintf(p, "%s\n", roff(usage))
	}
}

// text writes paragraphs; indented ones are not filled.
func (p *manPageWriter) text(text string) {
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(paragraph, " ") {
			p.example(paragraph)
			continue
		}
		fmt.Fprintf(p, ".PP\n%s\n", roff(paragraph))
	}
}

func (p *manPageWriter) example(text string) {
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(p, ".PP\n.nf\n%s\n.fi\n", roff(strings.TrimRight(text, "\n")))
	}
}

// roff escapes text so that roff prints it literally.
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
