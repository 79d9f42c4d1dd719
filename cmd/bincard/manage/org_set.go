package manage

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/api/role"
	"bincard/server/sheet"
)

// rulesFlags are the rules that a command line sets; the other rules stay.
type rulesFlags struct {
	percent                   int64
	limitPieces, limitPercent string
	requireLot, shelfCheck    bool
	reasons                   string
	worker                    map[string]string
}

func orgSetCommand() *cobra.Command {
	var place LedgerPlace
	var env string
	var flags rulesFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "set ID --data DIR|--store URL --env test|live",
		Short: "Set the rules of an organization in one environment",
		Long: `Set the rules of an organization in one environment, effective immediately.
Rules whose flags are not given stay.

--over-receipt is how far an inbound may exceed its expected quantity, in
percent of it, rounded down. At 0, the default, no more than the pending
quantity can be received. Earlier receipts do not change.

--count-limit-pieces and --count-limit-percent say which difference of a count
is large: one that exceeds both limits. It needs a second count with the same
result, or a supervisor. They apply instead of [counts] in the config.toml of a
terminal; "default" leaves the limit to the terminals again.

--require-lot makes terminals ask for the lot of goods tracked by lot that are
shipped, fulfilled, picked, removed or moved. Without it, the ledger takes the
lots that expire first. --require-lot=false stops that.

--shelf-check makes terminals ask for a scan of the shelf before they count what
is shipped, fulfilled or picked, for products that have a shelf there.
--shelf-check=false stops that.

--worker ACTION=RULE sets what a worker may do without an approval, and may be
repeated; 'bincard help operators' lists the actions and rules.

--reasons FILE are the reasons to choose from on terminals, instead of the
terminals' own: a table (.csv or .xlsx) with the column code, which is recorded
and reported, a column for each language, such as en and de, with the words to
show, and optionally the column uses: count, remove, add, damage,
release, hold, assemble, disassemble, unlink, return, or several separated by
|. A code without uses is offered for all of them. "none" removes the reasons.`,
		Example: `  bincard org set ID --data DIR --env live --over-receipt 5
  bincard org set ID --data DIR --env live --count-limit-pieces 10 \
      --count-limit-percent 2`,
		Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			org := cli.GetenvOr("BINCARD_ORG", "")
			if len(args) > 0 {
				org = args[0]
			}
			if org == "" {
				return cli.UsageErrorf("give the organization's ID; see 'bincard org list'")
			}
			if err := place.Require(cmd, "env"); err != nil {
				return err
			}

			id, err := uuid.Parse(org)
			if err != nil {
				return cli.UsageErrorf("the organization must be given by its ID, not %q", org)
			}
			if env != string(api.Live) && env != string(api.Test) {
				return cli.UsageErrorf("--env must be live or test, not %q", env)
			}
			if err := flags.apply(cmd, &api.Rules{}); err != nil {
				return err
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				rules, err := a.Rules(cmd.Context(), id, api.Environment(env))
				if err != nil {
					return err
				}
				if err := flags.apply(cmd, &rules); err != nil {
					return err
				}
				if rules, err = a.SetRules(cmd.Context(), id, api.Environment(env), rules); err != nil {
					return err
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"rules": rules}, rulesText(env, &rules))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().Int64Var(&flags.percent, "over-receipt", 0,
		"how far receipts may exceed the expected quantity, in percent")
	cmd.Flags().StringVar(&flags.limitPieces, "count-limit-pieces", "",
		"the limit of a count's difference in pieces, or default")
	cmd.Flags().StringVar(&flags.limitPercent, "count-limit-percent", "",
		"the limit of a count's difference in percent of the recorded quantity, or default")
	cmd.Flags().BoolVar(&flags.requireLot, "require-lot", false,
		"whether terminals and jobs require the lot of what leaves")
	cmd.Flags().BoolVar(&flags.shelfCheck, "shelf-check", false,
		"whether terminals ask for a scan of the shelf of what leaves")
	cmd.Flags().StringVar(&flags.reasons, "reasons", "",
		"the file with the reasons to choose from on terminals, or none")
	cmd.Flags().StringToStringVar(&flags.worker, "worker", nil, "a rule of workers, such as cancel=approve")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// apply changes the rules whose flags are given. It returns an error if none is.
func (f *rulesFlags) apply(cmd *cobra.Command, rules *api.Rules) error {
	given := false
	if cmd.Flag("over-receipt").Changed {
		if given = true; f.percent < 0 || f.percent > api.MaxOverReceiptPercent {
			return cli.UsageErrorf("--over-receipt must be 0 to %d, not %d", api.MaxOverReceiptPercent, f.percent)
		}
		rules.OverReceiptPercent = f.percent
	}

	if cmd.Flag("require-lot").Changed {
		given, rules.RequireLot = true, f.requireLot
	}
	if cmd.Flag("shelf-check").Changed {
		given, rules.ShelfCheck = true, f.shelfCheck
	}

	if len(f.worker) > 0 {
		given = true
		rules.Worker = maps.Clone(rules.Worker)
		if rules.Worker == nil {
			rules.Worker = role.Rules{}
		}
		for action, rule := range f.worker {
			rules.Worker[role.Permission(action)] = role.Rule(rule)
		}
	}

	if cmd.Flag("reasons").Changed {
		given = true
		var err error
		if rules.Reasons, err = readReasons(f.reasons); err != nil {
			return err
		}
	}

	for _, limit := range []struct {
		flag, text string
		rule       **int64
		most       int64
	}{
		{"count-limit-pieces", f.limitPieces, &rules.CountLimitPieces, api.MaxCountLimitPieces},
		{"count-limit-percent", f.limitPercent, &rules.CountLimitPercent, api.MaxCountLimitPercent},
	} {
		if !cmd.Flag(limit.flag).Changed {
			continue
		}
		if given = true; limit.text == "default" {
			*limit.rule = nil
			continue
		}

		n, err := strconv.ParseInt(limit.text, 10, 64)
		if err != nil || n < 0 || n > limit.most {
			return cli.UsageErrorf("--%s must be 0 to %d, or default, not %q", limit.flag, limit.most, limit.text)
		}

		*limit.rule = &n
	}

	if !given {
		return cli.UsageErrorf(
			"nothing to set: give --over-receipt PERCENT, --count-limit-pieces N, --count-limit-percent PERCENT, --require-lot, --shelf-check, --worker RULE or --reasons FILE",
		)
	}

	return nil
}

// readReasons reads a table of reasons: the columns code and uses, and one for each language.
func readReasons(path string) (list []api.Reason, err error) {
	if path == "none" {
		return nil, nil
	}

	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}

	defer f.Close()
	table, err := sheet.Read(f)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case len(table.Problems) > 0:
		return nil, fmt.Errorf("%s: %s", path, table.Problems[0])
	case !table.Has("code"):
		return nil, fmt.Errorf("%s has no column code", path)
	case table.Len() > api.MaxReasons:
		return nil, fmt.Errorf("%s has %d reasons; the maximum is %d", path, table.Len(), api.MaxReasons)
	}

	for i := range table.Len() {
		r := api.Reason{Texts: map[string]string{}}
		for at, text := range table.Row(i).Cells {
			switch column := strings.ToLower(table.Columns[at]); {
			case text == "":
			case column == "code":
				r.Code = text
			case column == "uses":
				for _, use := range strings.Split(text, "|") {
					r.Uses = append(r.Uses, api.ReasonUse(strings.TrimSpace(use)))
				}
			default:
				r.Texts[table.Columns[at]] = text
			}
		}

		list = append(list, r)
	}

	return list, table.Err()
}

func rulesText(env string, rules *api.Rules) string {
	text := fmt.Sprintf("In %s, an inbound can receive up to %d %% more than expected", env, rules.OverReceiptPercent)
	if rules.OverReceiptPercent == 0 {
		text = fmt.Sprintf("In %s, an inbound cannot receive more than expected", env)
	}
	if rules.RequireLot {
		text += fmt.Sprintf("\nIn %s, terminals and jobs require the lot of what leaves", env)
	}
	if rules.ShelfCheck {
		text += fmt.Sprintf("\nIn %s, terminals ask for a scan of the shelf of what leaves", env)
	}
	if n := len(rules.Reasons); n > 0 {
		text += fmt.Sprintf("\nIn %s, terminals offer %s", env, cli.Plural(n, "reason"))
	}
	for _, p := range slices.Sorted(maps.Keys(rules.Worker)) {
		text += fmt.Sprintf("\nIn %s, the rule of workers for %s is: %s", env, p, rules.Worker[p])
	}
	if limits := countLimits(rules); limits != "" {
		return text + fmt.Sprintf("\nIn %s, the limits of a count's difference are %s", env, limits)
	}

	return text + fmt.Sprintf("\nIn %s, each terminal has its own limits of a count's difference", env)
}

// countLimits describes the limits of a count's difference; "" for none.
func countLimits(rules *api.Rules) string {
	var limits []string
	if n := rules.CountLimitPieces; n != nil {
		limits = append(limits, fmt.Sprintf("%d pieces", *n))
	}
	if n := rules.CountLimitPercent; n != nil {
		limits = append(limits, fmt.Sprintf("%d %%", *n))
	}
	return strings.Join(limits, " and ")
}
