package main

import (
	"context"

	"github.com/spf13/cobra"

	"bincard/tui"
	"bincard/views/dock"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/transfers"
)

// receiveCommand receives an inbound.
func receiveCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{use: "receive", short: "Receive all or part of an inbound",
		long: `Receive an inbound: book a quantity, or all that is pending, with its lot, serial
numbers and damaged quantity. The rules are those of the screen.`,
		example: `  bincard receive PO-2026-118 48 --lot L42-A --expires 2027-03-31 --damaged 2
  bincard receive PO-2026-118 all --lot L42-A --key night-run-17
  bincard receive PO-9 --serial SN-1,SN-2`, findRefs: inboundRefs}, inbounds.Receive)
	f := cmd.Flags()
	f.StringVar(&g.expires, "expires", "", "the lot's expiration date, like 2027-03-31")
	f.Int64Var(&g.damaged, "damaged", 0, "the damaged quantity")
	f.StringSliceVar(&g.damagedSerials, "damaged-serial", nil, "the serial number of a damaged item; may be repeated")
	return cmd
}

// shipCommand ships a transfer from its source.
func shipCommand() *cobra.Command {
	return documentCommand(&jobFlags{}, documentJob{use: "ship", short: "Ship all or part of a transfer",
		long:    "Ship a transfer from its source: a quantity, or all that is pending. The rules are\nthose of the screen.",
		example: "  bincard ship TR-311 20\n  bincard ship TR-311 all --lot L42-A", findRefs: outgoingTransferRefs}, transfers.ShipJob)
}

// receiveTransferCommand receives a transfer at its destination.
func receiveTransferCommand() *cobra.Command {
	cmd := documentCommand(&jobFlags{}, documentJob{use: "receive-transfer", short: "Receive all or part of a transfer at its destination",
		long:    "Receive a transfer at its destination: a quantity, or all that is in transit. The\nrules are those of the screen.",
		example: "  bincard receive-transfer TR-311 20\n  bincard receive-transfer TR-311 all", findRefs: incomingTransferRefs}, transfers.ReceiveJob)
	cmd.Aliases = []string{tui.OldName(cmd.Name())}
	return cmd
}

// fulfillCommand fulfills an outbound.
func fulfillCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{use: "fulfill", short: "Fulfill all or part of an outbound",
		long:    "Fulfill the allocated stock of an outbound: a quantity of one line, or all that is\nready. The rules are those of the screen.",
		example: "  bincard fulfill SO-7781 all\n  bincard fulfill SO-7790 12 --sku COF-500 --lot L162-B", findRefs: outboundRefs}, outbounds.Fulfill)
	cmd.Flags().StringVar(&g.sku, "sku", "", "the line's SKU, if the outbound has several")
	return cmd
}

// A documentJob describes the command of a job on one document.
type documentJob struct {
	use, short, long, example string
	findRefs                  refFinder
}

// documentCommand returns the command of a job on a document. Without a reference, the
// command opens the terminal on the job's list.
func documentCommand(g *jobFlags, d documentJob, fn func(context.Context, *dock.Job) (dock.JobResult, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:     d.use + " REF QUANTITY|all",
		Short:   d.short,
		Long:    d.long + "\n\nWithout REF, the terminal opens the list." + exitHelp,
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
