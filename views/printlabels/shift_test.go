package printlabels_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/label/printer"
	"bincard/tui/label/printer/printertest"
	"bincard/tui/label/queue"
	"bincard/tui/label/setup"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// shift is how many receipts an operator records.
const shift = 200

// The printer closes connections, stalls and runs out of labels during a shift. Each label
// is printed once, or shown as one that may be printed, and every receipt is recorded.
func TestShift_EachLabelOnceOrShown(t *testing.T) {
	t.Parallel()
	var connection atomic.Int64
	fake := printertest.Start(t, func() printertest.Behavior {
		switch n := connection.Add(1); {
		case n%23 == 0:
			return printertest.Behavior{CloseAfter: 40}
		case n%31 == 0:
			return printertest.Behavior{CloseAfter: -1, Stall: true}
		case n%37 == 0:
			return printertest.Behavior{CloseAfter: -1, Reset: true}
		case n%7 == 0:
			return printertest.Behavior{CloseAfter: -1, Status: printertest.MediaOut}
		case n%11 == 0:
			return printertest.Behavior{Refuse: true}
		}
		return printertest.Good
	})
	w := viewtest.NewWarehouse(t)
	service := w.SetUpLabels(t, setup.Settings{Printers: printer.List{{Name: "dock", Address: fake.Address}}, Automatic: []setup.Automatic{{Location: "WH-1"}}})
	worker := &queue.Worker{Queue: service.Queue, Printers: service.Settings.Printers,
		Send: printer.Sender{Answer: 200 * time.Millisecond}.Send}
	reg := tui.NewRegistry()
	views.Register(reg, w.Site, settings.Hooks{})
	d := w.Terminal(t, reg)
	document := w.Inbound("PO-1", w.Oat, shift, time.Hour)
	d.Do(tui.Open("receive/" + document.ID.String()))
	for i := range shift {
		d.Scan(fmt.Sprintf("]d2010%s1727033110L%04d", w.OatUnit, i)).Advance(time.Second).Key("enter").Sees(fmt.Sprintf("%d of %d", i+1, shift))
		_ = worker.Drain(t.Context(), "dock") // the queue has the error
	}
	for range shift { // the printer runs out of labels again and again
		_ = worker.Drain(t.Context(), "dock")
	}
	jobs, err := service.Queue.Jobs()
	require.NoError(t, err)
	printed := map[string]int{}
	for _, text := range fake.Printed() {
		for i := range shift {
			if strings.Contains(text, fmt.Sprintf("L%04d", i)) {
				printed[fmt.Sprintf("OAT-1L L%04d", i)]++
			}
		}
	}
	shown := map[string]bool{}
	for _, job := range jobs {
		require.Contains(t, []queue.State{queue.Printed, queue.MaybePrinted}, job.State)
		if job.State == queue.MaybePrinted {
			shown[job.Title] = true
		}
	}
	for i := range shift {
		title := fmt.Sprintf("OAT-1L L%04d", i)
		require.LessOrEqual(t, printed[title], 1, title)
		require.True(t, printed[title] == 1 || shown[title], "%s is neither printed nor shown", title)
	}
	require.NotEmpty(t, shown)
	require.Less(t, len(shown), shift/4)
}
