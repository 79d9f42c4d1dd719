package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
)

// inboxFile writes a file of deliveries of three lines each.
func inboxFile(name string, deliveries int) string {
	var b strings.Builder
	b.WriteString("reference,sku,quantity,location,line\n")
	for i := range 3 * deliveries {
		fmt.Fprintf(&b, "%s-%03d,MUG-W,%d,WH-1,%d\n", name, i/3, 1+i%9, i%3)
	}
	return b.String()
}

// put puts a file into an inbox as a sender does: under another name first.
func (h *machine) put(inbox, name, text string) {
	h.t.Helper()
	path := filepath.Join(inbox, "inbounds", name)
	require.NoError(h.t, os.WriteFile(path+".tmp", []byte(text), 0o600))
	require.NoError(h.t, os.Rename(path+".tmp", path))
}

// filesIn returns the names of the files in a folder of an inbox.
func filesIn(t testing.TB, inbox, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(inbox, folder))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// references returns the number of inbounds by reference.
func (c *company) references() map[string]int {
	c.t.Helper()
	all := map[string]int{}
	c.withLedger(func(l *ledger.Ledger) {
		many := int64(100)
		for in := (api.ListInboundsInput{Page: api.Page{Limit: &many}}); ; {
			list := do(c.t, c.service(l), api.ListInbounds, in)
			for i := range list.Items {
				all[list.Items[i].ReferenceID]++
			}
			if list.NextCursor == nil {
				return
			}
			in.Cursor = *list.NextCursor
		}
	})
	return all
}

// requireImported requires that the deliveries of a file exist once.
func (c *company) requireImported(all map[string]int, name string, deliveries int) {
	c.t.Helper()
	for i := range deliveries {
		require.Equal(c.t, 3, all[fmt.Sprintf("%s-%03d", name, i)], "%s-%03d", name, i)
	}
}

// reportNumbers matches the numbers in the report of an imported file.
var reportNumbers = regexp.MustCompile(`^(\S+)\.csv: (\d+) lines of (\d+) inbounds(?:, (\d+) already there)?, (\d+) imported\.\n$`)

// TestInbox_KilledMidway kills a service while it imports a file, again and again. Nothing is
// lost or doubled, and each file ends with a true report. When a file is imported before the
// last kill, the next one arrives.
func TestInbox_KilledMidway(t *testing.T) {
	t.Parallel()
	kills := budget.InboxKills.Cases(t)
	deliveries := 134 * kills
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbox := h.path("inbox")
	serve := func(restart int) *service { // the claim of the one before is stale
		return h.withClockOffset(time.Duration(restart)*6*time.Minute).serve(c, "", "--inbox", inbox, "--inbox-every", "100ms")
	}
	s := serve(0)
	changes := func() int64 {
		many := int64(1)
		list := do(t, c.client(s.url, c.key), api.ListChanges, api.ListChangesInput{Limit: &many})
		return list.Latest
	}
	files := 0
	isDone := func() bool { return len(filesIn(t, inbox, "done")) == 2*files }
	for killed := 0; killed < kills; {
		if isDone() {
			name := fmt.Sprint("BIG", files)
			h.put(inbox, name+".csv", inboxFile(name, deliveries))
			files++
		}
		at := changes() + int64(3*deliveries/(kills+2))
		eventually(t, func() bool { return isDone() || changes() >= at }, func() string { return fmt.Sprint(changes(), " changes") })
		if !isDone() {
			s.end(syscall.SIGKILL)
			killed++
			s = serve(killed)
		}
	}
	eventually(t, isDone, func() string { return fmt.Sprint(changes(), " changes") })
	s.end(syscall.SIGTERM)
	require.Empty(t, filesIn(t, inbox, "working"))
	require.Empty(t, filesIn(t, inbox, "failed"))
	all, done := c.references(), filesIn(t, inbox, "done")
	for i := range files {
		require.Equal(t, done[2*i]+".report.txt", done[2*i+1])
		report := h.readFile("inbox", "done", done[2*i+1])
		t.Logf("%d kills; report: %s", kills, report)
		m := reportNumbers.FindStringSubmatch(report)
		require.NotNil(t, m, report)
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
		require.Equal(t, []int{3 * deliveries, deliveries, deliveries}, []int{number(2), number(3), number(4) + number(5)})
		require.Equal(t, inboxFile(m[1], deliveries), h.readFile("inbox", "done", done[2*i]))
		c.requireImported(all, m[1], deliveries)
	}
}
