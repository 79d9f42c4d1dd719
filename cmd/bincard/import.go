package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/sheet"
)

// importCommand imports products, locations, stock or documents from a file.
func importCommand() *cobra.Command {
	var options intake.Options
	var dryRun, asJSON bool
	var encodingName string
	cmd := &cobra.Command{
		Use:   "import KIND FILE",
		Short: "Import products, locations, stock or documents from a file",
		Long: `Import products, locations, shelves, opening stock or documents from an Excel
workbook (.xlsx) or a CSV file with a header row, or from JSON lines with the
same names. KIND says what the lines are.
Commas, semicolons or tabs separate the cells of CSV. Unknown columns are
rejected. Columns may have German or Spanish names: see 'bincard help files'.

  products   sku, name; optional: barcode, unit, box factor, box barcode,
             tracking (none, lot or serial), reorder point; separate several
             barcodes in one cell with |
  locations  code, name, type (warehouse, store or virtual)
  shelves    sku, location, shelf: where a product is at a location; separate
             several with |, the main one first; an empty cell removes them
  stock      sku, location, quantity; optional: owner, channel, lot, expiry
             (2026-12-31); locations, owners and channels by code or name
  inbounds   reference, sku (or gtin), quantity, location; optional: line, lot,
             batch, expiry, serials, sscc, supplier, supplierReference, order,
             expectedAt, owner, channel` + detailColumns() + `
  outbounds  reference, sku (or gtin), quantity, location; optional: line,
             customer, order, shipAt, owner, channel
  transfers  reference, sku (or gtin), quantity, source, destination; optional:
             line, owner, channel

Lines with the same reference are one document; see 'bincard help files'. A
document that exists with other content is reported with the differences, and
nothing is imported, unless --only-new imports the documents that do not exist
yet.

Shopify's inventory export is read as stock: the on-hand quantity, entered or
counted, of each SKU at each location. Lines without a quantity, or for items
that a location does not stock, are skipped.

The whole file is checked first and every bad line is reported, up to 200;
nothing is written until all of it is valid. To finish an interrupted import,
run it again; repeating a finished import changes nothing. A product or location
that differs from its line is reported, or corrected with --change; empty cells
change nothing. Shelves become those of the file. Opening stock is not added to
other stock without --add.

FILE may be - for standard input.`,
		Example: `  bincard import products products.csv --data DIR --dry-run
  bincard import inbounds deliveries.csv --data DIR
  bincard import stock inventory_export.csv --data DIR --org ID --env live
  BINCARD_URL=https://HOST BINCARD_ORG=ID BINCARD_KEY=KEY \
      bincard import stock count.csv`,
		ValidArgs: []string{"products", "locations", "shelves", "stock", "inbounds", "outbounds", "transfers"},
		Args:      cli.AtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || !slices.Contains(intake.Kinds, intake.Kind(args[0])) {
				return cli.UsageErrorf(
					"%s needs products, locations, shelves, stock, inbounds, outbounds or transfers, and a file",
					cmd.CommandPath())
			}

			var other encoding.Encoding
			switch strings.ToLower(encodingName) {
			case "windows-1252":
				other = charmap.Windows1252
			case "utf-8":
			default:
				return cli.UsageErrorf("--encoding must be utf-8 or windows-1252, is %q", encodingName)
			}

			in := cmd.InOrStdin()
			if args[1] != "-" {
				f, err := os.Open(args[1])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
				folder := connect.FolderOf(args[1])
				options.Columns, err = folder.Columns(intake.Kind(args[0]), filepath.Base(args[1]))
				if err != nil {
					return err
				}
			}

			table, err := sheet.ReadAs(in, other)
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}

			return connect.WithCompany(cmd, func(svc api.Service) error {
				job := importRun{cmd: cmd, svc: svc, file: args[1], dryRun: dryRun, asJSON: asJSON, options: options}
				return job.run(cmd.Context(), intake.Kind(args[0]), table)
			})
		},
	}

	connect.CompanyFlags(cmd)
	cmd.Flags().Bool("offline", false,
		"save the operations on this machine while the service cannot be reached, and sync them later")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "check the file and report what would be imported")
	cmd.Flags().BoolVar(&options.Add, "add", false, "allow adding opening stock to existing stock")
	cmd.Flags().BoolVar(
		&options.Change,
		"change",
		false,
		"correct the products and locations that differ from the file",
	)
	cmd.Flags().BoolVar(&options.OnlyNew, "only-new", false,
		"import the documents that do not exist yet, and skip those that differ from existing ones")
	cmd.Flags().StringVar(&encodingName, "encoding", "utf-8",
		"the encoding of a file that is not UTF-8: windows-1252")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// toDo says what Apply does.
func toDo(p *intake.Plan) string {
	text := fmt.Sprintf(", %d to be imported", p.New())
	if p.Changed > 0 {
		text += fmt.Sprintf(", %d to be corrected", p.Changed)
	}
	return text
}

// detailColumns returns the columns of the details of an inbound, each after a comma.
func detailColumns() (text string) {
	for _, detail := range new(api.InboundDetails).Details() {
		text += ", " + detail.Name
	}
	return text
}

// An importRun is one run of the import command.
type importRun struct {
	cmd            *cobra.Command
	svc            api.Service
	file           string
	dryRun, asJSON bool
	options        intake.Options
}

// An importResult is the JSON output of the import command.
type importResult struct {
	File string `json:"file"`
	*intake.Plan
	DryRun bool `json:"dryRun"`
	ToDo   int  `json:"toDo"`
	intake.Outcome
}

func (j *importRun) run(ctx context.Context, kind intake.Kind, table *sheet.Table) error {
	tick := progress(j.cmd.ErrOrStderr(), "checked", "done")
	j.options.Progress = tick
	plan, err := intake.Prepare(ctx, j.svc, kind, table, j.options)
	if api.HasCode(err, api.NotFound) {
		return connect.ImportError(err)
	}
	if err != nil {
		return fmt.Errorf("cannot check the file: %s", cli.ErrorSentence(err))
	}

	result := importResult{File: j.file, Plan: plan, DryRun: j.dryRun, ToDo: plan.Steps()}
	if n := plan.ProblemCount(); n > 0 {
		if !j.asJSON {
			for _, p := range plan.Problems {
				_ = cli.Say(j.cmd.ErrOrStderr(), "%s: %s", j.file, p)
			}
			if plan.MoreProblems > 0 {
				_ = cli.Say(j.cmd.ErrOrStderr(), "%s: and %s", j.file, cli.Plural(plan.MoreProblems, "more problem"))
			}
		} else if err := cli.PrintResult(j.cmd, true, result, ""); err != nil {
			return err
		}

		return fmt.Errorf("%s has %s; nothing was changed. Fix the file and run it again", j.file,
			cli.Plural(n, "problem"))
	}

	if j.dryRun {
		return cli.PrintResult(j.cmd, j.asJSON, result,
			plan.Text(j.file)+toDo(plan)+". Nothing was changed.")
	}

	var failed error
	if result.Outcome, failed = plan.Apply(ctx, j.svc); failed == nil {
		return cli.PrintResult(j.cmd, j.asJSON, result, plan.ResultText(j.file, result.Outcome))
	}
	if tick != nil {
		fmt.Fprintln(j.cmd.ErrOrStderr())
	}

	var at *intake.StoppedError
	why := failed.Error()
	switch {
	case ctx.Err() != nil:
		why = "an interruption"
	case errors.As(failed, &at):
		why = fmt.Sprintf("line %d: %s", at.Line, cli.ErrorSentence(at.Err))
	}

	noun := "line"
	if kind.Documents() {
		noun = "operation"
	}

	return fmt.Errorf("the import stopped after %d of %s at %s. Run it again to finish; nothing is imported twice",
		result.Applied+result.Repeated, cli.Plural(plan.Steps(), noun), why)
}

// progress returns a callback that shows the progress of successive stages on a terminal,
// or nil if out is not a terminal. words names the stages; a stage ends when done equals
// of.
func progress(out io.Writer, words ...string) func(done, of int) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}

	stage, shown := 0, time.Now()

	return func(done, of int) {
		if done < of && time.Since(shown) < 200*time.Millisecond {
			return
		}

		shown = time.Now()
		fmt.Fprintf(out, "\r%d of %d %s ", done, of, words[stage])
		if done == of {
			fmt.Fprint(out, "\r"+strings.Repeat(" ", 60)+"\r")
			stage = min(stage+1, len(words)-1)
		}
	}
}
