package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestSync_DamagedJournal cuts off saved work while the terminal is down. The sync screen
// and the header of every screen report it until a supervisor acknowledges it, and do not say
// that everything is synced.
func TestSync_DamagedJournal(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service := h.serve(c, "")
			at := h.withService(c, service.url)
			s := at.openScreen(80, 24, "--offline")
			s.awaitReplica().waitFor(firstQuestion, "ONLINE")
			service.end(syscall.SIGKILL)
			s.receiveAll("16")
			s.waitFor("○1")
			s.key("C-q").requireExit(0)
			journals, err := filepath.Glob(h.path("data_home", "bincard", "offline", "*", "work.journal"))
			require.NoError(t, err)
			require.Len(t, journals, 1)
			info, err := os.Stat(journals[0])
			require.NoError(t, err)
			require.NoError(t, os.Truncate(journals[0], info.Size()/2))

			service = h.serve(c, service.addr)
			for range 2 { // a restart changes nothing
				s = at.openScreen(size[0], size[1], "--offline", "receive/PO-1")
				s.waitFor("enter continue", "DAMAGE")
				s.key("Enter")
				s.waitGone("enter continue")
				s.waitFor("DAMAGE", "Oat milk")
				s.key("C-q").requireExit(0)
			}
			s = at.openScreen(size[0], size[1], "--offline", "sync")
			s.waitFor("enter continue") // a warning at the start
			s.key("Enter")
			s.waitGone("enter continue")
			s.waitFor("DAMAGE")
			if size[1] == 24 {
				s.waitFor("Saved work is damaged: compare recent work with the stock", "○0", "acknowledge the damage", "No work is pending.")
			} else {
				s.waitFor("▸ saved work damaged", "work.journal")
			}
			s.waitGone("synced")
			s.key("C-a")
			s.waitFor("end the alarm")
			s.key("Enter")
			if size[1] == 24 {
				s.waitFor("Everything is synced")
			} else {
				s.waitFor("all synced")
			}
			s.waitGone("DAMAGE")
			s.waitFor("ONLINE")
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				require.Zero(t, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
			})
		})
	}
}
