package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/views/products"
	"bincard/views/submit"
)

// productCommand changes products.
func productCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "product", Short: "Link and unlink the barcodes of products", Args: cli.AtMost(0)}
	cmd.AddCommand(productLinkCommand(), productUnlinkCommand())
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

	connect.SiteFlags(cmd)
	cmd.Flags().StringVar(&g.key, "key", "",
		"the idempotency key, to repeat the command safely; generated and printed if omitted")
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

	connect.SiteFlags(cmd)
	cmd.Flags().StringVar(&g.key, "key", "",
		"the idempotency key, to repeat the command safely; generated and printed if omitted")
	cmd.Flags().StringVar(&reason, "reason", "", "why it is unlinked; required")

	return cmd
}
