package e2e_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImport_OnScreen imports a file with a bad line, and then the corrected one, for which a
// supervisor's badge is needed.
func TestImport_OnScreen(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service := h.serve(c, "")
			at := h.withService(c, service.url)
			at.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
			at.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
			s := at.openScreen(size[0], size[1])
			s.waitFor("badge")
			s.scan("ADA-0001")
			s.waitFor("Receive")
			s.key("1")
			s.waitFor("PO-1")
			file := h.path("day.csv")
			require.NoError(t, os.WriteFile(file, []byte(inboxFile("DAY", 5)+"DAY-X,NONE,1,WH-1,1\n"), 0o600))
			s.key("C-o")
			s.waitFor("Which file in")
			s.typeText(file).key("Enter")
			s.waitFor("1 problem.", "there is no product NONE")
			require.NoError(t, os.WriteFile(file, []byte(inboxFile("DAY", 5)), 0o600))
			s.key("Enter")
			s.waitFor("Import 5 deliveries?", "15 lines of 5 deliveries")
			s.key("Enter")
			s.waitFor("from day.csv")
			s.scan("EVE-0009")
			s.waitFor("Imported 5 deliveries")
			s.key("Enter")
			s.waitFor("DAY-00")
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.requireImported(c.references(), "DAY", 5)
		})
	}
}
