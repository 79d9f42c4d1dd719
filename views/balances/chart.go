package balances

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	chartDays  = 30
	chartPages = 4 // of 500 movements: a busier balance shows fewer days
)

// plot asks for the movements of what is on hand in the last days. A service
// that will not tell draws no chart.
func (x *explain) plot() tea.Cmd {
	b := x.head.Balance
	now := x.env.Now()
	return x.env.Latest("chart", func(ctx context.Context) tea.Msg {
		return chartMsg{daily(ctx, x.site, &b, now)}
	})
}

// midnight is when the day of t began, in t's own zone.
func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// daily is what was on hand at the end of each day, today last.
func daily(ctx context.Context, site *dock.Site, b *api.Balance, now time.Time) []int64 {
	from := midnight(now).AddDate(0, 0, 1-chartDays)
	limit := int64(500)
	in := api.ReportMovementsInput{ProductID: b.ProductID, LocationID: b.LocationID, OwnerID: b.OwnerID, ChannelID: b.ChannelID,
		InventoryState: api.OnHand, CreatedFrom: &from, Limit: &limit}
	values := make([]int64, chartDays)
	day, level := chartDays-1, b.OnHand // the day being filled, newest first
	fill := func(to int) {
		for ; day > to; day-- {
			values[day] = level
		}
	}
	for range chartPages {
		page, err := dock.Ask(ctx, site, api.ReportMovements, in)
		if err != nil {
			return nil
		}
		for _, m := range page.Items {
			// The day of the movement ends with what stands now; the days before
			// it with what stood before it.
			on := midnight(m.CreatedAt.In(now.Location())).Sub(from) + 12*time.Hour
			fill(int(on/(24*time.Hour)) - 1)
			level = m.BalanceBefore
		}
		if page.NextCursor == nil {
			fill(-1)
			return values
		}
		in.Cursor = *page.NextCursor
	}
	return values[min(day+1, chartDays):]
}

// spark is the chart with the days it spans, in at most width cells.
func (x *explain) spark(width int) string {
	days := min(len(x.chart), width-8)
	if days < 7 {
		return ""
	}
	return fmt.Sprintf("%d days ", days) + widget.Spark(x.chart, days)
}
