package bench_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// readCases returns the reads to measure, each at changing positions.
func (m *largeLedger) readCases(b *testing.B) []readCase {
	b.Helper()
	limit, svc := int64(50), m.svc
	list, err := api.ListBalances.Call(b.Context(), svc, api.ListBalancesInput{Page: api.Page{Limit: new(int64(100))}, StockFilter: api.StockFilter{LocationID: m.Locations[0]}})
	require.NoError(b, err)
	busy, err := api.ListBalances.Call(b.Context(), svc, api.ListBalancesInput{
		StockFilter: api.StockFilter{ProductID: m.Products[0], LocationID: m.Locations[0]}})
	require.NoError(b, err)
	product := func(i int) api.ID { return m.Products[i*37%len(m.Products)] }
	location := func(i int) api.ID { return m.Locations[i%len(m.Locations)] }
	early := m.Early.Add(time.Second)
	explain := func(of []api.Balance, order api.Order) func(context.Context, int) (int, error) {
		return func(ctx context.Context, i int) (int, error) {
			out, err := api.ExplainBalance.Call(ctx, svc, api.ExplainBalanceInput{BalanceID: of[i%len(of)].ID, HistoryPage: api.HistoryPage{Limit: &limit, Order: order}})
			return len(out.Movements), err
		}
	}
	movements := func(in func(i int) api.ReportMovementsInput) func(context.Context, int) (int, error) {
		return func(ctx context.Context, i int) (int, error) {
			input := in(i)
			input.Limit = &limit
			out, err := api.ReportMovements.Call(ctx, svc, input)
			return len(out.Items), err
		}
	}
	snapshot := func(in func(i int) api.ReportSnapshotInput) func(context.Context, int) (int, error) {
		return func(ctx context.Context, i int) (int, error) {
			input := in(i)
			input.Limit = &limit
			out, err := api.ReportSnapshot.Call(ctx, svc, input)
			return len(out.Items), err
		}
	}
	inbounds := func(status api.InboundStatus) func(context.Context, int) (int, error) {
		return func(ctx context.Context, i int) (int, error) {
			out, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Status: status, Page: api.Page{Limit: &limit}})
			return len(out.Items), err
		}
	}
	lookUp := func(code func(i int) string) func(context.Context, int) (int, error) {
		return func(ctx context.Context, i int) (int, error) {
			out, err := api.LookUp.Call(ctx, svc, api.LookupInput{Code: code(i)})
			return len(out.Matches), err
		}
	}
	type report = api.ReportMovementsInput
	return []readCase{
		{"explain, newest first", explain(list.Items, api.NewestFirst)},
		{"explain, oldest first", explain(list.Items, api.OldestFirst)},
		{"explain the busiest, newest first", explain(busy.Items, api.NewestFirst)},
		{"explain the busiest, oldest first", explain(busy.Items, api.OldestFirst)},
		{"movements", movements(func(int) report { return report{} })},
		{"movements of a product", movements(func(i int) report { return report{StockFilter: api.StockFilter{ProductID: product(i)}} })},
		{"movements of product and location", movements(func(i int) report {
			return report{StockFilter: api.StockFilter{ProductID: product(i), LocationID: location(i)}}
		})},
		{"movements of a location", movements(func(i int) report { return report{StockFilter: api.StockFilter{LocationID: location(i)}} })},
		{"movements, adjust", movements(func(int) report { return report{Operation: api.OpAdjust} })},
		{"movements, transfer_in", movements(func(int) report { return report{Operation: api.OpTransferIn} })},
		{"movements, write_off (rare)", movements(func(int) report { return report{Operation: api.OpWriteOff} })},
		{"movements, expire (there is none)", movements(func(int) report { return report{Operation: api.OpExpire} })},
		{"movements, damaged (rare)", movements(func(int) report { return report{InventoryState: api.Damaged} })},
		{"movements of the attic (rare)", movements(func(int) report { return report{StockFilter: api.StockFilter{LocationID: m.Attic}} })},
		{"movements of a guest (rare)", movements(func(int) report { return report{StockFilter: api.StockFilter{OwnerID: m.Guest}} })},
		{"movements, write_off and damaged", movements(func(int) report { return report{Operation: api.OpWriteOff, InventoryState: api.Damaged} })},
		{"write_off of a location", movements(func(i int) report {
			return report{Operation: api.OpWriteOff, StockFilter: api.StockFilter{LocationID: location(i)}}
		})},
		{"write_off of a product", movements(func(i int) report {
			return report{Operation: api.OpWriteOff, StockFilter: api.StockFilter{ProductID: product(i)}}
		})},
		{"write_off of the attic (none)", movements(func(int) report {
			return report{Operation: api.OpWriteOff, StockFilter: api.StockFilter{LocationID: m.Attic}}
		})},
		{"movements before long ago", movements(func(int) report { return report{CreatedTo: &early} })},
		{"movements of a product, long ago", movements(func(i int) report {
			return report{StockFilter: api.StockFilter{ProductID: product(i)}, CreatedTo: &early}
		})},
		{"snapshot", snapshot(func(int) api.ReportSnapshotInput { return api.ReportSnapshotInput{} })},
		{"snapshot of a location", snapshot(func(i int) api.ReportSnapshotInput {
			return api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: location(i)}}
		})},
		{"snapshot, damaged (rare)", snapshot(func(int) api.ReportSnapshotInput { return api.ReportSnapshotInput{InventoryState: api.Damaged} })},
		{"snapshot, out of stock (none)", snapshot(func(int) api.ReportSnapshotInput { return api.ReportSnapshotInput{Status: api.StockOut} })},
		{"snapshot, write_off (rare)", snapshot(func(int) api.ReportSnapshotInput { return api.ReportSnapshotInput{Operation: api.OpWriteOff} })},
		{"snapshot of a guest (rare)", snapshot(func(int) api.ReportSnapshotInput {
			return api.ReportSnapshotInput{StockFilter: api.StockFilter{OwnerID: m.Guest}}
		})},
		{"snapshot as of long ago", snapshot(func(int) api.ReportSnapshotInput { return api.ReportSnapshotInput{AsOf: &early} })},
		{"inbounds, expected", inbounds(api.InboundExpected)},
		{"inbounds, received", inbounds(api.InboundReceived)},
		{"look a SKU up", lookUp(func(i int) string { return fmt.Sprintf("oat-%d", i*37%len(m.Products)) })},
		{"look a document up", lookUp(func(i int) string { return fmt.Sprintf("R-%d-10", i%writers) })},
	}
}
