package main

import (
	"github.com/spf13/cobra"
)

// rootCommand is bincard itself, which opens the terminal, with its sub-commands.
func rootCommand() *cobra.Command {
	var demo, silent bool
	cmd := &cobra.Command{
		Use:   "bincard [ROUTE]",
		Short: "The bin card of a whole company: warehouse terminal and inventory ledger",
		Long: `Bincard is a terminal for warehouse staff and the inventory ledger behind it.

Without a command it opens the terminal: on the ledger in a data directory of
this machine, or on the service that BINCARD_URL, BINCARD_ORG and BINCARD_KEY
(or the settings screen) name. ROUTE opens a screen at once.`,
		Example: `  bincard --demo                     a made-up warehouse to try everything in
  bincard receive/PO-2026-118        the inbound of that reference
  bincard explain/OAT-1L@WH-1        why that balance is what it is
  bincard serve --data DIR           the service over HTTP`,
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
			keeps, _ := cmd.Flags().GetBool("offline")
			cfg.overlayOffline(cmd)
			if keeps && (demo || cfg.URL == "") {
				return usageErrorf("--offline is for work on a remote service (--url or BINCARD_URL): the ledger of this machine needs no connection")
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
	cmd.Flags().BoolVar(&demo, "demo", false, "open a small made-up warehouse, in a directory of its own")
	cmd.Flags().String("data", "", "the data directory of the ledger on this machine")
	cmd.Flags().String("url", "", "the address of a service to work against")
	cmd.Flags().String("org", "", "the organization's id")
	cmd.Flags().String("env", "", "live or test, on the ledger of this machine, or where a service's key does not say it")
	cmd.Flags().String("place", "", "the code of the location where the terminal stands")
	cmd.Flags().String("operator", "", "who works here")
	cmd.Flags().String("theme", "", "dark, light, high-contrast, colour-blind or mono")
	cmd.Flags().BoolVar(&silent, "silent", false, "no bells")
	cmd.Flags().Bool("plain", false, "a dialogue of lines in place of the screen, for serial lines, telnet and screen readers; also where TERM is dumb")
	cmd.Flags().Int("width", 0, "how wide the lines of --plain are, at least 20")
	cmd.Flags().Bool("offline", false, "keep working while the service cannot be reached, and send the work when it can")
	monthlyFlags(cmd.Flags())
	cmd.Flags().Bool("show-idle", false, "show whether anything is under way, for programs that drive the terminal")
	_ = cmd.Flags().MarkHidden("show-idle")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	cmd.CompletionOptions.HiddenDefaultCmd = false
	cmd.AddCommand(serveCommand(), orgCommand(), keyCommand(), planCommand(), verifyCommand(), scanCommand(), versionCommand(),
		receiveCommand(), shipCommand(), receiveTransferCommand(), fulfillCommand(), adjustCommand(), moveCommand(), explainCommand(), reportCommand(),
		sshCommand(), picturesCommand(), importCommand(), exportCommand(), backupCommand(), restoreCommand(), manualCommand(), outboxCommand(), statusCommand(), edgeCommand(), wordsCommand(), sheetCommand(), operatorCommand())
	return cmd
}
