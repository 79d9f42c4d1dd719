package reports_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/reports"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// endlessService returns any number of movements immediately, so that the benchmark
// measures only the screen.
type endlessService struct{ rows int }

func (e endlessService) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	in, ok := req.Input.(*api.ReportMovementsInput)
	if !ok {
		return nil, api.Fail(api.NotFound, nil, "There is nothing else here.")
	}
	from, _ := strconv.Atoi(in.Cursor)
	out := &api.List[api.MovementRow]{}
	for i := from; i < min(from+500, e.rows); i++ {
		out.Items = append(out.Items, api.MovementRow{ID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, i)), CreatedAt: tuitest.Noon.Add(-time.Duration(i) * time.Second),
			ProductSKU: "OAT-1L", ProductName: "Oat milk 1 l", LocationCode: "WH-1", Operation: api.OpAdjust, InventoryState: api.OnHand,
			Quantity: 1, BalanceBefore: int64(e.rows - i - 1), BalanceAfter: int64(e.rows - i)})
	}
	if next := strconv.Itoa(from + len(out.Items)); from+len(out.Items) < e.rows {
		out.NextCursor = &next
	}
	return &api.Response{Output: out}, nil
}

// BenchmarkKeyToFrame presses keys in a report of 100,000 rows and draws the screen.
func BenchmarkKeyToFrame(b *testing.B) {
	reg := tui.NewRegistry()
	reports.Register(reg, session.NewSite(session.Options{Service: endlessService{100_000}}))
	d := tuitest.New(b, shell.Options{Registry: reg, Start: []string{"movements"}})
	d.Size(120, 40)
	for range 200 {
		d.Send(tea.KeyMsg{Type: tea.KeyEnd})
	}
	d.Sees("100,000 of 100,000 movements")
	for name, key := range map[string]tea.KeyType{"up": tea.KeyUp, "page": tea.KeyPgUp, "day": tea.KeyLeft} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				if i%500 == 0 {
					d.Send(tea.KeyMsg{Type: tea.KeyEnd})
				}
				d.Send(tea.KeyMsg{Type: key})
				_ = d.Painted()
			}
		})
	}
}
