package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/server/archive"
)

// restoreCommand puts a copy of a ledger back.
func restoreCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore FILE --data DIR",
		Short: "Put a copy of a ledger back, once it is proven",
		Long: `Put a copy of a ledger into a data directory, which must be empty or not there:
nothing is ever overwritten. The copy is proven first, page by page and record
by record as 'bincard verify' does, and only then put in place.

What was written after the copy was made is lost, and is to be entered again.
Keys that were revoked since work again: revoke them anew. Terminals and other
readers of the change feed notice, and read everything anew.`,
		Example: `  bincard restore /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("%s needs the file of a copy", cmd.CommandPath())
			}
			if err := need(cmd, "data"); err != nil {
				return err
			}
			if err := archive.Restore(cmd.Context(), args[0], dir, proveApart); err != nil {
				return err
			}
			return answer(cmd, asJSON, map[string]any{"file": args[0], "data": dir},
				fmt.Sprintf("Put %s back into %s; everything adds up.", args[0], dir))
		},
	}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// proofTime bounds a proof: pages that are damaged can lead in a circle.
const proofTime = 2 * time.Hour

// proveApart proves the ledger in a directory in a process of its own: one that
// is damaged can end the process that reads it.
func proveApart(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // there even when the program was replaced meanwhile
	}
	cmd := exec.CommandContext(ctx, program, "verify", "--pages", "--data", dir)
	cmd.Args[0] = os.Args[0]
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("its proof was not done: %w", ctx.Err())
	case !errors.As(err, &exit):
		return fmt.Errorf("it cannot be proven: %w", err)
	case exit.ExitCode() != 1:
		return fmt.Errorf("its pages are damaged: reading them ended the process (%w)", err)
	}
	said, _, _ := strings.Cut(out.String()+strings.TrimPrefix(words.String(), "bincard: "), "\n")
	return errors.New(said)
}
