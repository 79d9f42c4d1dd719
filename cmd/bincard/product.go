package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/views/locations"
	"bincard/views/products"
	"bincard/views/submit"
)

// productCommand changes products.
func productCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "product",
		Short: "Correct products, set their shelves, and link their barcodes",
		Args:  cli.AtMost(0),
	}
	cmd.AddCommand(productCorrectCommand(), productShelfCommand(), productLinkCommand(), productUnlinkCommand())
	return cmd
}

// A correction is a value that a command corrects.
type correction struct{ flag, field, help string }

var productCorrections = []correction{
	{"name", "name", "the name"},
	{"unit", "unit", "the base unit"},
	{"box", "holds", "how many its first package holds; 0 removes the package"},
	{"tracking", "tracking", "none, lot or serial"},
	{"reorder", "reorder", "the available quantity below which stock is low; 0 removes it"},
	{"contains", "parts", `what the kit contains: "2 x MUG-W, 1 x TEA"; "" for no kit`},
}

// productCorrectCommand corrects a product.
func productCorrectCommand() *cobra.Command {
	g := jobFlags{quantity: "1"}
	cmd := &cobra.Command{
		Use:   "correct SKU",
		Short: "Correct a product",
		Long: `Correct the name, units, tracking, reorder point or components of a product.
What is not given stays. How it is tracked and what it contains can change only
while no stock of it exists or is expected. SKU may be a barcode of the product.` + exitHelp,
		Example: `  bincard product correct OAT-1L --name "Oat drink 1 l" --reorder 48
  bincard product correct SET-1 --contains "2 x MUG-W, 1 x TEA"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.UsageErrorf("%s needs a SKU", cmd.CommandPath())
			}

			entered := map[string]string{}
			for _, c := range productCorrections {
				if !cmd.Flags().Changed(c.flag) {
					continue
				}
				value, _ := cmd.Flags().GetString(c.flag)
				if c.flag == "box" || c.flag == "reorder" {
					n, err := strconv.ParseInt(value, 10, 64)
					if err != nil || n < 0 {
						return cli.UsageErrorf("--%s must be a whole number of at least 0, not %q", c.flag, value)
					}
					if n == 0 {
						value = ""
					}
				}
				entered[c.field] = value
			}

			if len(entered) == 0 {
				return cli.UsageErrorf("%s needs what to correct, such as --name", cmd.CommandPath())
			}

			g.sku = args[0]

			return g.run(cmd, args[0], func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
				return products.CorrectJob(ctx, job, entered)
			})
		},
	}

	g.registerKey(cmd)
	for _, c := range productCorrections {
		cmd.Flags().String(c.flag, "", c.help)
	}

	return cmd
}

// locationCommand changes locations.
func locationCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "location", Short: "Correct locations", Args: cli.AtMost(0)}
	cmd.AddCommand(locationCorrectCommand())
	return cmd
}

// locationCorrectCommand corrects a location.
func locationCorrectCommand() *cobra.Command {
	g := jobFlags{quantity: "1"}
	var name, typ string
	cmd := &cobra.Command{
		Use:     "correct CODE",
		Short:   "Correct a location",
		Long:    `Correct the name or the type of a location. Its code stays.` + exitHelp,
		Example: `  bincard location correct WH-2 --name "Depot South"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return cli.UsageErrorf("%s needs the code of a location", cmd.CommandPath())
			case name == "" && typ == "":
				return cli.UsageErrorf("%s needs --name or --type", cmd.CommandPath())
			}

			return g.run(cmd, args[0], func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
				return locations.CorrectJob(ctx, job, name, typ)
			})
		},
	}

	g.registerKey(cmd)
	cmd.Flags().StringVar(&name, "name", "", "the name")
	cmd.Flags().StringVar(&typ, "type", "", "warehouse, store or virtual")

	return cmd
}

// productShelfCommand sets the shelves of a product.
func productShelfCommand() *cobra.Command {
	g := jobFlags{quantity: "1"}
	var none bool
	cmd := &cobra.Command{
		Use:   "shelf SKU [SHELF...]",
		Short: "Set the shelves of a product at a location",
		Long: `Set the shelves of a product at a location, the main one first, in place of
those that it has there. --none removes them. SKU may be a barcode of the
product.` + exitHelp,
		Example: `  bincard product shelf OAT-1L A-03-2 B-01 --location WH-1
  bincard product shelf OAT-1L --none --location WH-1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.UsageErrorf("%s needs a SKU", cmd.CommandPath())
			case none != (len(args) == 1):
				return cli.UsageErrorf("%s needs either shelves or --none", cmd.CommandPath())
			}

			g.sku = args[0]
			at, _ := cmd.Flags().GetString("location")

			return g.run(
				cmd,
				strings.Join(args, " ")+"@"+at, // a key is for one location
				func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
					if !job.Site.Location().IsSet() {
						return submit.JobResult{}, cli.UsageErrorf("%s needs --location", cmd.CommandPath())
					}
					return products.ShelfJob(ctx, job, args[1:])
				},
			)
		},
	}

	g.registerKey(cmd)
	connect.LocationFlag(cmd.Flags(), "the location's code")
	cmd.Flags().BoolVar(&none, "none", false, "remove the shelves")

	return cmd
}

// productLinkCommand links a barcode to a product.
func productLinkCommand() *cobra.Command {
	var g jobFlags
	var box int64
	cmd := &cobra.Command{
		Use:   "link CODE SKU",
		Short: "Link a further barcode to a product",
		Long: `Link a further barcode to a product, or with --box to a package of it. Those
that the product has stay. A barcode of another product is rejected, and so is
one with a wrong check digit. SKU may be a barcode of the product.` + exitHelp,
		Example: `  bincard product link 4012345678901 OAT-1L
  bincard product link 24006381333935 OAT-1L --box 24`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return cli.UsageErrorf("%s needs a barcode and a SKU", cmd.CommandPath())
			case box < 1:
				return cli.UsageErrorf("--box must be 1 or more, not %d", box)
			}

			g.quantity, g.sku = strconv.FormatInt(box, 10), args[1]

			return g.run(
				cmd,
				strings.Join(args, " "),
				func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
					job.Ref = args[0]
					return products.LinkJob(ctx, job)
				},
			)
		},
	}

	g.registerKey(cmd)
	cmd.Flags().Int64Var(&box, "box", 1, "how many a package with this barcode holds")

	return cmd
}

// productUnlinkCommand unlinks a barcode from a product.
func productUnlinkCommand() *cobra.Command {
	g := jobFlags{quantity: "1"}
	var reason string
	cmd := &cobra.Command{
		Use:   "unlink CODE SKU",
		Short: "Unlink a barcode from a product",
		Long: `Unlink a barcode from a product, or from a package of it, which stays. The
barcode can then be linked to another product. The reason is recorded in the
journal. SKU may be a barcode of the product.` + exitHelp,
		Example: `  bincard product unlink 4012345678901 OAT-1L --reason "wrong product"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return cli.UsageErrorf("%s needs a barcode and a SKU", cmd.CommandPath())
			case strings.TrimSpace(reason) == "":
				return cli.UsageErrorf("%s needs --reason", cmd.CommandPath())
			}

			g.sku = args[1]

			return g.run(
				cmd,
				strings.Join(args, " "),
				func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
					job.Ref = args[0]
					return products.UnlinkJob(ctx, job, reason)
				},
			)
		},
	}

	g.registerKey(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why it is unlinked; required")

	return cmd
}
