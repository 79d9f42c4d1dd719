package e2e_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// takeSerials prints labels of new serial numbers of SCA-5 and returns the numbers.
func (h *machine) takeSerials(args ...string) []string {
	h.t.Helper()
	var result struct {
		Numbers []string `json:"numbers"`
	}
	out := h.mustRun(append([]string{"label", "serial", "--sku", "SCA-5", "--json"}, args...)...)
	require.NoError(h.t, json.Unmarshal([]byte(out), &result), out)
	return result.Numbers
}

// New serial numbers get their labels first, in every type of barcode. Scanned while
// receiving, they are received: the ledger has these numbers, each in stock.
func TestNewSerial_FromTheLabelToTheLedger(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h = h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_LOCATION=WH-1", "BINCARD_OPERATOR=Ada")
	paper := h.path("paper")
	require.NoError(t, os.WriteFile(paper, nil, 0o600))
	h.setUpLabels("serials = \"BC{NNNNN}\"\n\n[[printers]]\nname = \"dock\"\naddress = \"file:" + paper + "\"\n")
	c.announce("PO-NEW", c.scale, api.Announced{})
	lines := []string{"receive PO-NEW"}
	var want []string
	for _, s := range symbologies {
		design := []string{"--symbol", string(s), "--size", sizeFor(s)}
		serials := h.takeSerials(append(design, "--next", "2")...)
		require.Len(t, serials, 2)
		for _, serial := range serials {
			// What was printed is the label whose picture is read.
			require.Contains(t, h.readFile("paper"), h.mustRun(append(design, "label", "serial", serial, "--sku", "SCA-5", "--new", "--zpl")...))
			lines = append(lines, h.printed(s, 0, "serial", serial, "--sku", "SCA-5", "--new"))
		}
		want = append(want, serials...)
	}
	require.Equal(t, []string{"BC00001", "BC00002", "BC00003", "BC00004", "BC00005", "BC00006"}, want)
	out := h.plainLines(append(lines, "book")...)
	require.Contains(t, out, "Received 6: 6 of 20")
	require.NotContains(t, out, "\nno  ")
	c.withLedger(func(l *ledger.Ledger) {
		var got []string
		list := do(t, c.service(l), api.ListSerials, api.ListSerialsInput{ProductID: c.scale})
		for _, serial := range list.Items {
			if serial.SerialNumber[:2] != "BC" {
				continue // opening stock
			}
			require.Equal(t, api.InStock, serial.Status, serial.SerialNumber)
			require.Equal(t, c.main, serial.LocationID)
			got = append(got, serial.SerialNumber)
		}
		slices.Sort(got)
		require.Equal(t, want, got)
	})
	require.Equal(t, []string{"BC00007"}, h.takeSerials("--next", "1"), "received numbers are not given again")
}
