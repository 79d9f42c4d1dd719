package labelcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
	"bincard/views/labels"
)

// labelHelp documents what all label commands have in common.
const labelHelp = `

The label is printed on --printer, or on the printer for this location or machine;
--png, --zpl and --preview show it instead. 'bincard help labels' describes printers,
templates and pallet numbers.

The exit status is 0 if it is printed or shown, 1 if it cannot be made, 2 for
incorrect usage, and 3 if it waits in the queue or may be printed.`

// LabelCommand prints labels.
func LabelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "label",
		Short: "Print labels with barcodes",
		Long:  "Print labels with barcodes for products, lots, serial numbers, cases, locations,\npallets and documents. Scanned, they fill in what is printed on them.",
		Args:  cli.AtMost(0),
	}
	cmd.AddCommand(lotLabelCommand(), serialLabelCommand(), productLabelCommand(), caseLabelCommand(), locationLabelCommand(), palletLabelCommand(),
		documentLabelCommand(), labelPrintersCommand(), labelQueueCommand(), labelTemplatesCommand())
	return cmd
}

// A kindCommand describes the command of a kind of label.
type kindCommand struct {
	kind                      label.Kind
	args                      string // "SKU LOT"
	least, most               int    // numbers of arguments
	short, long, example      string
	stockFlags, quantityFlags bool // the flags of lots and of quantities
	fill                      func(r *labels.Request, args []string)
	complete                  connect.RefFinder // of the first argument; nil for none
}

// command returns the command, to which the caller adds flags of its own.
func (k kindCommand) command(f *labelFlags) *cobra.Command {
	f.request.Kind = k.kind
	cmd := &cobra.Command{
		Use:     strings.TrimSpace(string(k.kind) + " " + k.args),
		Short:   k.short,
		Long:    k.long + labelHelp,
		Example: k.example,
		Args:    cli.AtMost(k.most),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("next") {
				if err := f.checkNext(cmd, args); err != nil {
					return err
				}
			} else if len(args) < k.least {
				return cli.UsageErrorf("%s needs %s", cmd.CommandPath(), k.args)
			}
			k.fill(&f.request, args)
			return f.run(cmd)
		},
	}
	f.register(cmd)
	if k.complete != nil {
		cmd.ValidArgsFunction = connect.Complete(k.complete)
	}
	if k.stockFlags {
		cmd.Flags().StringVar(&f.expires, "expires", "", "the lot's expiration date, like 2027-03-31; that of the lot if omitted")
		cmd.Flags().BoolVar(&f.request.New, "new", false, "allow a lot or serial number that is not received yet")
	}
	if k.quantityFlags {
		cmd.Flags().StringVar(&f.quantity, "quantity", "", "the quantity in pieces")
	}
	return cmd
}

func lotLabelCommand() *cobra.Command {
	f := &labelFlags{}
	cmd := kindCommand{kind: label.KindLot, complete: connect.ProductSKUs, args: "SKU LOT", least: 1, most: 2, stockFlags: true, quantityFlags: true,
		short: "Print the label of a lot",
		long: `Print the label of stock of a lot: product, lot, expiration date and, with
--quantity, the pieces. SKU may be a barcode of the product; a whole scanned label
needs no LOT. --next gives a new lot its number before it is received.`,
		example: `  bincard label lot OAT-1L L42-A --quantity 24 --copies 2
  bincard label lot OAT-1L L99-N --new --expires 2027-03-31 --png label.png
  bincard label lot OAT-1L --next --expires 2027-03-31 --copies 20`,
		fill: func(r *labels.Request, args []string) {
			r.Subject = args[0]
			if len(args) > 1 {
				r.Lot = args[1]
			}
		}}.command(f)
	cmd.Flags().BoolVar(&f.nextLot, "next", false, "give the lot a new number of the pattern in labels.toml")
	return cmd
}

func serialLabelCommand() *cobra.Command {
	f := &labelFlags{}
	cmd := kindCommand{kind: label.KindSerial, args: "NUMBER", least: 1, most: 1, stockFlags: true,
		short:   "Print the label of a serial number",
		long:    "Print the label of a serialized piece. --sku names the product if the number is new\nor several products have it. --next prints labels of new numbers, before the pieces are\nreceived.",
		example: "  bincard label serial SCA000123\n  bincard label serial SCA000999 --sku SCA-5 --new\n  bincard label serial --sku SCA-5 --next 20",
		fill: func(r *labels.Request, args []string) {
			if r.Subject = r.SKU; len(args) > 0 {
				r.Subject = args[0]
			}
		}}.command(f)
	cmd.Flags().IntVar(&f.next, "next", 0, "print the labels of `N` new serial numbers of the pattern in labels.toml")
	cmd.Flags().StringVar(&f.request.SKU, "sku", "", "the product")
	cmd.Flags().StringVar(&f.request.Lot, "lot", "", "the lot of the piece")
	return cmd
}

func productLabelCommand() *cobra.Command {
	return kindCommand{kind: label.KindProduct, complete: connect.ProductSKUs, args: "SKU", least: 1, most: 1,
		short: "Print the label of a product", long: "Print the label of one piece of a product: its GTIN, or else its SKU.",
		example: "  bincard label product OAT-1L --copies 24",
		fill:    func(r *labels.Request, args []string) { r.Subject = args[0] }}.command(&labelFlags{})
}

func caseLabelCommand() *cobra.Command {
	f := &labelFlags{}
	cmd := kindCommand{kind: label.KindCase, complete: connect.ProductSKUs, args: "SKU", least: 1, most: 1, stockFlags: true,
		short: "Print the label of a case", long: "Print the label of a package with a GTIN of its own, optionally with its lot.\n--unit names the package if the product has several.",
		example: "  bincard label case OAT-1L --lot L42-A",
		fill:    func(r *labels.Request, args []string) { r.Subject = args[0] }}.command(f)
	cmd.Flags().StringVar(&f.request.Unit, "unit", "", "the unit code of the package")
	cmd.Flags().StringVar(&f.request.Lot, "lot", "", "the lot")
	return cmd
}

func locationLabelCommand() *cobra.Command {
	return kindCommand{kind: label.KindLocation, complete: connect.LocationCodes, args: "CODE", least: 1, most: 1,
		short: "Print the label of a location", long: "Print the label of a location. Scanned, it chooses the location.",
		example: "  bincard label location WH-1 --size 100x150",
		fill:    func(r *labels.Request, args []string) { r.Subject = args[0] }}.command(&labelFlags{})
}

func documentLabelCommand() *cobra.Command {
	return kindCommand{kind: label.KindDocument, complete: connect.DocumentRefs, args: "REF", least: 1, most: 1,
		short: "Print the label of an inbound, outbound or transfer", long: "Print the label of a document. Scanned, it opens the document.",
		example: "  bincard label document PO-2026-118",
		fill:    func(r *labels.Request, args []string) { r.Subject = args[0] }}.command(&labelFlags{})
}

func palletLabelCommand() *cobra.Command {
	f := &labelFlags{}
	cmd := kindCommand{kind: label.KindPallet, complete: connect.ProductSKUs, args: "[SKU [LOT]]", most: 2, stockFlags: true, quantityFlags: true,
		short: "Print the label of a pallet or box with a new SSCC",
		long: `Print the label of a pallet or box with a new serial shipping container code
(SSCC), and a second barcode with what it holds. --sscc prints that of a pallet
again. --preview gives no number and shows zeros.`,
		example: `  bincard label pallet OAT-1L L42-A --quantity 480 --reference PO-2026-118
  bincard label pallet --sscc 309521000000000002`,
		fill: func(r *labels.Request, args []string) {
			if len(args) > 0 {
				r.Subject = args[0]
			}
			if len(args) > 1 {
				r.Lot = args[1]
			}
		}}.command(f)
	cmd.Flags().StringVar(&f.request.SSCC, "sscc", "", "the SSCC to print again, instead of a new one")
	cmd.Flags().StringVar(&f.request.Reference, "reference", "", "the reference of the order or delivery")
	return cmd
}
