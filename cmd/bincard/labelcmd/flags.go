package labelcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
	"bincard/tui/label/layout"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/tui/label/setup"
	"bincard/views/labels"
)

// labelFlags holds the flags of a label command.
type labelFlags struct {
	request           labels.Request
	expires, quantity string

	printer, template, size, symbol, png string
	zpl, preview                         bool
	copies, dpi                          int
	next                                 int  // how many new serial numbers
	nextLot                              bool // a new lot
	wait                                 time.Duration
}

func (f *labelFlags) register(cmd *cobra.Command) {
	connect.SiteFlags(cmd)
	flags := cmd.Flags()
	connect.LocationFlag(flags, "the code of the location, which chooses the printer")
	flags.StringVar(&f.printer, "printer", "", "the `NAME` of the printer")
	flags.StringVar(&f.png, "png", "", "write a picture to a `FILE` instead of printing")
	flags.BoolVar(&f.zpl, "zpl", false, "write what the printer would get to standard output instead of printing")
	flags.BoolVar(&f.preview, "preview", false, "show the label in words instead of printing")
	flags.IntVar(&f.copies, "copies", 1, "the number of copies, at most 999")
	flags.StringVar(&f.size, "size", "", "the size of the label: 50x25, 70x40 or 100x150")
	flags.StringVar(&f.template, "template", "", "the `NAME` of a template, or its file")
	flags.StringVar(&f.symbol, "symbol", "", "the type of the barcodes: "+strings.Join(layout.Symbology("").Values(), ", ")+"; that of the template if omitted")
	flags.IntVar(&f.dpi, "dpi", 0, "dots per inch for --png and --zpl: 203, 300 or 600; that of the printer if omitted")
	flags.DurationVar(&f.wait, "wait", 30*time.Second, "how long to wait for the printer; 0 leaves the label in the queue")
}

// options checks the flags.
func (f *labelFlags) options() (printing.Options, error) {
	opts := printing.Options{Printer: f.printer, Template: f.template, Symbol: layout.Symbology(f.symbol), DPI: f.dpi}
	f.request.Now = cli.ClockNow()
	if f.size != "" {
		if f.template != "" {
			return opts, cli.UsageErrorf("--size and --template both choose the template; give one of them")
		}
		opts.Template = f.size
	}
	if f.symbol != "" {
		if err := cli.StateFlag("symbol", f.symbol, layout.Symbology("").Values()); err != nil {
			return opts, err
		}
	}
	if f.dpi != 0 && !layout.HasResolution(f.dpi) {
		return opts, cli.UsageErrorf("--dpi must be 203, 300 or 600, not %d", f.dpi)
	}
	if f.dpi != 0 && f.png == "" && !f.zpl {
		return opts, cli.UsageErrorf("--dpi is for --png and --zpl; a printer has its own in labels.toml")
	}
	if f.copies < 1 || f.copies > 999 {
		return opts, cli.UsageErrorf("--copies must be from 1 to 999, not %d", f.copies)
	}
	if f.quantity != "" {
		n, err := cli.ParseCount(f.quantity)
		if err != nil || n < 1 {
			return opts, cli.UsageErrorf("--quantity must be 1 or more, not %q", f.quantity)
		}
		f.request.Quantity = n
	}
	if f.expires != "" {
		day, err := time.Parse(time.DateOnly, f.expires)
		if err != nil {
			return opts, cli.UsageErrorf("--expires must be a day like 2027-03-31, not %q", f.expires)
		}
		f.request.Expires = day
	}
	return opts, nil
}

// LabelService returns the printers, templates and queue of this machine.
func LabelService() (*printing.Service, error) {
	settings, err := setup.Read(config.LabelsFile())
	return &printing.Service{Settings: settings, Library: layout.Library{Dir: config.LabelTemplatesDir()}, Queue: queue.New(config.LabelsDir(), cli.ClockNow),
		Dir: config.LabelsDir(), Terminal: cmp.Or(settings.Terminal, connect.MachineLabel()), Now: cli.ClockNow}, err
}

// makeLabel returns the label that the flags describe, and the operator and location for
// which it is printed.
func (f *labelFlags) makeLabel(cmd *cobra.Command, service *printing.Service, opts printing.Options) (l label.Label, operator, location string, err error) {
	needsNumber := f.request.Kind == label.KindPallet && f.request.SSCC == ""
	err = connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error {
		if operator, location = at.Config.OperatorName(), at.Site.Location().Code; location == "" {
			location = at.Config.LocationCode()
		}
		if needsNumber { // a number for a check of all else, so that none is lost
			f.request.SSCC = strings.Repeat("0", 18)
		}
		var unknown *labels.UnknownError
		if l, err = labels.Make(ctx, at.Site, f.request); errors.As(err, &unknown) {
			return fmt.Errorf("%w Add --new for that.", err)
		}
		if err != nil || !needsNumber {
			return err
		}
		opts.Location = location
		if _, err = service.Draw(l, opts); err == nil && !f.preview {
			l.SSCC, err = service.NextSSCC(ctx)
		}
		return err
	})
	return l, operator, location, err
}
