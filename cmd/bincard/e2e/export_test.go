package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An export of movements names the lot and the serial numbers of each.
func TestExport_NamesLotsAndSerials(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLots(10, true, "L119-B")
	out := h.mustRun("export", "movements", "--data", c.dir, "--sku", "OAT-1L")
	require.Contains(t, out, ",lotCode,expiresAt,serialNumbers,")
	require.Regexp(t, `inbound_receive,onHand,24,[^\n]*,L119-B,`, out)
	require.Regexp(t, `outbound_(pick|allocate),[^\n]*,L119-B,`, out)
	out = h.mustRun("export", "movements", "--data", c.dir, "--sku", "SCA-5")
	require.Regexp(t, `inbound_receive,onHand,3,[^\n]*SN-1[^\n]*SN-2[^\n]*SN-3`, out)
}
