package manage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bincard/cmd/bincard/cli"
	"bincard/offline/host"
	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/store/boltstore"
)

// WithLedger runs fn on a ledger, which is created if necessary. If another process has its
// directory open, fn runs there.
func WithLedger(ctx context.Context, place *LedgerPlace, fn func(admin.Admin) error) error {
	cfg := place.Config()
	cfg.CreateTables = true
	return OpenError(admin.Do(ctx, cfg, fn))
}

// withExistingLedger is withLedger for a ledger that must already exist.
func withExistingLedger(ctx context.Context, place *LedgerPlace, fn func(admin.Admin) error) error {
	if place.Database == "" {
		if err := RequireLedger(place.Dir); err != nil {
			return err
		}
	}

	return OpenError(admin.Do(ctx, place.Config(), fn))
}

// RequireLedger returns an error if dir has no ledger, so that a mistyped directory is
// not initialized.
func RequireLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, boltstore.File)); err != nil {
		return fmt.Errorf(
			"there is no ledger in %s (%w); set --data to a ledger's directory, or restore a backup with 'bincard restore'",
			dir,
			err,
		)
	}

	return nil
}

// VerifyInProcess verifies a ledger in a child process.
var VerifyInProcess = admin.ProcessVerifier("verify", "--pages", "--lines", "--data")

// showProgress returns a callback that shows progress if out is a terminal, else nil.
// done clears the line.
func showProgress(out io.Writer) (progress archive.ProgressFunc, done func()) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}

	clear := func() { fmt.Fprint(out, "\r\x1b[K") }
	began, shown := time.Now(), archive.Progress{}
	last := time.Time{}

	return func(p archive.Progress) {
		if p.Stage == shown.Stage && time.Since(last) < 200*time.Millisecond {
			return
		}
		shown, last = p, time.Now()
		clear()
		fmt.Fprint(out, formatProgress(p, time.Since(began)))
	}, clear
}

// formatProgress formats p as one line.
func formatProgress(p archive.Progress, took time.Duration) string {
	words := map[archive.Stage]string{archive.Waiting: "waiting for another backup or verification", archive.Copying: "copying",
		archive.Checking: "checking pages", archive.Verifying: "verifying"}[p.Stage]
	if words == "" {
		words = string(p.Stage)
	}
	if p.Total == 0 && p.Done > 0 {
		words += fmt.Sprintf(" %.1f MB", float64(p.Done)/1e6)
	}
	if p.Total > 0 {
		words += fmt.Sprintf(" %d %%", 100*p.Done/p.Total)
	}

	switch {
	case p.Total > 0 && p.Stage == archive.Copying:
		words += fmt.Sprintf(" of %.1f MB", float64(p.Total)/1e6)
	case p.Total > 0 && p.Stage == archive.Verifying:
		words += fmt.Sprintf(" of %d entries", p.Total)
	}

	return strings.TrimSpace(words) + fmt.Sprintf(", %s", took.Round(time.Second))
}

// VerifyCommand verifies the ledger in a data directory.
func VerifyCommand() *cobra.Command {
	var place LedgerPlace
	var head string
	var asJSON, pages, lines bool
	cmd := &cobra.Command{
		Use:   "verify --data DIR|--store URL",
		Short: "Verify that movements add up to the balances",
		Long: `Read every journal entry and verify that the movements add up to the balances,
that each movement continues the one before, and that open documents account for
reserved, committed and incoming stock. If something does not add up, the exit
status is 1 and the balance or entry is named.

Every entry has the hash of the one before it. The last line is the head: the
number and hash of the newest entry. Keep it where nobody who can write to the
data directory can change it, such as in a mail to the auditor. Later,
--head NUMBER:HASH proves that no entry up to it was changed, removed or added
since; otherwise the exit status is 1. This says nothing about entries that are
newer than every head you kept, and nothing about changes made before you kept
one: who can rewrite the whole directory can also rewrite the hashes. Entries of
versions without hashes are not covered.

The ledger may be in use: the service or terminal that has it open verifies a
consistent copy, including its pages, and keeps working; this temporarily needs
twice the ledger's space in the data directory. A service can also do it by
itself; see --verify-every of 'bincard serve'.

A ledger in a database may be in use, too: a copy as of one point in time is
verified in the directory for temporary files, which needs the ledger's space.

With the directory of an edge or an offline terminal, which must not run, the
journal of its operations and the data from the service are verified instead.`,
		Example: `  bincard verify --data /var/lib/bincard
  bincard verify --data /var/lib/bincard \
      --head 313:5c21e72c1c939d11f7ddd21dc602e274d2c63cb4a85c28ec`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd); err != nil {
				return err
			}

			kept, err := parseHead(head)
			if err != nil {
				return err
			}

			ctx := cmd.Context()
			if place.Database == "" && host.HasJournal(place.Dir) {
				return verifyNode(cmd, place.Dir, asJSON)
			}

			if lines {
				return withExistingLedger(ctx, &place, func(a admin.Admin) error {
					admin.WriteProgress(
						cmd.OutOrStdout(),
						nil,
						func(progress archive.ProgressFunc) (*audit.Result, error) {
							return a.Verify(ctx, pages, progress)
						},
					)

					return nil
				})
			}

			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()

			return withExistingLedger(ctx, &place, func(a admin.Admin) error {
				proof, err := a.Verify(ctx, pages, progress)
				done()
				if ctx.Err() != nil {
					return errors.New("stopped; nothing was verified")
				}
				if err != nil {
					return err
				}

				words, headErr := formatProof(proof)+formatHeads(proof.Heads), error(nil)
				if kept.Seq > 0 {
					var found string
					if found, headErr = checkHead(ctx, a, kept); headErr == nil {
						words += "\n" + found
					}
				}

				if err := cli.PrintResult(cmd, asJSON, proof, words); err != nil {
					return err
				}
				if len(proof.Faults) > 0 {
					return errors.Join(headErr, errors.New(
						"the ledger does not add up; keep a copy of the data directory before you do anything else"))
				}

				return headErr
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&head, "head", "", "a head that you kept, NUMBER:HASH, which must be part of the history")
	cmd.Flags().BoolVar(&pages, "pages", false, "also check the file's pages")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&lines, "lines", false, "print progress and result as JSON lines, for the parent process")
	_ = cmd.Flags().MarkHidden("lines")

	return cmd
}

// verifyNode verifies the data of an edge or an offline terminal.
func verifyNode(cmd *cobra.Command, dir string, asJSON bool) error {
	proof, err := host.VerifyStored(cmd.Context(), dir, cli.MachineClock{})
	if err != nil {
		return err
	}

	words := fmt.Sprintf(
		"%s of %s in the journal, %d not synced, all readable\n%d balances from the service, which give the same result again with them",
		cli.Plural(proof.Operations, "operation"),
		proof.Service,
		proof.Open,
		proof.Balances,
	)

	if len(proof.Faults) > 0 {
		words = strings.Join(proof.Faults, "\n")
	}
	if err := cli.PrintResult(cmd, asJSON, proof, words); err != nil {
		return err
	}
	if len(proof.Faults) > 0 {
		return errors.New("the offline data is damaged; keep a copy of the data directory before you do anything else")
	}

	return nil
}

// formatProof formats the result of a verification.
func formatProof(proof *audit.Result) string {
	var words strings.Builder
	for _, f := range proof.Faults {
		fmt.Fprintf(&words, "! %s\n", f)
	}

	fmt.Fprintf(&words, "%d balances, %d movements in %d entries, %d documents: ",
		proof.Balances, proof.Movements, proof.Records, proof.Documents)
	if len(proof.Faults) == 0 {
		words.WriteString("everything adds up.")
	} else {
		fmt.Fprintf(&words, "%d faults.", len(proof.Faults))
	}

	return words.String()
}
