package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/sheet"
)

// maxSheet is the maximum size of an imported file in bytes.
const maxSheet = 256 << 20

// importCommand imports products, locations or stock from a CSV file.
func importCommand() *cobra.Command {
	var dryRun, add, asJSON bool
	cmd := &cobra.Command{
		Use:   "import products|locations|stock FILE.csv",
		Short: "Import products, locations or opening stock from a CSV file",
		Long: `Import products, locations or opening stock from a CSV file with a header row.
Commas, semicolons or tabs separate the cells. Unknown columns are rejected.

  products   sku, name; optional: barcode, unit, box factor, box barcode,
             tracking (none, lot or serial), reorder point; separate several
             barcodes in one cell with |
  locations  code, name, type (warehouse, store or virtual)
  stock      sku, location, quantity; optional: owner, channel, lot, expiry
             (2026-12-31); locations, owners and channels by code or name

Shopify's inventory export is read as stock: the on-hand quantity, entered or
counted, of each SKU at each location. Lines without a quantity, or for items
that a location does not stock, are skipped.

The whole file is checked first and every bad line is reported; nothing is
written until all of it is valid. To finish an interrupted import, run it again;
repeating a finished import changes nothing. Existing data is never changed: a
product that differs from its line is reported, and opening stock is not added to
other stock without --add.

FILE may be - for standard input.`,
		Example: `  bincard import products products.csv --data DIR --dry-run
  bincard import stock inventory_export.csv --data DIR --org ID --env live
  BINCARD_URL=https://HOST BINCARD_ORG=ID BINCARD_KEY=KEY bincard import stock count.csv`,
		ValidArgs: []string{"products", "locations", "stock"},
		Args:      atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || !slices.Contains(intake.Kinds, intake.Kind(args[0])) {
				return usageErrorf("%s needs products, locations or stock, and a file", cmd.CommandPath())
			}
			data, err := readSheet(cmd.InOrStdin(), args[1])
			if err != nil {
				return err
			}
			table, err := sheet.Read(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			return withCompany(cmd, func(svc api.Service) error {
				job := importRun{cmd: cmd, svc: svc, file: args[1], dryRun: dryRun, asJSON: asJSON, add: add}
				return job.run(cmd.Context(), intake.Kind(args[0]), table)
			})
		},
	}
	companyFlags(cmd)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "check the file and report what would be imported")
	cmd.Flags().BoolVar(&add, "add", false, "allow adding opening stock to existing stock")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// readSheet reads a file, or standard input if file is "-".
func readSheet(in io.Reader, file string) ([]byte, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxSheet+1))
	if err == nil && len(data) > maxSheet {
		err = fmt.Errorf("%s is larger than %d MiB; split it", file, maxSheet>>20)
	}
	return data, err
}

// An importRun is one run of the import command.
type importRun struct {
	cmd                 *cobra.Command
	svc                 api.Service
	file                string
	dryRun, asJSON, add bool
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
	plan, err := intake.Prepare(ctx, j.svc, kind, table, intake.Options{Add: j.add, Progress: tick})
	if api.HasCode(err, api.NotFound) {
		return errors.New("this service has no catalog to check the file against (/products, /locations or /balances is missing); import with --data instead")
	}
	if err != nil {
		return fmt.Errorf("cannot check the file: %s", errorSentence(err))
	}
	result := importResult{File: j.file, Plan: plan, DryRun: j.dryRun, ToDo: plan.Steps()}
	if n := len(plan.Problems); n > 0 {
		if !j.asJSON {
			for _, p := range plan.Problems {
				_ = say(j.cmd.ErrOrStderr(), "%s: %s", j.file, p)
			}
		} else if err := printResult(j.cmd, true, result, ""); err != nil {
			return err
		}
		return fmt.Errorf("%s has %s; nothing was changed. Fix the file and run it again", j.file, plural(n, "problem"))
	}
	if j.dryRun {
		return printResult(j.cmd, j.asJSON, result, j.summary(plan)+fmt.Sprintf(", %d to be imported. Nothing was changed.", plan.Steps()))
	}
	var failed error
	if result.Outcome, failed = plan.Apply(ctx, j.svc); failed == nil {
		words := j.summary(plan) + fmt.Sprintf(", %d imported", result.Applied)
		if result.Repeated > 0 {
			words += fmt.Sprintf(", %d already imported", result.Repeated)
		}
		return printResult(j.cmd, j.asJSON, result, words+".")
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
		why = fmt.Sprintf("line %d: %s", at.Line, errorSentence(at.Err))
	}
	return fmt.Errorf("the import stopped after %d of %s at %s. Run it again to finish; nothing is imported twice",
		result.Applied+result.Repeated, plural(plan.Steps(), "line"), why)
}

func (j *importRun) summary(p *intake.Plan) string {
	out := fmt.Sprintf("%s: %s of %s", j.file, plural(p.Lines, "line"), p.Kind)
	if p.Format == intake.Shopify {
		out += " (Shopify's inventory export)"
	}
	if p.Skipped > 0 {
		out += fmt.Sprintf(", %d without a quantity", p.Skipped)
	}
	if p.Unchanged > 0 {
		out += fmt.Sprintf(", %d already there", p.Unchanged)
	}
	return out
}

// plural returns n with a noun in the singular or plural.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
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
