// Package labelcmd has the commands that print labels.
package labelcmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/views/labels"
)

// labelFlags holds the flags of a label command.
type labelFlags struct {
	request           labels.Request
	opts              printing.Options
	expires, quantity string

	size, symbol, png string
	zpl, preview      bool
	copies            int
	next              int // how many new serial numbers
}

// register adds the flags that all kinds of labels have.
func (f *labelFlags) register(cmd *cobra.Command) {
	connect.SiteFlags(cmd)
	flags := cmd.Flags()
	connect.LocationFlag(flags, "the code of the location, which chooses the printer")
	flags.StringVar(&f.opts.Printer, "printer", "", "the `NAME` of the printer")
	flags.StringVar(&f.png, "png", "", "write a picture to a `FILE` instead of printing")
	flags.BoolVar(&f.zpl, "zpl", false, "write what the printer would get to standard output instead of printing")
	flags.BoolVar(&f.preview, "preview", false, "show the label in words instead of printing")
	flags.IntVar(&f.copies, "copies", 1, "the number of copies, at most 999")
	flags.StringVar(&f.size, "size", "", "the size of the label: 50x25, 70x40 or 100x150")
	flags.StringVar(&f.opts.Template, "template", "", "the `NAME` of a template, or its file")
	flags.StringVar(
		&f.symbol,
		"symbol",
		"",
		"the type of the barcodes: "+strings.Join(
			label.Symbology("").Values(),
			", ",
		)+"; that of the template if omitted",
	)

	flags.IntVar(
		&f.opts.DPI,
		"dpi",
		0,
		"dots per inch for --png and --zpl: 203, 300 or 600; that of the printer if omitted",
	)

	waitFlag(cmd)
}

// registerMore adds flags that only some kinds of labels have.
func (f *labelFlags) registerMore(cmd *cobra.Command, names string) {
	r, flags := &f.request, cmd.Flags()
	texts := map[string]struct {
		to    *string
		usage string
	}{
		"expires":   {&f.expires, "the lot's expiration date, like 2027-03-31; that of the lot if omitted"},
		"lot":       {&r.Lot, "the lot"},
		"quantity":  {&f.quantity, "the quantity in pieces"},
		"reference": {&r.Reference, "the reference of the order or delivery"},
		"sku":       {&r.SKU, "the product"},
		"sscc":      {&r.SSCC, "the SSCC to print again, instead of a new one"},
		"unit":      {&r.Unit, "the unit code of the package"},
	}

	for _, name := range strings.Fields(names) {
		switch {
		case name == "new":
			flags.BoolVar(&r.New, name, false, "allow a lot or serial number that is not received yet")
		case name == "next" && r.Kind == label.KindLot:
			flags.BoolVar(&r.Next, name, false, "give the lot a new number of the pattern in labels.toml")
		case name == "next":
			flags.IntVar(&f.next, name, 0, "print the labels of `N` new serial numbers of the pattern in labels.toml")
		default:
			flags.StringVar(texts[name].to, name, "", texts[name].usage)
		}
	}
}

// parse checks the flags.
func (f *labelFlags) parse() error {
	f.opts.Symbol, f.request.Now = label.Symbology(f.symbol), cli.ClockNow()
	dpi := f.opts.DPI
	switch {
	case f.size != "" && f.opts.Template != "":
		return cli.UsageErrorf("--size and --template both choose the template; give one of them")
	case dpi != 0 && !label.HasResolution(dpi):
		return cli.UsageErrorf("--dpi must be 203, 300 or 600, not %d", dpi)
	case dpi != 0 && f.png == "" && !f.zpl:
		return cli.UsageErrorf("--dpi is for --png and --zpl; a printer has its own in labels.toml")
	case f.copies < 1 || f.copies > label.MaxCopies:
		return cli.UsageErrorf("--copies must be from 1 to %d, not %d", label.MaxCopies, f.copies)
	}

	f.opts.Template += f.size
	var err error
	if f.quantity != "" {
		if f.request.Quantity, err = cli.ParseCount(f.quantity); err != nil || f.request.Quantity < 1 {
			return cli.UsageErrorf("--quantity must be 1 or more, not %q", f.quantity)
		}
	}

	if f.expires != "" {
		if f.request.Expires, err = time.Parse(time.DateOnly, f.expires); err != nil {
			return cli.UsageErrorf("--expires must be a day like 2027-03-31, not %q", f.expires)
		}
	}

	if f.symbol != "" {
		return cli.StateFlag("symbol", f.symbol, label.Symbology("").Values())
	}

	return nil
}

// parseNext checks the flags of labels of new numbers.
func (f *labelFlags) parseNext(cmd *cobra.Command, args []string) error {
	serials, next := f.request.Kind == label.KindSerial, f.request.Next
	f.request.Next = true
	switch {
	case !serials && !next:
		return cli.UsageErrorf("--next takes no value")
	case serials && len(args) > 0:
		return cli.UsageErrorf("--next gives new numbers; leave out the number %s", args[0])
	case serials && f.request.SKU == "":
		return cli.UsageErrorf("--next needs --sku")
	case !serials && len(args) != 1:
		return cli.UsageErrorf("--next gives the lot its number; %s --next needs only the SKU", cmd.CommandPath())
	case serials && (f.next < 1 || f.next > label.MaxCopies):
		return cli.UsageErrorf("--next must be from 1 to %d, not %d", label.MaxCopies, f.next)
	case f.png != "" || f.zpl:
		return cli.UsageErrorf(
			"--next prints labels; without it, --new shows the label of any number with --png or --zpl")
	case serials && f.copies != 1:
		return cli.UsageErrorf("--copies is for one number; --next gives each label a number of its own")
	case serials:
		f.copies = f.next
	}

	return nil
}
