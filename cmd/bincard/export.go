package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"bincard/server/api"
	"bincard/server/sheet"
)

// An exporting is one run of the export command: its flags.
type exporting struct {
	format, out                   string
	excel                         bool
	from, to, asOf                string
	sku, location, owner, channel string
	operation, state, status      string
}

// exportCommand writes whole reports to files.
func exportCommand() *cobra.Command {
	var e exporting
	cmd := &cobra.Command{
		Use:   "export movements|snapshot",
		Short: "Write the movements or the balances as CSV or JSON lines",
		Long: `Write the movements or the balances, all of them or those that the filters
leave, newest first, as CSV with a row of column names or as JSON, one object a
line. A file given with -o is there whole or not at all.

In CSV a text that a spreadsheet would take for a formula (it begins with =, +,
- or @) has an apostrophe before it; importing takes it off again. For the exact
text use jsonl. --excel makes the file as Excel expects it.

Products, locations, owners and channels are named by SKU or code, or by id.
Dates are days in UTC (2026-03-31) or instants (2026-03-31T14:00:00Z); --from is
inclusive, --to is not.`,
		Example: `  bincard export movements --data DIR --from 2026-03-01 --to 2026-04-01 -o march.csv
  bincard export snapshot --as-of 2026-03-31T23:59:59Z --format jsonl
  bincard export movements --sku OAT-1L --location WH-1 --excel -o oat.csv`,
		ValidArgs: []string{"movements", "snapshot"},
		Args:      atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] != "movements" && args[0] != "snapshot" {
				return misuse("%s needs movements or snapshot", cmd.CommandPath())
			}
			if e.format != "csv" && e.format != "jsonl" || e.excel && e.format != "csv" {
				return misuse("--format must be csv or jsonl, and --excel goes with csv")
			}
			if e.asOf != "" && args[0] == "movements" {
				return misuse("--as-of goes with snapshot; for movements there are --from and --to")
			}
			return withBooks(cmd, func(svc api.Service) error {
				n, err := e.run(cmd.Context(), svc, args[0], cmd.OutOrStdout(), progress(cmd.ErrOrStderr(), "rows written"))
				if err == nil && e.out != "" {
					fmt.Fprintf(cmd.ErrOrStderr(), "Wrote %s to %s\n", count(n, "row"), e.out)
				}
				return err
			})
		},
	}
	booksFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&e.out, "out", "o", "", "the file to write; standard output when omitted")
	f.StringVar(&e.format, "format", "csv", "csv or jsonl")
	f.BoolVar(&e.excel, "excel", false, "CSV as Excel expects it: with a mark at the beginning, lines ended by CR LF")
	f.StringVar(&e.from, "from", "", "only from this day or instant on")
	f.StringVar(&e.to, "to", "", "only before this day or instant")
	f.StringVar(&e.asOf, "as-of", "", "the balances as they stood at this instant")
	f.StringVar(&e.sku, "sku", "", "only this product")
	f.StringVar(&e.location, "location", "", "only this location")
	f.StringVar(&e.owner, "owner", "", "only this owner")
	f.StringVar(&e.channel, "channel", "", "only this channel")
	f.StringVar(&e.operation, "operation", "", "only movements of this operation, or balances with one")
	f.StringVar(&e.state, "state", "", "only this inventory state")
	f.StringVar(&e.status, "status", "", "of a snapshot: inStock or outOfStock")
	return cmd
}

// run writes the report and tells how many rows it has.
func (e *exporting) run(ctx context.Context, svc api.Service, report string, stdout io.Writer, tick func(int, int)) (n int, err error) {
	if e.out == "" {
		return e.write(ctx, svc, report, stdout, tick)
	}
	err = wholeFile(e.out, 0o600, func(w io.Writer) error {
		n, err = e.write(ctx, svc, report, w, tick)
		return err
	})
	return n, err
}

func (e *exporting) write(ctx context.Context, svc api.Service, report string, out io.Writer, tick func(int, int)) (int, error) {
	x, err := e.filters(ctx, svc)
	if err != nil {
		return 0, err
	}
	buffer := bufio.NewWriter(out)
	var n int
	if report == "movements" {
		n, err = writeRows(ctx, svc, e, buffer, tick, api.ReportMovements, func(cursor string) api.ReportMovementsInput {
			in := x.ReportMovementsInput
			in.Cursor = cursor
			return in
		}, movementColumns)
	} else {
		n, err = writeRows(ctx, svc, e, buffer, tick, api.ReportSnapshot, x.snapshot, snapshotColumns)
	}
	if err != nil {
		return n, fmt.Errorf("the export cannot be finished: %s", sentence(err))
	}
	return n, buffer.Flush()
}

// A column is a name with what stands under it.
type column[T any] struct {
	name string
	of   func(*T) string
}

// writeRows writes all pages of a report.
func writeRows[I, T any](ctx context.Context, svc api.Service, e *exporting, out io.Writer, tick func(int, int),
	op api.Operation[I, api.List[T]], input func(cursor string) I, columns []column[T]) (n int, err error) {
	table, cells := sheet.NewWriter(out, e.excel), make([]string, len(columns))
	if e.format == "csv" {
		for i, c := range columns {
			cells[i] = c.name
		}
		if err := table.Write(cells); err != nil {
			return 0, err
		}
	}
	for cursor := ""; ; {
		page, err := op.Call(ctx, svc, input(cursor))
		if err != nil {
			return n, err
		}
		for _, row := range page.Items {
			if e.format == "jsonl" {
				err = writeLine(out, row)
			} else {
				for i, c := range columns {
					cells[i] = c.of(&row)
				}
				err = table.Write(cells)
			}
			if err != nil {
				return n, err
			}
			n++
		}
		if tick != nil {
			tick(n, n+1)
		}
		if page.NextCursor == nil {
			if tick != nil {
				tick(n, n)
			}
			return n, table.Flush()
		}
		cursor = *page.NextCursor
	}
}

func writeLine(out io.Writer, row any) error {
	text, err := json.Marshal(row)
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
