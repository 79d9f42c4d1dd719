package shell_test

import (
	"testing"

	"bincard/tui/shell"
	"bincard/tui/tuitest"

	"github.com/stretchr/testify/require"
)

func TestRun_Job(t *testing.T) {
	t.Parallel()
	p := tuitest.Start(t, shell.Options{Registry: registry(), Status: status(), ShowIdle: true})
	p.WaitFor("1 Receive")
	p.Input("1")
	p.WaitFor("Receive › PO-1")
	for _, code := range []string{"BOX-1\r", "BOX-2\r\n", "\x02BOX-3\x03\r", "]C1BOX-4\r"} {
		p.Input(code)
		p.WaitIdle()
	}
	p.WaitFor("book 48")
	p.WaitFor(shell.IdleMark)
	p.Input("\x1b[B") // after another key, enter is not one right after a scan
	p.Input("\r")
	p.WaitFor("booked 48")
	p.Size(20, 16)
	p.Input("\x1b")
	p.Until("is home again", func(l shell.Capture) bool { return l.Route == "home" })
	p.Input("\x11")
	require.NoError(t, p.WaitEnd())
}

func TestRun_TwentyScansAtOnce(t *testing.T) {
	t.Parallel()
	p := tuitest.Start(t, shell.Options{Registry: registry(), Start: []string{"receive/PO-1"}})
	p.WaitFor("Scan a box")
	for i := range 20 {
		p.Input("BOX-" + string(rune('A'+i)) + "\r")
	}
	p.WaitFor("book 240")
}
