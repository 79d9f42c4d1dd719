package products_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestForm_CreationNeedsPermission(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		permissions tui.Permissions
		asks        bool
	}{"allowed": {tui.Permissions{tui.MayCreateProducts: {Unlimited: true}}, false}, "approved": {nil, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			d := openAt(t, h, "products/new", func(o *shell.Options) {
				o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42", Permissions: c.permissions}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}}}
			})
			d.Type("NEW-1").Key("enter").Type("New").Key("ctrl+s")
			if c.asks {
				d.Sees("A supervisor must approve: save product NEW-1").Key("esc").Sees("NEW-1")
				for range 8 {
					d.Key("enter")
				}
				d.Sees("A supervisor must approve: save product NEW-1").Scan("EVE-43")
			}
			d.Sees("Product NEW-1 created")
			require.NotNil(t, d)
		})
	}
}
