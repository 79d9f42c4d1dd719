package labelcmd

import (
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
)

// labelHelp documents what all label commands have in common.
const labelHelp = `

The label is printed on --printer, or on the printer for this location or
machine; --png, --zpl and --preview show it instead. 'bincard help labels'
describes printers, templates and pallet numbers.

The exit status is 0 if it is printed or shown, 1 if it cannot be made, 2 for
incorrect usage, and 3 if it waits in the queue or may have printed.`

// LabelCommand prints labels.
func LabelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "label",
		Short: "Print labels with barcodes",
		Long:  "Print labels with barcodes for products, lots, serial numbers, cases, locations,\nshelves, pallets and documents. Scanned, they fill in what is printed on them.",
		Args:  cli.AtMost(0),
	}

	for _, k := range kinds {
		cmd.AddCommand(k.command())
	}

	cmd.AddCommand(labelPrintersCommand(), labelQueueCommand(), labelTemplatesCommand())

	return cmd
}

// A kindCommand describes the command of a kind of label. Its first argument is the subject
// of the label, and its second one the lot.
type kindCommand struct {
	kind                 label.Kind
	args                 string            // "SKU LOT"
	least, most          int               // numbers of arguments
	flags                string            // see registerMore
	complete             connect.RefFinder // of the first argument; nil for none
	short, long, example string
}

var kinds = []kindCommand{
	{label.KindLot, "SKU LOT", 1, 2, "expires new quantity next", connect.ProductSKUs,
		"Print the label of a lot",
		`Print the label of stock of a lot: product, lot, expiration date and, with
--quantity, the pieces. SKU may be a barcode of the product; a whole scanned
label needs no LOT. --next gives a new lot its number before it is received.`,
		`  bincard label lot OAT-1L L42-A --quantity 24 --copies 2
  bincard label lot OAT-1L L99-N --new --expires 2027-03-31 --png label.png
  bincard label lot OAT-1L --next --expires 2027-03-31 --copies 20`},
	{
		label.KindSerial,
		"NUMBER",
		1,
		1,
		"expires lot new next sku",
		nil,
		"Print the label of a serial number",
		"Print the label of a serialized piece. --sku names the product if the number is\nnew or several products have it. --next prints labels of new numbers, before the\npieces are received.",
		"  bincard label serial SCA000123\n  bincard label serial SCA000999 --sku SCA-5 --new\n  bincard label serial --sku SCA-5 --next 20",
	},
	{label.KindProduct, "SKU", 1, 1, "", connect.ProductSKUs,
		"Print the label of a product", "Print the label of one piece of a product: its GTIN, or else its SKU.",
		"  bincard label product OAT-1L --copies 24"},
	{
		label.KindCase,
		"SKU",
		1,
		1,
		"expires lot new unit",
		connect.ProductSKUs,
		"Print the label of a case",
		"Print the label of a package with a GTIN of its own, optionally with its lot.\n--unit names the package if the product has several.",
		"  bincard label case OAT-1L --lot L42-A",
	},
	{label.KindLocation, "CODE", 1, 1, "", connect.LocationCodes,
		"Print the label of a location", "Print the label of a location. Scanned, it chooses the location.",
		"  bincard label location WH-1 --size 100x150"},
	{label.KindShelf, "SHELF", 1, 1, "", nil,
		"Print the label of a shelf", "Print the label of a shelf, whether or not a product is on it.",
		"  bincard label shelf A-03-2 --location WH-1"},
	{label.KindPallet, "[SKU [LOT]]", 0, 2, "expires new quantity reference sscc", connect.ProductSKUs,
		"Print the label of a pallet or box with a new SSCC",
		`Print the label of a pallet or box with a new serial shipping container code
(SSCC), and a second barcode with what it holds. --sscc prints that of a pallet
again. --preview gives no number and shows zeros.`,
		`  bincard label pallet OAT-1L L42-A --quantity 480 --reference PO-2026-118
  bincard label pallet --sscc 309521000000000002`},
	{
		label.KindDocument,
		"REF",
		1,
		1,
		"",
		connect.DocumentRefs,
		"Print the label of an inbound, outbound or transfer",
		"Print the label of a document. Scanned, it opens the document.",
		"  bincard label document PO-2026-118",
	},
}

func (k kindCommand) command() *cobra.Command {
	f := &labelFlags{}
	r := &f.request
	r.Kind = k.kind
	cmd := &cobra.Command{
		Use:     string(k.kind) + " " + k.args,
		Short:   k.short,
		Long:    k.long + labelHelp,
		Example: k.example,
		Args:    cli.AtMost(k.most),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("next") {
				if err := f.parseNext(cmd, args); err != nil {
					return err
				}
			} else if len(args) < k.least {
				return cli.UsageErrorf("%s needs %s", cmd.CommandPath(), k.args)
			}

			r.Subject = r.SKU // a new serial number has only the SKU
			if len(args) > 0 {
				r.Subject = args[0]
			}
			if len(args) > 1 {
				r.Lot = args[1]
			}

			return connect.Fail(cmd, f.run(cmd), "", false)
		},
	}

	f.register(cmd)
	f.registerMore(cmd, k.flags)
	if k.complete != nil {
		cmd.ValidArgsFunction = connect.Complete(k.complete)
	}

	return cmd
}
