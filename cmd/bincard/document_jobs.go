package main

import (
	"context"

	"github.com/spf13/cobra"

	"bincard/views/dock"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/transfers"
)

// receiveCommand books an inbound.
func receiveCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{use: "receive", short: "Receive an inbound, in part or in full",
		long: `Receive an inbound: book so many pieces of it, or all that is pending, with their
lot, serial numbers and damaged share, by the rules of the screen.`,
		example: `  bincard receive PO-2026-118 48 --lot L42-A --expires 2027-03-31 --damaged 2
  bincard receive PO-2026-118 all --lot L42-A --key night-run-17
  bincard receive PO-9 --serial SN-1,SN-2`, findRefs: inboundRefs}, inbounds.Receive)
	f := cmd.Flags()
	f.StringVar(&g.expires, "expires", "", "the last day of the lot, like 2027-03-31")
	f.Int64Var(&g.damaged, "damaged", 0, "how many of the pieces are damaged")
	f.StringSliceVar(&g.damagedSerials, "damaged-serial", nil, "the serial number of a damaged piece; may be repeated")
	return cmd
}

// shipCommand ships a transfer at its source.
func shipCommand() *cobra.Command {
	return documentCommand(&jobFlags{}, documentJob{use: "ship", short: "Ship a transfer, in part or in full",
		long:    "Ship a transfer from its source: so many pieces, or all that is to be shipped, by the rules of the screen.",
		example: "  bincard ship TR-311 20\n  bincard ship TR-311 all --lot L42-A", findRefs: outgoingTransferRefs}, transfers.ShipJob)
}

// receiveTransferCommand receives a transfer at its destination.
func receiveTransferCommand() *cobra.Command {
	return documentCommand(&jobFlags{}, documentJob{use: "arrive", short: "Receive a transfer at its destination, in part or in full",
		long:    "Receive a transfer at its destination: so many pieces, or all that is on the way, by the rules of the screen.",
		example: "  bincard arrive TR-311 20\n  bincard arrive TR-311 all", findRefs: incomingTransferRefs}, transfers.ReceiveJob)
}

// fulfillCommand sends an outbound.
func fulfillCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{use: "fulfill", short: "Send an order, in part or in full",
		long:    "Send what is allocated of an order: so many pieces of one of its lines, or all that is ready, by the rules of the screen.",
		example: "  bincard fulfill SO-7781 all\n  bincard fulfill SO-7790 12 --sku COF-500 --lot L162-B", findRefs: outboundRefs}, outbounds.Fulfill)
	cmd.Flags().StringVar(&g.sku, "sku", "", "of which line, where the order has several")
	return cmd
}

// A documentJob is a job on one document as its command describes it.
type documentJob struct {
	use, short, long, example string
	findRefs                  refFinder
}

// documentCommand makes the command of a job on a document. Without a
// reference it opens the terminal on the job's list.
func documentCommand(g *jobFlags, d documentJob, fn func(context.Context, *dock.Job) (dock.JobResult, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:     d.use + " REF QUANTITY|all",
		Short:   d.short,
		Long:    d.long + " Without REF the terminal opens on the list." + exitHelp,
		Example: d.example,
		Args:    atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return openTerminal(cmd, d.use)
			case 2:
				g.quantity = args[1]
			}
			return g.run(cmd, args[0], fn)
		},
		ValidArgsFunction: complete(d.findRefs),
	}
	g.register(cmd)
	return cmd
}
