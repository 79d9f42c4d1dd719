package printing_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/labeltest"
	"bincard/tui/label/printing"
)

func TestCheck_Addresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"tcp://10.0.0.9:9100", "tcp://printer", "tcp://[::1]:9100", "file:/dev/usb/lp0", "file:///dev/usb/lp0", "/dev/usb/lp0", "cups:Zebra_ZD421"} {
		require.NoError(t, printing.Printer{Name: "dock", Address: address}.Check(), address)
	}
	for _, address := range []string{"", "10.0.0.9:9100", "tcp://", "tcp://:9100", "tcp://a/b", "http://printer", "cups:", "cups:-x", "cups:a b", "file:"} {
		require.ErrorContains(t, printing.Printer{Name: "dock", Address: address}.Check(), "is not one of a printer", address)
	}
	require.ErrorContains(t, printing.Printer{Address: "cups:x"}.Check(), "needs a name")
	require.ErrorContains(t, printing.Printer{Name: "x", Address: "cups:x", DPI: 200}.Check(), "dpi = 200 is not supported")
	require.ErrorContains(t, printing.Printer{Name: "x", Address: "cups:x", Font: "^A"}.Check(), "is not the font")
}

func TestChoose_PrefersTerminalThenLocation(t *testing.T) {
	t.Parallel()
	list := printing.Printers{{Name: "any"}, {Name: "other", Location: "WH-2"}, {Name: "dock", Location: "WH-1"}, {Name: "mine", Terminal: "scanner-3"}, {Name: "theirs", Location: "WH-1", Terminal: "scanner-4"}}
	for _, c := range []struct{ location, terminal, want string }{
		{"WH-1", "scanner-3", "mine"}, {"WH-1", "scanner-4", "theirs"}, {"wh-1", "", "dock"}, {"WH-2", "scanner-4", "other"}, {"", "", "any"},
	} {
		p, ok := list.Choose(c.location, c.terminal)
		require.True(t, ok)
		require.Equal(t, c.want, p.Name)
	}
	_, ok := list[1:2].Choose("WH-1", "")
	require.False(t, ok)
	_, err := list.Find("nope")
	require.ErrorContains(t, err, `there is no printer "nope": use one of any, other, dock, mine, theirs`)
	_, err = printing.Printers{}.Find("nope")
	require.ErrorContains(t, err, "no printers are set up")
}

const sample = "^XA^FO1,1^A0N,20,20^FH\\^FDone^FS^XZ"

func TestSend_TCP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		behavior labeltest.PrinterBehavior
		reason   string // "" if it is printed
		maybe    bool
		printed  int
	}{
		"works":                     {behavior: labeltest.GoodPrinter, printed: 1},
		"out of labels":             {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Status: labeltest.MediaOut}, reason: "out of labels"},
		"head open and paused":      {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Status: labeltest.Paused}, reason: "the head is open, paused"},
		"closes at once":            {behavior: labeltest.PrinterBehavior{Refuse: true}, reason: "the printer does not report its status"},
		"never answers":             {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Silent: true}, reason: "the printer does not report its status"},
		"resets within the label":   {behavior: labeltest.PrinterBehavior{CloseAfter: 10}, reason: "the connection to the printer ended", maybe: true},
		"stalls after the label":    {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Stall: true}, reason: "the connection to the printer ended", maybe: true, printed: 1},
		"resets after it printed":   {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Reset: true}, reason: "the connection to the printer ended", maybe: true, printed: 1},
		"answers what is no status": {behavior: labeltest.PrinterBehavior{CloseAfter: -1, Status: "\x02a,b\x03\x02c\x03\x02d\x03"}, reason: "the printer does not report its status"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := labeltest.StartPrinter(t, func() labeltest.PrinterBehavior { return c.behavior })
			sender := printing.Sender{Answer: 10 * time.Second}
			if c.behavior.Silent || c.behavior.Stall {
				sender.Answer = 100 * time.Millisecond
			}
			_, err := sender.Send(t.Context(), printing.Printer{Name: "dock", Address: fake.Address}, []byte(sample))
			if c.reason == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.reason)
			}
			require.Equal(t, c.maybe, printing.MayBePrinted(err))
			require.Len(t, fake.Printed(), c.printed)
		})
	}
}

// A printer without status closes the connection when it has received all.
func TestSend_WithoutStatus(t *testing.T) {
	t.Parallel()
	fake := labeltest.StartPrinter(t, nil)
	_, err := printing.Sender{}.Send(t.Context(), printing.Printer{Name: "dock", Address: fake.Address, NoStatus: true}, []byte(sample))
	require.NoError(t, err)
	require.Equal(t, []string{sample}, fake.Printed())
	broken := labeltest.StartPrinter(t, func() labeltest.PrinterBehavior { return labeltest.PrinterBehavior{CloseAfter: 5} })
	_, err = printing.Sender{}.Send(t.Context(), printing.Printer{Name: "dock", Address: broken.Address, NoStatus: true}, []byte(sample))
	require.True(t, printing.MayBePrinted(err), err)
}

func TestSend_UnreachableIsNotPrinted(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ln.Close()
	_, err = printing.Sender{}.Send(t.Context(), printing.Printer{Name: "dock", Address: "tcp://" + ln.Addr().String()}, []byte(sample))
	require.ErrorContains(t, err, "the printer cannot be reached at 127.0.0.1:")
	require.False(t, printing.MayBePrinted(err))
}

func TestSend_File(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out.zpl")
	for range 2 {
		_, err := printing.Sender{}.Send(t.Context(), printing.Printer{Name: "dock", Address: "file:" + path}, []byte(sample))
		require.NoError(t, err)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, sample+sample, string(text))
	_, err = printing.Sender{}.Send(t.Context(), printing.Printer{Name: "dock", Address: "file:/dev/bincard-no-such-printer"}, []byte(sample))
	require.ErrorContains(t, err, "the printer /dev/bincard-no-such-printer cannot be opened")
	require.False(t, printing.MayBePrinted(err))
	require.NoFileExists(t, "/dev/bincard-no-such-printer")
}

func TestSend_CUPS(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	lp := func(name, script string) printing.Sender {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
		return printing.Sender{LP: path, Write: 10 * time.Second}
	}
	p := printing.Printer{Name: "dock", Address: "cups:Zebra_1"}
	out := filepath.Join(dir, "out")
	_, err := lp("good", `echo "$@" >`+out+`; cat >>`+out).Send(t.Context(), p, []byte(sample))
	require.NoError(t, err)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "-d Zebra_1 -o raw -t bincard\n"+sample, string(text))
	_, err = lp("bad", `echo "lp: The printer or class does not exist." >&2; exit 1`).Send(t.Context(), p, []byte(sample))
	require.ErrorContains(t, err, "CUPS does not accept the label: lp: The printer or class does not exist.")
	require.False(t, printing.MayBePrinted(err))
	ctx, cancel := context.WithCancel(t.Context())
	stuck := lp("stuck", "echo started >"+out+".pid; exec sleep 60")
	done := make(chan error)
	go func() {
		_, err := stuck.Send(ctx, p, []byte(sample))
		done <- err
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(out + ".pid"); return err == nil }, 30*time.Second, time.Millisecond)
	cancel()
	require.True(t, printing.MayBePrinted(<-done))
	_, err = printing.Sender{LP: filepath.Join(dir, "none")}.Send(t.Context(), p, []byte(sample))
	require.ErrorContains(t, err, "CUPS is not available")
}

func TestStatus_InWords(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{labeltest.ReadyStatus: "ready", labeltest.MediaOut: "out of labels", labeltest.Paused: "the head is open, paused (5)"} {
		fake := labeltest.StartPrinter(t, func() labeltest.PrinterBehavior { return labeltest.PrinterBehavior{CloseAfter: -1, Status: answer} })
		status, ok, err := printing.Sender{}.Status(t.Context(), printing.Printer{Name: "dock", Address: fake.Address})
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, status.String())
	}
	_, ok, err := printing.Sender{}.Status(t.Context(), printing.Printer{Name: "dock", Address: "cups:x"})
	require.NoError(t, err)
	require.False(t, ok)
}
