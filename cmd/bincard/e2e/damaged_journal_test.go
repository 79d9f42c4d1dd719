package e2e_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// receiveAll books the quantity that is pending on PO-1, in one lot.
func (s *screen) receiveAll(all string) {
	s.t.Helper()
	s.scan("PO-1")
	s.waitFor("Receive › PO-1")
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A")
	s.typeText(all)
	s.key("Enter")
	s.waitFor("Now " + all)
	s.key("Enter")
	s.waitFor("Received "+all, "not synced")
	s.key("Escape")
	s.waitFor(firstQuestion)
}

// TestSync_DamagedJournal cuts off saved work while the terminal is down. The sync screen
// and the header of every screen report it until a supervisor acknowledges it, and do not say
// that everything is synced.
func TestSync_DamagedJournal(t *testing.T) {
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
	open := func(route string) {
		t.Helper()
		s = at.openScreen(80, 24, "--offline", route)
		s.waitFor("enter continue", "DAMAGE") // a warning at the start
		s.key("Enter")
		s.waitGone("enter continue")
	}
	open("receive/PO-1")
	s.waitFor("DAMAGE", "Oat milk")
	s.key("C-q").requireExit(0)

	open("sync") // a restart changes nothing
	s.waitFor("DAMAGE", "Saved work is damaged: compare recent work with the stock", "○0", "acknowledge the damage", "No work is pending.")
	s.waitGone("synced")
	s.key("C-a")
	s.waitFor("end the alarm")
	s.key("Enter")
	s.waitFor("Everything is synced")
	s.waitGone("DAMAGE")
	s.waitFor("ONLINE")
	s.key("C-q").requireExit(0)

	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.Zero(t, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
	})
}
