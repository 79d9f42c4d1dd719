package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// rootCommand returns the bincard command, which opens the terminal, with its
// subcommands.
func rootCommand() *cobra.Command {
	var demo, silent bool
	cmd := &cobra.Command{
		Use:   "bincard [ROUTE]",
		Short: "Warehouse terminal and inventory ledger",
		Long: `Bincard is a terminal for warehouse staff and the inventory ledger behind it.

Without a command it opens the terminal, on a local ledger or on the service set
by BINCARD_URL, BINCARD_ORG and BINCARD_KEY or the settings screen. ROUTE opens a
screen directly.`,
		Example: `  bincard --demo                     try everything on a demo warehouse
  bincard receive/PO-2026-118        open the inbound with that reference
  bincard explain/OAT-1L@WH-1        explain that balance
  bincard serve --data DIR           run the service over HTTP`,
		Args:          atMost(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := readConfig()
			if err != nil {
				return err
			}
			cfg.overlay(cmd)
			cfg.demo = demo
			offline, _ := cmd.Flags().GetBool("offline")
			cfg.overlayOffline(cmd)
			if offline && (demo || cfg.URL == "") {
				return usageErrorf("--offline is for a remote service (--url or BINCARD_URL): a local ledger needs no connection")
			}
			cfg.Silent = cfg.Silent || silent
			cfg.plain, _ = cmd.Flags().GetBool("plain")
			cfg.width, _ = cmd.Flags().GetInt("width")
			if cfg.width != 0 && cfg.width < 20 {
				return usageErrorf("--width must be at least 20, not %d", cfg.width)
			}
			cfg.showIdle, _ = cmd.Flags().GetBool("show-idle")
			return terminal(cmd.Context(), cfg, args, cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "open a small demo warehouse in its own directory")
	cmd.Flags().String("data", "", "the data directory of the local ledger")
	cmd.Flags().String("url", "", "the service's URL")
	cmd.Flags().String("org", "", "the organization's ID")
	cmd.Flags().String("env", "", "live or test, for a local ledger or if the service's key does not name its environment")
	locationFlag(cmd.Flags(), "the code of the terminal's location")
	cmd.Flags().String("operator", "", "the operator's name")
	cmd.Flags().String("theme", "", "dark, light, high-contrast, color-blind or mono")
	cmd.Flags().BoolVar(&silent, "silent", false, "turn off bells")
	cmd.Flags().Bool("plain", false, "line mode, for serial lines, telnet and screen readers; the default if TERM is dumb")
	cmd.Flags().Int("width", 0, "the line width of --plain, at least 20")
	cmd.Flags().Bool("offline", false, "keep working while the service cannot be reached, and sync later")
	monthlyFlags(cmd.Flags())
	cmd.Flags().Bool("show-idle", false, "show whether the terminal is idle, for programs that drive it")
	_ = cmd.Flags().MarkHidden("show-idle")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	cmd.CompletionOptions.HiddenDefaultCmd = false
	cmd.AddCommand(serveCommand(), orgCommand(), keyCommand(), planCommand(), verifyCommand(), scanCommand(), versionCommand(),
		receiveCommand(), shipCommand(), receiveTransferCommand(), fulfillCommand(), adjustCommand(), moveCommand(), explainCommand(), reportCommand(),
		sshCommand(), picturesCommand(), importCommand(), exportCommand(), backupCommand(), restoreCommand(), manualCommand(), outboxCommand(), statusCommand(), edgeCommand(), wordsCommand(), sheetCommand(), operatorCommand())
	cmd.AddCommand(topicCommands()...)
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), "{{if gt (len .Aliases) 0}}", "{{if false}}", 1)) // aliases are old names
	return cmd
}

// version is set by the build.
var version = "dev"

// userAgent returns the User-Agent of requests to services.
func userAgent() string { return "bincard/" + version }

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version
			if info, ok := debug.ReadBuildInfo(); ok && v == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
				v = info.Main.Version
			}
			return printResult(cmd, asJSON, map[string]string{"version": v, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH},
				fmt.Sprintf("bincard %s (%s, %s/%s)", v, runtime.Version(), runtime.GOOS, runtime.GOARCH))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
