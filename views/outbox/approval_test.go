package outbox_test

import (
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/outbox"

	"github.com/stretchr/testify/require"
)

// openSigned opens a route as Ada, a worker. Eve is a supervisor.
func (f *syncFixture) openSigned(route string) *tuitest.Driver { return f.openSignedAt(f.node, route) }

func (f *syncFixture) openSignedAt(svc api.Service, route string) *tuitest.Driver {
	site, r := f.Site(svc), tui.NewRegistry()
	outbox.Register(r, site)
	return tuitest.New(f.t, shell.Options{Registry: r, Start: []string{route}, Login: tui.Login{Current: "Ada",
		Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}},
		OnChange:  site.SetOperator}})
}

// lastMovement returns the last movement of the service.
func (f *syncFixture) lastMovement() api.MovementRow {
	return ledgertest.Do(f.World, api.ReportMovements, api.ReportMovementsInput{}).Items[0]
}

// newRefusedAdjustment returns a fixture with a rejected adjustment of Ada's, which the
// service would accept now.
func newRefusedAdjustment(t *testing.T) *syncFixture {
	b := newSyncFixture(t)
	adjust := func(delta int64) api.AdjustStockInput {
		return api.AdjustStockInput{StockKey: api.StockKey{ProductID: b.Soy.ID, LocationID: b.Main.ID}, InventoryState: api.OnHand, QuantityDelta: delta, Reason: "broken"}
	}
	b.node.Disconnect()
	_, err := api.AdjustStock.Call(t.Context(), b.node, adjust(-90), api.By("Ada"))
	require.NoError(t, err)
	ledgertest.Do(b.World, api.AdjustStock, adjust(-50))
	b.node.Connect()
	ledgertest.Do(b.World, api.AdjustStock, adjust(100))
	b.node.Sync()
	return b
}

// A supervisor approves that work is sent again or discarded: both names are kept.
func TestDecisions_AreApproved(t *testing.T) {
	t.Parallel()
	for name, decide := range map[string]func(d *tuitest.Driver){
		"retry one":   func(d *tuitest.Driver) { d.Key("enter", "f7").Scan("EVE-43").Sees("It will be retried") },
		"retry all":   func(d *tuitest.Driver) { d.Key("f7").Scan("EVE-43").Advance(time.Second).Key("enter").Sees("Done: 1") },
		"discard one": func(d *tuitest.Driver) { d.Key("enter", "f8").Scan("EVE-43").Advance(time.Second) },
		"discard all": func(d *tuitest.Driver) { d.Key("f8").Scan("EVE-43").Advance(time.Second).Key("enter") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newRefusedAdjustment(t)
			d := b.openSigned("sync")
			decide(d)
			if strings.HasPrefix(name, "retry") {
				b.node.Sync()
				last := b.lastMovement()
				require.Equal(t, []any{int64(-90), "Ada", "Eve"}, []any{last.Quantity, last.Operator, last.ApprovedBy})
				return
			}
			d.Type("counted again").Key("enter", "enter")
			list, err := api.ListWork.Call(t.Context(), b.node, api.ListWorkInput{State: api.WorkDiscarded})
			require.NoError(t, err)
			require.Len(t, list.Items, 1)
			require.Equal(t, "Ada, approved by Eve", list.Items[0].By)
		})
	}
}

// A supervisor approves the end of an alarm: both names are kept.
func TestAcknowledge_IsApproved(t *testing.T) {
	t.Parallel()
	for _, alarm := range []api.SyncAlarm{api.AlarmDamage, api.AlarmCopy} {
		b := newSyncFixture(t)
		svc := &damagedService{Service: b.node, alarm: alarm, text: "work.journal: some of it is damaged."}
		d := b.openSignedAt(svc, "sync").Key("ctrl+a").Sees("A supervisor must approve: end the alarm").Scan("EVE-43")
		d.Sees("Approved by Eve", "enter end the alarm").Advance(time.Second).Key("enter")
		require.Equal(t, []string{"Ada, approved by Eve"}, svc.by)
	}
}

// The service decides about a correction that the local ledger rejects: it is saved with the
// supervisor who approved the edit.
func TestInsist_KeepsTheApproval(t *testing.T) {
	t.Parallel()
	b := newRefusedAdjustment(t)
	d := b.openSigned("sync").Key("enter", "f4").Scan("EVE-43").Sees("Approved by Eve", "Enter the correct values")
	d.Key("ctrl+u").Type("-900").Key("ctrl+s").Sees("save anyway").Key("f10").Sees("Replaced with")
	list, err := api.ListWork.Call(t.Context(), b.node, api.ListWorkInput{})
	require.NoError(t, err)
	saved := list.Items[0]
	require.Equal(t, []string{"waiting", "Ada", "Eve"}, []string{string(saved.State), saved.Operator, saved.ApprovedBy}, "%+v", list.Items)
}
