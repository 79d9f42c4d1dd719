package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/confirm"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/views/export"
)

// An exportRun holds the flags of the export command.
type exportRun struct {
	queryFilter
	format, out      string
	reference, order string
	excel            bool
}

// exportCommand exports whole reports to files.
func exportCommand() *cobra.Command {
	var e exportRun
	cmd := &cobra.Command{
		Use:   "export movements|snapshot|receipts|shipments",
		Short: "Export movements, balances, receipts or shipments to a file",
		Long: `Export movements or balances, all or filtered, newest first, as CSV with a
header row or as JSON, one object per line. A file given with -o appears only
when it is complete. A movement has its lot with the expiration, its serials,
the document, the operator, the supervisor who approved it and the device; IDs
are the last columns.

Receipts are what was received for inbounds and transfers, shipments what was
shipped for outbounds and transfers: one line for each lot, with the columns of
the import, the time and the operator. --reference and --order select documents.

In CSV, text that a spreadsheet would read as a formula (it starts with =, +, -
or @, also after a semicolon) gets an apostrophe before it, which an import
removes. For the exact text, use jsonl. --excel writes a workbook (.xlsx) with
typed numbers and times, the latter in this computer's zone, and with totals.

Products, locations, owners and channels are given by SKU or code, or by ID.
Dates are days of this computer's time zone (2026-03-31, yesterday), times in it
(2026-03-31T14:00) or instants (2026-03-31T14:00:00Z); --from is inclusive, --to
is exclusive.`,
		Example: `  bincard export movements --data DIR --from 2026-03-01 --to 2026-04-01 \
      -o march.csv
  bincard export snapshot --as-of 2026-03-31T23:59:59Z --format jsonl
  bincard export receipts --from 2026-03-31 --to 2026-04-01 -o receipts.csv
  bincard export receipts --reference ASN-1 --format jsonl
  bincard export movements --sku OAT-1L --location WH-1 --excel -o oat.xlsx`,
		ValidArgs: []string{"movements", "snapshot", "receipts", "shipments"},
		Args:      cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || !slices.Contains(cmd.ValidArgs, args[0]) {
				return cli.UsageErrorf("%s needs movements, snapshot, receipts or shipments", cmd.CommandPath())
			}
			if err := e.checkFlags(args[0]); err != nil {
				return err
			}
			if e.format != "csv" && e.format != "jsonl" || e.excel && e.format != "csv" {
				return cli.UsageErrorf("--format must be csv or jsonl, and --excel has a format of its own")
			}

			return connect.WithCompany(cmd, func(svc api.Service) error {
				n, err := e.run(cmd.Context(), svc, args[0], cmd.OutOrStdout(),
					progress(cmd.ErrOrStderr(), "rows written"))
				if err == nil && e.out != "" {
					fmt.Fprintf(cmd.ErrOrStderr(), "Wrote %s to %s\n", cli.Plural(int(n), "row"), e.out)
				}
				return err
			})
		},
	}

	connect.CompanyFlags(cmd)
	connect.DemoFlag(cmd)
	f := cmd.Flags()
	f.StringVarP(&e.out, "out", "o", "", "the file to write; standard output if omitted")
	f.StringVar(&e.format, "format", "csv", "csv or jsonl")
	f.BoolVar(&e.excel, "excel", false, "write an Excel workbook (.xlsx)")
	f.StringVar(&e.AsOf, "as-of", "", "the balances at this time, or at the end of this day")
	f.StringVar(&e.reference, "reference", "", "for receipts and shipments: only the document with this reference")
	f.StringVar(&e.order, "order", "", "for receipts and shipments: only documents for this order")
	e.AddFlags(f)

	return cmd
}

// checkFlags returns an error if a flag is not one of the report's.
func (e *exportRun) checkFlags(report string) error {
	confirms := report == string(confirm.Receipts) || report == string(confirm.Shipments)
	switch {
	case e.AsOf != "" && report != "snapshot":
		return cli.UsageErrorf("--as-of is for snapshot; for %s, use --from and --to", report)
	case confirms && (e.Operation != "" || e.State != "" || e.Status != ""):
		return cli.UsageErrorf("--operation, --state and --status are not for %s", report)
	case !confirms && (e.reference != "" || e.order != ""):
		return cli.UsageErrorf("--reference and --order are for receipts and shipments")
	}

	return nil
}

// parseQuery returns the query that the flags describe.
func parseQuery(ctx context.Context, svc api.Service, f *queryFilter) (*movementQuery, error) {
	q, err := f.Parse()
	if err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	return q, f.Resolve(ctx, svc, q)
}

// run exports the report and returns the number of rows.
func (e *exportRun) run(
	ctx context.Context,
	svc api.Service,
	report string,
	stdout io.Writer,
	tick func(int, int),
) (n int64, err error) {
	if e.out == "" {
		return e.write(ctx, svc, report, stdout, tick)
	}
	err = export.WriteFile(cli.English, e.out, 0o600, func(w io.Writer) error {
		n, err = e.write(ctx, svc, report, w, tick)
		return err
	})
	return n, err
}

func (e *exportRun) write(
	ctx context.Context,
	svc api.Service,
	report string,
	out io.Writer,
	tick func(int, int),
) (int64, error) {
	q, err := parseQuery(ctx, svc, &e.queryFilter)
	if err != nil {
		return 0, err
	}

	var source export.Source
	switch kind := confirm.Report(report); {
	case kind == confirm.Receipts || kind == confirm.Shipments:
		x, err := confirm.New(ctx, svc,
			confirm.Query{Report: kind, Movements: q.ReportMovementsInput, Reference: e.reference, Order: e.order})
		if err != nil {
			return 0, fmt.Errorf("cannot export: %s", cli.ErrorSentence(err))
		}
		source = export.FromPages(kind.Columns(), counted(x.Page, tick))

	case report == "movements":
		source = pagesOf(
			svc,
			api.ReportMovements,
			export.MovementColumns,
			tick,
			func(cursor string) api.ReportMovementsInput {
				in := q.ReportMovementsInput
				in.Cursor = cursor
				return in
			},
		)

	default:
		source = pagesOf(svc, api.ReportSnapshot, export.BalanceColumns, tick, q.Snapshot)
	}

	format := export.Format(e.format)
	if e.excel {
		format = export.Excel
	}

	n, err := export.WriteSource(ctx, cli.English, out, format, source)
	if err != nil {
		return n, fmt.Errorf("cannot finish the export: %s", cli.ErrorSentence(err))
	}

	return n, nil
}

// pagesOf returns the rows of all pages of a report. It calls tick, if not nil, after
// each page.
func pagesOf[I, T any](
	svc api.Service,
	op api.Operation[I, api.List[T]],
	columns []export.Column[T],
	tick func(int, int),
	input func(cursor string) I,
) export.Source {
	return export.FromPages(columns, counted(func(ctx context.Context, cursor string) ([]T, *string, error) {
		page, err := op.Call(ctx, svc, input(cursor))
		return page.Items, page.NextCursor, err
	}, tick))
}

// counted calls tick, if not nil, with the number of rows after each page.
func counted[T any](fetch export.Fetch[T], tick func(int, int)) export.Fetch[T] {
	rows := 0

	return func(ctx context.Context, cursor string) ([]T, *string, error) {
		items, next, err := fetch(ctx, cursor)
		rows += len(items)
		switch {
		case err != nil || tick == nil:
		case next != nil:
			tick(rows, rows+1)
		default:
			tick(rows, rows)
		}

		return items, next, err
	}
}
