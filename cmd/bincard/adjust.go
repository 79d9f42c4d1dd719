package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bincard/server/api"
	"bincard/views/stock"
	"bincard/views/submit"
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
		Args: atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return openTerminal(cmd, "adjust")
			}
			if len(args) < 2 || !strings.ContainsAny(args[1][:1], "+-=") {
				return usageErrorf("%s needs a quantity: +N, -N or =N", cmd.CommandPath())
			}
			c := stock.Change{State: api.State(state), Less: args[1][0] == '-', Exact: args[1][0] == '=', Reason: g.reason}
			if err := stateFlag("state", state, c.State.Values()); err != nil {
				return err
			}
			g.quantity = args[1]
			return g.changeStock(cmd, args[0], args[1][1:], c, stock.AdjustJob)
		},
		ValidArgsFunction: complete(balanceRefs),
	}
	g.register(cmd)
	cmd.Flags().StringVar(&state, "state", string(api.Available), "the inventory state to adjust: "+strings.Join(api.State("").Values(), ", "))
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
		Long: `Move stock of one balance from one state to another, with a reason. The rules are
those of the screen. Without SKU, the terminal opens.` + exitHelp,
		Example: "  bincard move OAT-1L@WH-1 4 --to damaged --reason leaking",
		Args:    atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return openTerminal(cmd, "move")
			}
			if len(args) < 2 && len(g.serials) == 0 {
				return usageErrorf("%s needs a quantity", cmd.CommandPath())
			}
			c := stock.Change{State: api.State(from), To: api.State(to), Reason: g.reason}
			for _, s := range []struct{ flag, state string }{{"from", from}, {"to", to}} {
				if err := stateFlag(s.flag, s.state, c.State.Values()); err != nil {
					return err
				}
			}
			text := strings.Join(args[1:], "")
			g.quantity = text
			return g.changeStock(cmd, args[0], text, c, stock.MoveJob)
		},
		ValidArgsFunction: complete(balanceRefs),
	}
	g.register(cmd)
	cmd.Flags().StringVar(&from, "from", string(api.Available), "the inventory state to move from")
	cmd.Flags().StringVar(&to, "to", "", "the inventory state to move to: "+strings.Join(api.MovableState("").Values(), ", "))
	cmd.Flags().StringVar(&g.reason, "reason", "", "the reason, recorded with the movement")
	return cmd
}

// stateFlag returns a usage error if the flag does not name a known state.
func stateFlag(flag, state string, known []string) error {
	if !slices.Contains(known, state) {
		return usageErrorf("--%s must be one of %s, not %q", flag, strings.Join(known, ", "), state)
	}
	return nil
}

// changeStock runs a stock change on one balance. quantity is unsigned: the sign is in c.
func (g *jobFlags) changeStock(cmd *cobra.Command, ref, quantity string, c stock.Change,
	fn func(context.Context, *submit.Job, stock.Change) (submit.JobResult, error)) error {
	if strings.TrimSpace(c.Reason) == "" {
		return usageErrorf("%s needs --reason: it is recorded with the movement", cmd.CommandPath())
	}
	signed := g.quantity // with its sign, as typed
	n, err := parseCount(quantity)
	if quantity != "" && (err != nil || n < 0 || n == 0 && !c.Exact) || quantity == "" && len(g.serials) == 0 {
		return usageErrorf("%q is not a quantity", signed)
	}
	return g.run(cmd, ref, func(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
		job.Count.Quantity = n
		return fn(ctx, job, c)
	})
}
