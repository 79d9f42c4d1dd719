// Bincard is a terminal for warehouse staff and the inventory ledger service
// behind it, in one binary.
//
// This package has the wiring: the commands that do a job, in files named for them or their
// group, and main.go, which lists them. Package config has the settings, connect opens what they
// select (a ledger, a service, or the node in front of a service), servecmd runs services,
// and manage administers ledgers. terminal.go and ssh.go run sessions of the terminal; a
// build with the tag noterminal has neither.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/cmd/bincard/labelcmd"
	"bincard/cmd/bincard/manage"
	"bincard/cmd/bincard/servecmd"
	_ "bincard/tui/background" // must be initialized before Bubble Tea queries the background color
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs the program and returns its exit status: 0 on success, 1 on failure, 2 for
// incorrect usage, 3 if a service did not answer, or the status of a statusError.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := rootCommand()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}

	_ = cli.Say(os.Stderr, "bincard: %s", cli.ErrorSentence(err))
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "Run 'bincard --help' for usage.")
		return 2
	}

	var withStatus *cli.StatusError
	if errors.As(err, &withStatus) {
		return withStatus.Status
	}

	return connect.StatusOf(err)
}

// rootCommand returns the bincard command, which opens the terminal, with its
// subcommands.
func rootCommand() *cobra.Command {
	var demo, silent bool
	cmd := &cobra.Command{
		Use:   "bincard [ROUTE]",
		Short: "Warehouse terminal and inventory ledger",
		Long: `Bincard is a terminal for warehouse staff and the inventory ledger behind it.

Without a command it opens the terminal, on a local ledger or on the service set
by BINCARD_URL, BINCARD_ORG and BINCARD_KEY or the settings screen. ROUTE opens
a screen directly.`,
		Example: `  bincard --demo                     try everything on a demo warehouse
  bincard receive/PO-2026-118        open the inbound with that reference
  bincard explain/OAT-1L@WH-1        explain that balance
  bincard serve --data DIR           run the service over HTTP`,
		Version:       cli.VersionText(),
		Args:          cli.AtMost(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config.Read()
			if err != nil {
				return err
			}
			if err := connect.Overlay(&cfg, cmd); err != nil {
				return err
			}

			cfg.Demo = demo
			offline, _ := cmd.Flags().GetBool("offline")
			connect.OverlayOffline(&cfg, cmd)
			if offline && (demo || cfg.URL == "") {
				return cli.UsageErrorf(
					"--offline is for a remote service: give --url or BINCARD_URL, and leave out --data and --demo",
				)
			}

			cfg.Silent = cfg.Silent || silent
			cfg.Plain, _ = cmd.Flags().GetBool("plain")
			cfg.Width, _ = cmd.Flags().GetInt("width")
			if cfg.Width != 0 && cfg.Width < 20 {
				return cli.UsageErrorf("--width must be at least 20, not %d", cfg.Width)
			}

			cfg.ShowIdle, _ = cmd.Flags().GetBool("show-idle")

			return terminal(cmd.Context(), cfg, args, cmd.OutOrStdout())
		},
	}

	cmd.Flags().BoolVar(&demo, "demo", false, "open a small demo warehouse in its own directory")
	cmd.Flags().String("data", "", "the data directory of the local ledger")
	cmd.Flags().String("store", "", manage.StoreUsage)
	cmd.Flags().String("url", "", "the service's URL")
	cmd.Flags().String("org", "", "the organization's ID")
	cmd.Flags().String(
		"env",
		"",
		"live or test, for a local ledger or if the service's key does not name its environment",
	)
	connect.LocationFlag(cmd.Flags(), "the code of the terminal's location")
	cmd.Flags().String("operator", "", "the operator's name")
	cmd.Flags().String("theme", "", "dark, light, high-contrast, color-blind or mono")
	cmd.Flags().BoolVar(&silent, "silent", false, "turn off bells")
	cmd.Flags().Bool(
		"plain",
		false,
		"line mode, for serial lines, telnet and screen readers; the default if TERM is dumb",
	)
	cmd.Flags().Int("width", 0, "the line width of --plain, at least 20")
	cmd.Flags().Bool("offline", false, "keep working while the service cannot be reached, and sync later")
	connect.KeyFileFlag(cmd.Flags())
	connect.PlainFlag(cmd.Flags())
	connect.MonthlyFlags(cmd.Flags())
	connect.MirrorFlag(cmd.Flags())
	cmd.Flags().StringArray("offline-location", nil, "with --offline, "+connect.LocationsHelp)
	showIdleFlag(cmd.Flags())
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &cli.UsageError{Err: err} })
	cmd.CompletionOptions.HiddenDefaultCmd = false
	addCommands(cmd)
	refuseUnknownTopics(cmd)
	hideDefaults(cmd)
	cmd.SetUsageTemplate(usageTemplate(cmd))

	return cmd
}

// addCommands adds the subcommands of root, by group.
func addCommands(root *cobra.Command) {
	group := func(id, title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: id, Title: title + ":"})
		for _, c := range commands {
			c.GroupID = id
			root.AddCommand(c)
		}
	}

	group("jobs", "Jobs",
		receiveCommand(),
		shipCommand(),
		receiveTransferCommand(),
		allocateCommand(),
		fulfillCommand(),
		adjustCommand(),
		moveCommand(),
		returnCommand(),
		explainCommand(),
		reportCommand(),
		productCommand(),
		locationCommand(),
		labelcmd.LabelCommand(),
		scanCommand(),
	)
	group("data", "Data",
		importCommand(),
		exportCommand(),
		manage.BackupCommand(),
		manage.RestoreCommand(),
		manage.VerifyCommand(),
		manage.CopyCommand(),
		manage.UpgradeCommand(),
	)
	group("administration", "Administration",
		manage.OperatorCommand(connect.SiteFlags, onSite),
		sheetCommand(),
		manage.OrgCommand(),
		manage.KeyCommand(),
		manage.PlanCommand(),
		wordsCommand(),
	)
	group("service", "Service and sync",
		append(terminalCommands(),
			servecmd.ServeCommand(),
			servecmd.EdgeCommand(),
			manage.StoreCommand(),
			statusCommand(),
			outboxCommand(),
		)...)
	group("help", "Help", manualCommand(), cli.VersionCommand())
	root.SetHelpCommandGroupID("help")
	root.SetCompletionCommandGroupID("help")
	root.AddCommand(topicCommands()...)
}

// usageTemplate returns the template of a command's usage: at most 80 columns wide, with the
// topics as they are typed, and without aliases, which are old names.
func usageTemplate(cmd *cobra.Command) string {
	return strings.NewReplacer(
		"{{if gt (len .Aliases) 0}}", "{{if false}}",
		".FlagUsages", ".FlagUsagesWrapped 80",
		"{{rpad .CommandPath .CommandPathPadding}}", "{{.Root.Name}} help {{rpad .Name 9}}",
		"for more information about a command", "for more about a command",
	).Replace(cmd.UsageTemplate())
}

// refuseUnknownTopics makes 'bincard help TOPIC' fail if there is no such command or topic. A
// topic may be in the singular.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	show := help.Run
	help.Run = nil
	help.RunE = func(cmd *cobra.Command, args []string) error {
		known := func(args []string) bool {
			_, unknown, err := root.Find(args)
			return err == nil && len(unknown) == 0
		}

		if topic := strings.Join(args, " ") + "s"; !known(args) && known([]string{topic}) {
			args = []string{topic}
		}
		if !known(args) {
			return cli.UsageErrorf("there is no help about %q; 'bincard help' lists the commands and topics",
				strings.Join(args, " "))
		}
		show(cmd, args)
		return nil
	}
}

// showIdleFlag adds the hidden flag --show-idle.
func showIdleFlag(f *pflag.FlagSet) {
	f.Bool("show-idle", false, "show whether the terminal is idle, for programs that drive it")
	_ = f.MarkHidden("show-idle")
}
