package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/stock"
	"bincard/views/submit"
	"bincard/views/transfers"
)

// adjustCommand changes one state of a balance.
func adjustCommand() *cobra.Command {
	var g jobFlags
	var state string
	cmd := &cobra.Command{
		Use:   "adjust SKU@LOCATION +N|-N|=N --reason TEXT",
		Short: "Adjust stock by hand",
		Long: `Adjust one state of a balance: add (+N), subtract (-N) or set (=N) a quantity,
with a reason. The rules are those of the screen. Put "--" before -N so that it
is not read as a flag. Without SKU, the terminal opens.` + exitHelp,
		Example: `  bincard adjust OAT-1L@WH-1 +12 --lot L42-A --reason found
  bincard adjust COF-500@WH-1 =40 --reason counted
  bincard adjust COF-500@WH-1 --reason broken -- -2`,
		Args: cli.AtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return openTerminal(cmd, "adjust")
			}
			if len(args) < 2 || !strings.ContainsAny(args[1][:1], "+-=") {
				return cli.UsageErrorf("%s needs a quantity: +N, -N or =N", cmd.CommandPath())
			}

			c := stock.Change{
				State:  api.State(state),
				Less:   args[1][0] == '-',
				Exact:  args[1][0] == '=',
				Reason: g.reason,
			}

			if err := cli.StateFlag("state", state, c.State.Values()); err != nil {
				return err
			}

			g.quantity = args[1]

			return g.changeStock(cmd, args[0], args[1][1:], c, stock.AdjustJob)
		},
		ValidArgsFunction: connect.Complete(connect.BalanceRefs),
	}

	g.register(cmd)
	cmd.Flags().StringVar(&state, "state", string(api.Available),
		"the inventory state to adjust: "+strings.Join(api.State("").Values(), ", "))
	cmd.Flags().StringVar(&g.reason, "reason", "", "the reason, recorded with the movement")

	return cmd
}

// moveCommand moves stock from one state to another.
func moveCommand() *cobra.Command {
	var g jobFlags
	var from, to string
	cmd := &cobra.Command{
		Use:   "move SKU@LOCATION N --to STATE --reason TEXT",
		Short: "Move stock between states",
		Long: `Move stock of one balance from one state to another, with a reason. The rules
are those of the screen. Without SKU, the terminal opens.` + exitHelp,
		Example: "  bincard move OAT-1L@WH-1 4 --to damaged --reason leaking",
		Args:    cli.AtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return openTerminal(cmd, "move")
			}
			if len(args) < 2 && len(g.serials) == 0 {
				return cli.UsageErrorf("%s needs a quantity", cmd.CommandPath())
			}

			c := stock.Change{State: api.State(from), To: api.State(to), Reason: g.reason}
			for _, s := range []struct{ flag, state string }{{"from", from}, {"to", to}} {
				if err := cli.StateFlag(s.flag, s.state, c.State.Values()); err != nil {
					return err
				}
			}

			text := strings.Join(args[1:], "")
			g.quantity = text

			return g.changeStock(cmd, args[0], text, c, stock.MoveJob)
		},
		ValidArgsFunction: connect.Complete(connect.BalanceRefs),
	}

	g.register(cmd)
	cmd.Flags().StringVar(&from, "from", string(api.Available), "the inventory state to move from")
	cmd.Flags().StringVar(&to, "to", "",
		"the inventory state to move to: "+strings.Join(api.MovableState("").Values(), ", "))
	cmd.Flags().StringVar(&g.reason, "reason", "", "the reason, recorded with the movement")

	return cmd
}

// returnCommand takes back what was shipped.
func returnCommand() *cobra.Command {
	var g jobFlags
	c := stock.Change{}
	var state string
	cmd := &cobra.Command{
		Use:   "return SKU@LOCATION N --reason TEXT",
		Short: "Take back what was shipped",
		Long: `Take back stock that was shipped, with a reason, and in the state that it is in.
Without SKU, the terminal opens.` + exitHelp,
		Example: `  bincard return COF-500@WH-1 2 --order SO-7002 --reason "wrong product"
  bincard return OAT-1L@WH-1 1 --lot L42 --state damaged --reason leaking`,
		Args: cli.AtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return openTerminal(cmd, "return")
			}
			if len(args) < 2 && len(g.serials) == 0 {
				return cli.UsageErrorf("%s needs a quantity", cmd.CommandPath())
			}

			c.To, c.Reason = api.State(state), g.reason
			states := append(api.ReturnState("").Values(), string(api.Damaged))
			if err := cli.StateFlag("state", state, states); err != nil {
				return err
			}

			g.quantity = strings.Join(args[1:], "")

			return g.changeStock(cmd, args[0], g.quantity, c, stock.ReturnJob)
		},
		ValidArgsFunction: connect.Complete(connect.BalanceRefs),
	}

	g.register(cmd)
	cmd.Flags().StringVar(&state, "state", string(api.Available), "available, qualityControl or damaged")
	cmd.Flags().StringVar(&c.Order, "order", "", "the order that it was shipped with, which the movement names")
	cmd.Flags().StringVar(&g.reason, "reason", "", "the reason, recorded with the movement")

	return cmd
}

// changeStock runs a stock change on one balance. quantity is unsigned: the sign is in c.
func (g *jobFlags) changeStock(cmd *cobra.Command, ref, quantity string, c stock.Change,
	fn func(context.Context, *submit.Job, stock.Change) (submit.JobResult, error)) error {
	if strings.TrimSpace(c.Reason) == "" {
		return cli.UsageErrorf("%s needs --reason: it is recorded with the movement", cmd.CommandPath())
	}

	signed := g.quantity // with its sign, as typed
	n, err := cli.ParseCount(quantity)
	if quantity != "" && (err != nil || n < 0 || n == 0 && !c.Exact) || quantity == "" && len(g.serials) == 0 {
		return cli.UsageErrorf("%q is not a quantity", signed)
	}

	return g.run(cmd, ref, func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
		job.Count.Quantity = n
		return fn(ctx, job, c)
	})
}

// receiveCommand receives an inbound.
func receiveCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{use: "receive", short: "Receive all or part of an inbound",
		long: `Receive an inbound: record a quantity, or all that is pending, with its lot,
serial numbers and damaged quantity. The rules are those of the screen.`,
		example: `  bincard receive PO-2026-118 48 --lot L42-A --expires 2027-03-31 \
      --damaged 2 --damage-cause wet
  bincard receive PO-2026-118 all --lot L42-A --key night-run-17
  bincard receive PO-9 --serial SN-1,SN-2
  bincard receive PO-2026-119 12 --sku COF-500`, findRefs: connect.InboundRefs}, inbounds.ReceiveJob)

	f := cmd.Flags()
	f.StringVar(&g.expires, "expires", "", "the lot's expiration date, like 2027-03-31")
	f.Int64Var(&g.damaged, "damaged", 0, "the damaged quantity")
	f.StringVar(&g.damage, "damage-cause", "", "the cause of the damage, recorded with the damaged quantity")
	f.StringSliceVar(&g.damagedSerials, "damaged-serial", nil, "the serial number of a damaged item; may be repeated")

	return cmd
}

// shipCommand ships a transfer from its source.
func shipCommand() *cobra.Command {
	return documentCommand(&jobFlags{}, documentJob{
		use:      "ship",
		short:    "Ship all or part of a transfer",
		long:     "Ship a transfer from its source: a quantity, or all that is pending. The rules\nare those of the screen.",
		example:  "  bincard ship TR-311 20\n  bincard ship TR-311 all --lot L42-A",
		findRefs: connect.OutgoingTransferRefs,
	}, transfers.ShipJob)
}

// receiveTransferCommand receives a transfer at its destination.
func receiveTransferCommand() *cobra.Command {
	cmd := documentCommand(
		&jobFlags{},
		documentJob{
			use:      "receive-transfer",
			short:    "Receive all or part of a transfer at its destination",
			long:     "Receive a transfer at its destination: a quantity, or all that is in transit.\nThe rules are those of the screen.",
			example:  "  bincard receive-transfer TR-311 20\n  bincard receive-transfer TR-311 all",
			findRefs: connect.IncomingTransferRefs,
		},
		transfers.ReceiveJob,
	)

	cmd.Aliases = []string{tui.OldName(cmd.Name())}

	return cmd
}

// fulfillCommand fulfills an outbound.
func fulfillCommand() *cobra.Command {
	var g jobFlags
	cmd := documentCommand(&g, documentJob{
		use:      "fulfill",
		short:    "Fulfill all or part of an outbound",
		long:     "Fulfill the allocated stock of an outbound: a quantity of one line, or all that\nis ready. The rules are those of the screen. A lot other than the picked one is\nrejected, unless --swap puts the picked one back.",
		example:  "  bincard fulfill SO-7781 all\n  bincard fulfill SO-7790 12 --sku COF-500 --lot L162-B\n  bincard fulfill SO-7790 12 --lot L163-A --swap",
		findRefs: connect.OutboundRefs,
	}, outbounds.FulfillJob)

	cmd.Flags().BoolVar(&g.swap, "swap", false, "with --lot: put back what was picked of other lots, and take this one")

	return cmd
}

// allocateCommand allocates to the orders that wait for stock.
func allocateCommand() *cobra.Command {
	g := jobFlags{quantity: "all"}
	cmd := &cobra.Command{
		Use:   "allocate",
		Short: "Allocate available stock to the orders that wait for it",
		Long: `Allocate the available stock of the location to the orders that wait for it:
those that ship first come first, then by reference. With --sku only that
product is allocated. It prints what each order got and still waits for. One
command serves up to 100 orders.` + exitHelp,
		Example: "  bincard allocate\n  bincard allocate --sku JO-500 --location WH-1 --key night-4",
		Args:    cli.AtMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return g.run(cmd, "", outbounds.AllocateJob) },
	}

	g.registerKey(cmd)
	connect.LocationFlag(cmd.Flags(), "the location's code, if not that of the terminal")
	cmd.Flags().StringVar(&g.sku, "sku", "", "only this product: its SKU or barcode")

	return cmd
}

// A documentJob describes the command of a job on one document.
type documentJob struct {
	use, short, long, example string
	findRefs                  connect.RefFinder
}

// documentCommand returns the command of a job on a document. Without a reference, the
// command opens the terminal on the job's list.
func documentCommand(
	g *jobFlags,
	d documentJob,
	fn func(context.Context, *submit.Job) (submit.JobResult, error),
) *cobra.Command {
	cmd := &cobra.Command{
		Use:     d.use + " REF QUANTITY|all",
		Short:   d.short,
		Long:    d.long + "\n\nWithout REF, the terminal opens the list." + exitHelp,
		Example: d.example,
		Args:    cli.AtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return openTerminal(cmd, d.use)
			case 2:
				g.quantity = args[1]
			}

			return g.run(cmd, args[0], fn)
		},
		ValidArgsFunction: connect.Complete(d.findRefs),
	}

	g.register(cmd)
	cmd.Flags().StringVar(&g.sku, "sku", "", "the line's SKU, if the document has several")

	return cmd
}
