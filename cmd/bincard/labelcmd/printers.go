package labelcmd

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui/label"
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
	}

	status := &cobra.Command{
		Use:     "status",
		Short:   "Ask the label printers for their status",
		Long:    "Ask the label printers for their status. The exit status is 3 if one is not\nready.",
		Example: "  bincard label printers status",
	}

	test := &cobra.Command{
		Use:     "test NAME",
		Short:   "Print a test label",
		Long:    "Print a label with the name of the printer and the barcode TEST." + exitLabelHelp,
		Example: "  bincard label printers test dock",
		Args:    oneArg("the name of a printer"),
		RunE: withService(func(cmd *cobra.Command, service *printing.Service, args []string) error {
			draft, err := service.Draw(label.Label{Kind: label.KindProduct, SKU: "TEST", Name: "Printer " + args[0]},
				printing.Options{Printer: args[0]})
			if err != nil {
				return err
			}

			job, err := service.Print(draft, 1, "")
			if err != nil {
				return err
			}

			return await(cmd, service, job.ID)
		}),
	}

	waitFlag(test)
	for _, c := range []*cobra.Command{cmd, status, test} {
		c.Flags().Bool("json", false, "print JSON")
		if c != test {
			c.Args = cli.AtMost(0)
			c.RunE = withService(func(cmd *cobra.Command, service *printing.Service, _ []string) error {
				return listPrinters(cmd, service, c == status)
			})
		}
	}

	cmd.AddCommand(status, test)

	return cmd
}

// oneArg requires one argument; what says which.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.UsageErrorf("%s needs %s", cmd.CommandPath(), what)
		}
		return cli.AtMost(1)(cmd, args)
	}
}

// withService returns what a command runs with the printers and the queue of this machine.
func withService(
	run func(cmd *cobra.Command, service *printing.Service, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		service, err := LabelService()
		if err != nil {
			return err
		}
		return run(cmd, service, args)
	}
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

func listPrinters(cmd *cobra.Command, service *printing.Service, ask bool) error {
	cfg, err := config.Read()
	if err != nil {
		return err
	}

	chosen, _ := service.Settings.Choose("", cli.GetenvOr("BINCARD_LOCATION", cfg.Location), service.Terminal)
	rows := make([]printerRow, len(service.Settings.Printers))
	var all sync.WaitGroup
	for i, p := range service.Settings.Printers {
		rows[i] = printerRow{
			Name:     p.Name,
			Address:  p.Address,
			Location: p.Location,
			Terminal: p.Terminal,
			DPI:      max(p.DPI, label.DefaultDPI),
			Chosen:   p.Name == chosen.Name,
		}

		if ask {
			all.Go(func() { rows[i].ask(cmd.Context(), p) })
		}
	}

	all.Wait()
	lines, notReady := []string{}, false
	for _, r := range rows {
		lines = append(lines, r.String())
		notReady = notReady || r.Ready != nil && !*r.Ready
	}
	if len(lines) == 0 {
		lines = append(lines, "no label printers are set up; see 'bincard help labels'")
	}
	if err := printResult(cmd, rows, strings.Join(lines, "\n")); err != nil || !notReady {
		return err
	}

	return unknown("not all printers are ready")
}

// ask sets the status.
func (r *printerRow) ask(ctx context.Context, p printing.Printer) {
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	status, reports, err := printing.Sender{}.Status(ctx, p)
	r.Status = status.String()
	if err != nil {
		r.Status = err.Error()
	} else if !reports {
		r.Status = "reports no status"
		return
	}

	r.Ready = new(err == nil && status.Ready())
}

func (r printerRow) String() string {
	mark := " "
	if r.Chosen {
		mark = "*"
	}

	text := fmt.Sprintf("%s %s  %s  %d dpi", mark, widget.Left(r.Name, 12), widget.Left(r.Address, 28), r.DPI)
	for _, part := range [][2]string{{"  location ", r.Location}, {"  terminal ", r.Terminal}, {"  ", r.Status}} {
		if part[1] != "" {
			text += part[0] + part[1]
		}
	}

	return text
}
