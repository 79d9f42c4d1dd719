// Bincard is a terminal for warehouse staff and the inventory ledger service
// behind it, in one binary. This package wires; a file is a sub-command.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	_ "bincard/tui/background" // before Bubble Tea asks for the background's colour
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program; its result is the exit status: 0 done, 1 failed,
// 2 wrong usage, 3 of a job that may or may not be done.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := rootCommand()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "bincard:", errorSentence(err))
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "Run 'bincard --help' for usage.")
		return 2
	}
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	return 1
}
