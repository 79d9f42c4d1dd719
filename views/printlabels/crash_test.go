package printlabels_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/label/printing"
	"bincard/tui/label/setup"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// watchedDrafts calls a function before a draft is removed.
type watchedDrafts struct {
	tui.Drafts
	discarding func()
}

func (d watchedDrafts) Discard(route, owner string) error {
	d.discarding()
	return d.Drafts.Discard(route, owner)
}

// openWith starts a terminal with drafts on the screen of PO-1.
func openWith(t *testing.T, w *viewtest.Warehouse, saved tui.Drafts) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, w.Site, settings.Hooks{})
	return w.Terminal(t, reg, func(o *shell.Options) { o.Start, o.Drafts = []string{"home", "receive/PO-1"}, saved })
}

// automatic returns a warehouse that prints the labels of receipts without asking.
func automatic(t *testing.T) (*viewtest.Warehouse, *printing.Service) {
	t.Helper()
	w := viewtest.NewWarehouse(t)
	all := printers
	all.Automatic = []setup.Automatic{{Location: "WH-1"}}
	return w, w.SetUpLabels(t, all)
}

func TestReceipt_LabelsAreQueuedBeforeTheDraftIsRemoved(t *testing.T) {
	t.Parallel()
	w, s := automatic(t)
	w.Inbound("PO-1", w.Oat, 60, time.Hour)
	var atDiscard [][]any
	saved := watchedDrafts{drafts.InMemory(), func() { atDiscard = queued(t, s) }}
	openWith(t, w, saved).Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12", "1 label to ZEBRA-1")
	require.Equal(t, [][]any{{"OAT-1L L42-A", "ZEBRA-1", 1}}, atDiscard)
}

// A terminal that was killed while a receipt was sent finds its draft. Whatever was done
// until then, each label is printed once.
func TestReceipt_LabelsAreQueuedOnceAfterACrash(t *testing.T) {
	t.Parallel()
	for name, scans := range map[string][]string{
		"one line":      {"]d2240CAM-1\x1d21SN-1"},
		"several lines": {"]d2240CAM-1\x1d21SN-1", "COF-500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := automatic(t)
			w.Inbound("PO-1", w.Camera, 2, time.Hour)
			want := [][]any{{"CAM-1 SN-1", "ZEBRA-1", 1}}
			if len(scans) > 1 {
				w.Inbound("PO-1", w.Coffee, 5, time.Hour)
				want = append(want, []any{"COF-500", "ZEBRA-1", 1})
			}
			saved := drafts.InMemory()
			var atSend []tui.Draft
			keep := func() {
				var err error
				atSend, err = saved.List()
				require.NoError(t, err)
			}
			w.Proxy.Before(api.ReceiveInbound.Spec, keep)
			d := openWith(t, w, saved)
			for _, code := range scans {
				d.Scan(code)
			}
			d.Advance(time.Second).Key("enter").Sees("to ZEBRA-1")
			require.Equal(t, want, queued(t, s))
			require.Len(t, atSend, 1)

			require.NoError(t, saved.Save(atSend[0]))
			d = openWith(t, w, saved).Sees("No answer yet for: receive 1").Key("enter").Sees("Received")
			require.Equal(t, want, queued(t, s))
			require.Empty(t, tuitest.DraftRoutes(t, saved))
			if len(scans) == 1 {
				d.Sees("1 of 2", "ctrl+k labels for the 1 received: 1") // to print it again
			}
		})
	}
}

// The answer is lost after the receipt was recorded: its labels come with the repetition.
func TestReceipt_LabelsFollowALostAnswer(t *testing.T) {
	t.Parallel()
	w, s := automatic(t)
	w.Inbound("PO-1", w.Camera, 2, time.Hour)
	w.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	saved := drafts.InMemory()
	openWith(t, w, saved).Scan("]d2240CAM-1\x1d21SN-1").Advance(time.Second).Key("enter").Sees("may already be recorded")
	require.Empty(t, queued(t, s))
	openWith(t, w, saved).Key("enter").Sees("Received 1: 1 of 2")
	require.Equal(t, [][]any{{"CAM-1 SN-1", "ZEBRA-1", 1}}, queued(t, s))
}
