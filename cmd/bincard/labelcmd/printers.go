package labelcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui/label"
	"bincard/tui/label/layout"
	"bincard/tui/label/printer"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
)

// statusTimeout limits how long printers are asked for their status.
const statusTimeout = 10 * time.Second

// labelPrintersCommand lists the printers.
func labelPrintersCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "printers",
		Short: "List the label printers, ask for their status, and test them",
		Long: `List the label printers in labels.toml, and which of them is chosen here.
'bincard help labels' describes the file.`,
		Example: "  bincard label printers\n  bincard label printers status\n  bincard label printers test dock",
		Args:    cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listPrinters(cmd, false)
		},
	}
	status := &cobra.Command{
		Use:     "status",
		Short:   "Ask the label printers for their status",
		Long:    "Ask the label printers for their status. The exit status is 3 if one is not ready.",
		Example: "  bincard label printers status",
		Args:    cli.AtMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return listPrinters(cmd, true) },
	}
	for _, c := range []*cobra.Command{cmd, status} {
		c.Flags().Bool("json", false, "print JSON")
	}
	cmd.AddCommand(status, labelTestCommand())
	return cmd
}

// A printerRow is a printer as JSON.
type printerRow struct {
	Name     string `json:"name"`
	Address  string `json:"address"`
	Location string `json:"location,omitzero"`
	Terminal string `json:"terminal,omitzero"`
	DPI      int    `json:"dpi"`
	Chosen   bool   `json:"chosen"`          // for this machine and its location
	Status   string `json:"status,omitzero"` // in words
	Ready    *bool  `json:"ready,omitzero"`  // absent if unknown
}

func listPrinters(cmd *cobra.Command, ask bool) error {
	service, err := LabelService()
	if err != nil {
		return err
	}
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	chosen, _ := service.Settings.Choose("", cli.GetenvOr("BINCARD_LOCATION", cfg.Location), service.Terminal)
	rows := make([]printerRow, len(service.Settings.Printers))
	var all sync.WaitGroup
	for i, p := range service.Settings.Printers {
		rows[i] = printerRow{Name: p.Name, Address: p.Address, Location: p.Location, Terminal: p.Terminal, DPI: max(p.DPI, layout.DefaultDPI), Chosen: p.Name == chosen.Name}
		if ask {
			all.Go(func() { rows[i].ask(cmd.Context(), p) })
		}
	}
	all.Wait()
	var lines []string
	notReady := false
	for _, r := range rows {
		lines = append(lines, r.String())
		if r.Ready != nil && !*r.Ready {
			notReady = true
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "no label printers are set up; see 'bincard help labels'")
	}
	asJSON, _ := cmd.Flags().GetBool("json")
	err = cli.PrintResult(cmd, asJSON, rows, strings.Join(lines, "\n"))
	if err == nil && notReady {
		err = &cli.StatusError{Status: cli.StatusUnknown, Err: errors.New("not all printers are ready")}
	}
	return err
}

// ask sets the status.
func (r *printerRow) ask(ctx context.Context, p printer.Printer) {
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	status, reports, err := printer.Sender{}.Status(ctx, p)
	ready := err == nil && status.Ready()
	switch {
	case !reports && err == nil:
		r.Status = "reports no status"
		return
	case err != nil:
		r.Status = err.Error()
	default:
		r.Status = status.String()
	}
	r.Ready = &ready
}

func (r printerRow) String() string {
	mark := " "
	if r.Chosen {
		mark = "*"
	}
	text := fmt.Sprintf("%s %s  %s  %d dpi", mark, widget.Left(r.Name, 12), widget.Left(r.Address, 28), r.DPI)
	if r.Location != "" {
		text += "  location " + r.Location
	}
	if r.Terminal != "" {
		text += "  terminal " + r.Terminal
	}
	if r.Status != "" {
		text += "  " + r.Status
	}
	return text
}

// labelTestCommand prints a test label.
func labelTestCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:     "test NAME",
		Short:   "Print a test label",
		Long:    "Print a label with the name of the printer and the barcode TEST." + exitLabelHelp,
		Example: "  bincard label printers test dock",
		Args:    cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs the name of a printer", cmd.CommandPath())
			}
			service, err := LabelService()
			if err != nil {
				return err
			}
			draft, err := service.Draw(label.Label{Kind: label.KindProduct, SKU: "TEST", Name: "Printer " + args[0]}, printing.Options{Printer: args[0]})
			if err != nil {
				return err
			}
			job, err := service.Print(draft, 1, "")
			if err != nil {
				return err
			}
			return awaitLabel(cmd, service, job.ID, wait)
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().DurationVar(&wait, "wait", 30*time.Second, "how long to wait for the printer; 0 leaves the label in the queue")
	return cmd
}
