package printer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/printer"
)

func TestCheck_Addresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"tcp://10.0.0.9:9100", "tcp://printer", "tcp://[::1]:9100", "file:/dev/usb/lp0", "file:///dev/usb/lp0", "/dev/usb/lp0", "cups:Zebra_ZD421"} {
		require.NoError(t, printer.Printer{Name: "dock", Address: address}.Check(), address)
	}
	for _, address := range []string{"", "10.0.0.9:9100", "tcp://", "tcp://:9100", "tcp://a/b", "http://printer", "cups:", "cups:-x", "cups:a b", "file:"} {
		require.ErrorContains(t, printer.Printer{Name: "dock", Address: address}.Check(), "is not one of a printer", address)
	}
	require.ErrorContains(t, printer.Printer{Address: "cups:x"}.Check(), "needs a name")
	require.ErrorContains(t, printer.Printer{Name: "x", Address: "cups:x", DPI: 200}.Check(), "dpi = 200 is not supported")
	require.ErrorContains(t, printer.Printer{Name: "x", Address: "cups:x", Font: "^A"}.Check(), "is not the font")
}

func TestChoose_PrefersTerminalThenLocation(t *testing.T) {
	t.Parallel()
	list := printer.List{{Name: "any"}, {Name: "other", Location: "WH-2"}, {Name: "dock", Location: "WH-1"}, {Name: "mine", Terminal: "scanner-3"}, {Name: "theirs", Location: "WH-1", Terminal: "scanner-4"}}
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
	_, err = printer.List{}.Find("nope")
	require.ErrorContains(t, err, "no printers are set up")
}
