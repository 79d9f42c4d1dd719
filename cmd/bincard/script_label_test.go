package main

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bincard/tui/label/printer/printertest"
)

// scriptPrinter starts a label printer and sets a variable to its address: printer NAME
// [good|out|reset|refuse].... Each connection behaves as the next word says, and as one that
// works after them.
func scriptPrinter(t *testing.T) func(*testscript.TestScript, bool, []string) {
	behaviors := map[string]printertest.Behavior{"good": printertest.Good, "out": {CloseAfter: -1, Status: printertest.MediaOut},
		"reset": {CloseAfter: -1, Reset: true}, "refuse": {Refuse: true}}
	return func(ts *testscript.TestScript, _ bool, args []string) {
		next := args[1:]
		fake := printertest.Start(t, func() printertest.Behavior {
			if len(next) == 0 {
				return printertest.Good
			}
			word := next[0]
			next = next[1:]
			return behaviors[word]
		})
		ts.Setenv(args[0], strings.TrimPrefix(fake.Address, "tcp://"))
	}
}
