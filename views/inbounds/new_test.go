package inbounds_test

import (
	"testing"

	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/views/panel"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestNew_RejectsScanThatIsNoNumber(t *testing.T) {
	t.Parallel()
	h, saved := viewtest.NewWarehouse(t), drafts.InMemory()
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start, o.Drafts = []string{"receive", "receive/new"}, saved })
	d.Scan("SOY-1L").Type("7").Scan("L162-B")
	viewtest.RequireErrors(t, d, "L162-B is not valid in that field. Nothing was changed.")
	d.Sees("Quantity   7").Sees("enter next field")
	d.Scan("4006381333931-X")
	viewtest.RequireErrors(t, d, "is not valid in that field")
	d.Key("up").Scan("4012345678901")
	viewtest.RequireErrors(t, d, "4012345678901")
	d.Sees("SOY-1L").Lacks("! unknown")
	d.Key("esc").Sees("Draft saved: Add a delivery › SOY-1L")
	unsent, err := panel.UnsentDrafts(saved, "")
	require.NoError(t, err)
	require.Equal(t, "Receive › new delivery  SOY-1L", unsent[0].Name)
}
