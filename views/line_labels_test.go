package views_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/printer"
	"bincard/tui/label/setup"
	"bincard/views/viewtest"
)

func TestLineMode_PrintsLabels(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	service := h.SetUpLabels(t, setup.Settings{Printers: printer.List{{Name: "dock", Address: "cups:dock"}}})
	h.Inbound("PO-1", h.Oat, 60, time.Hour)
	out := runLines(t, h, 80, nil, "PO-1", "]d201"+h.OatBox+"1727033110L42-A", "48", "receive", "labels", "", "quit")
	requireSays(t, out, "Received 48", "PRINT LABEL OAT-1L L42-A", "Expires 2027-03-31", "printer dock, template 70x40", "enter prints 4 labels, or number> ", "4 labels to dock")
	jobs, err := service.Queue.Jobs()
	require.NoError(t, err)
	require.Len(t, jobs, 1)

	out = runLines(t, h, 80, nil, "COF-500", "print label", "3", "print", "quit")
	requireSays(t, out, "Product label: COF-500", "enter prints 1 label, or number> 3", "enter prints 3 labels, or number> ", "3 labels to dock")
}
