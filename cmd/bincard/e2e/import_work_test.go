package e2e_test

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestSync_ImportNamesItsFile imports the exported work of a terminal at another one. The
// supervisor who approves it reads how much is imported, from which file.
func TestSync_ImportNamesItsFile(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {20, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service := h.serve(c, "")
			first, second := h.withService(c, service.url), newMachine(t).withService(c, service.url)
			s := first.openScreen(80, 24, "--offline")
			s.awaitReplica().waitFor(firstQuestion, "ONLINE")
			service.end(syscall.SIGKILL)
			s.receiveAll("16")
			s.key("C-q").requireExit(0)
			file := h.path("queue.json")
			first.mustRun("outbox", "export", file)

			service = h.serve(c, service.addr)
			second.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
			second.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
			s = second.openScreen(size[0], size[1], "--offline", "sync")
			s.awaitReplica().waitFor("badge")
			s.scan("ADA-0001")
			s.waitFor("▸", "synced", "F5")
			s.key("C-o")
			s.waitFor("File to import")
			s.key("C-u").typeText(file + "x").key("Enter")
			s.waitFor("Check the path.")
			s.key("Enter", "C-o")
			s.waitFor("File to import")
			s.key("C-u").typeText(file).key("Enter")
			s.waitFor("import 1 of work from queue.json")
			s.scan("EVE-0009")
			s.waitFor("Imported 1, 0 already here")
			s.waitUntil("the service has it", func(string) bool {
				return do(t, c.client(service.url, c.key), api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity == 16
			})
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				require.EqualValues(t, 16, c.balance(c.service(l), c.oat, c.main).OnHand)
			})
		})
	}
}
