package operators_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func open(t *testing.T, h *viewtest.Warehouse, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{})
	return h.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"home", "operators"} })...)
}

func byName(h *viewtest.Warehouse) map[string]api.Operator {
	out := map[string]api.Operator{}
	for _, o := range ledgertest.Do(h.World, api.ListOperators, api.ListOperatorsInput{}).Items {
		out[o.Name] = o
	}
	return out
}

func TestOperators_AddChangeRemove(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := open(t, h)
	d.Sees("No operators yet. Press F3 to add one.").Key("f3").Sees("operator new", "Scan the badge, type a PIN, or both")
	d.Type("Ben").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "is required, or a PIN")
	d.Scan("BEN-0044").Lacks("BEN-0044").Goldens("form")
	d.Key("ctrl+s").Sees("Ben is saved", "worker")
	ben := byName(h)["Ben"]
	require.NotNil(t, ben.OpenBadge("BEN-0044"))
	require.Equal(t, api.Worker, ben.Role)
	require.Empty(t, ben.PIN)

	d.Advance(5*time.Second).Key("enter").Sees("operator Ben").Key("tab", "s", "tab", "tab").Type("4711").Lacks("4711").Key("ctrl+s")
	d.Sees("Ben is saved", "supervisor")
	ben = byName(h)["Ben"]
	require.NotNil(t, ben.OpenBadge("BEN-0044"), "what is not given stays")
	require.NotNil(t, ben.OpenPIN("4711"))
	require.Equal(t, api.Supervisor, ben.Role)

	d.Advance(5 * time.Second).Goldens("list")
	d.Key("f8").Sees("Remove Ben? The badge and the PIN no longer work.").Key("enter").Sees("removed")
	require.True(t, byName(h)["Ben"].Removed)
	d.Key("enter").Key("tab", "tab", "tab").Type("4712").Key("ctrl+s").Lacks("removed")
	require.False(t, byName(h)["Ben"].Removed, "to change a removed operator brings the operator back")
}

func TestOperators_WorkerNeedsASupervisor(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := open(t, h, h.SignIn).Key("f3").Type("Ben").Scan("BEN-0044").Key("ctrl+s").Sees("A supervisor must approve")
	d.Scan("EVE-43").Sees("Ben is saved")
	d.Advance(time.Second).Key("f8").Sees("A supervisor must approve: remove: Ben")
	require.False(t, byName(h)["Ben"].Removed)
}

// A draft is a file: it has neither the badge nor the PIN.
func TestOperators_DraftHasNoSecret(t *testing.T) {
	t.Parallel()
	h, store := viewtest.NewWarehouse(t), drafts.InMemory()
	open(t, h, viewtest.KeepDrafts(store)).Key("f3").Type("Ben").Scan("BEN-0044").Key("tab").Type("4711").Key("esc")
	list, err := store.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, string(list[0].Data), "Ben")
	require.NotContains(t, string(list[0].Data), "BEN-0044")
	require.NotContains(t, string(list[0].Data), "4711")
}
