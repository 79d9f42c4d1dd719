package balances

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/session"
)

// chartPages limits a chart to this many pages of 500 movements. A balance with more
// movements gets a chart of fewer days.
const chartPages = 12

// chartDays are the spans that a chart can have.
var chartDays = []int{7, 30, 90}

// loadChart requests the movements of the last days, of the selected state or of the
// quantity on hand. If the request fails, the chart stays empty.
func (x *explain) loadChart() tea.Cmd {
	b := x.explanation.Balance
	now := x.Now()
	p := chartData{state: x.state, days: x.span, at: now}
	if p.state == "" {
		p.state = api.OnHand
	}

	return x.Latest("chart", func(ctx context.Context) tea.Msg {
		p.values = daily(ctx, x.site, &b, p.state, p.days, now)
		return chartMsg{p}
	})
}

// startOfDay returns the start of the day of t, in the zone of t.
func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// daily returns the quantity in a state at the end of each day, today last.
func daily(ctx context.Context, site *session.Site, b *api.Balance, state api.State, days int, now time.Time) []int64 {
	from := startOfDay(now).AddDate(0, 0, 1-days)
	limit := int64(500)
	in := api.ReportMovementsInput{
		StockFilter: api.StockFilter{
			ProductID:  b.ProductID,
			LocationID: b.LocationID,
			OwnerID:    b.OwnerID,
			ChannelID:  b.ChannelID,
		},
		InventoryState: state,
		CreatedFrom:    &from,
		Limit:          &limit,
	}

	values := make([]int64, days)
	day, level := days-1, b.Of(state) // the day being filled, newest first
	fill := func(to int) {
		for ; day > to; day-- {
			values[day] = level
		}
	}

	for range chartPages {
		page, err := session.Call(ctx, site, api.ReportMovements, in)
		if err != nil {
			return nil
		}

		for _, m := range page.Items {
			// The day of this movement ends with the current level, earlier days
			// with the balance before it.
			on := startOfDay(m.CreatedAt.In(now.Location())).Sub(from) + 12*time.Hour
			fill(int(on/(24*time.Hour)) - 1)
			level = m.BalanceBefore
		}

		if page.NextCursor == nil {
			fill(-1)
			return values
		}

		in.Cursor = *page.NextCursor
	}

	return values[min(day+1, days):]
}

// sparkline returns a small chart with its number of days, at most width cells wide.
func (x *explain) sparkline(width int) string {
	days := min(len(x.chart.values), width-8)
	if days < 7 || x.chart.state != api.OnHand {
		return ""
	}
	return x.T.Get("%d days", days) + " " + widget.Spark(x.chart.values, days)
}

// changeSpan selects the next longer or shorter span of the chart.
func (x *explain) changeSpan(direction int) tea.Cmd {
	for i, days := range chartDays {
		if days == x.span {
			x.span = chartDays[(i+direction+len(chartDays))%len(chartDays)]
			return x.loadChart()
		}
	}

	return nil
}

// chartView draws the chart to fill the given size, with its scale and the extremes
// in words.
func (x *explain) chartView(t widget.Theme, size tui.Size, height int) []string {
	values := x.chart.values
	if len(values) == 0 {
		return []string{
			" " + t.Muted.Render(
				widget.Clip(x.T.Get("No chart: the service has no movements for these days."), size.Width-2)),
		}
	}

	now := x.Now()
	day := func(i int) time.Time { return startOfDay(x.chart.at).AddDate(0, 0, i-len(values)+1) }
	most, least := 0, 0
	for i, v := range values {
		if v > values[most] {
			most = i
		}
		if v < values[least] {
			least = i
		}
	}

	head := x.T.Get("%s at the end of each of %d days   ← → days, tab movements",
		names.State(x.T, x.chart.state), len(values))
	words := x.T.Get("most %s, %s   least %s, %s", x.T.Count(values[most]), x.T.Day(day(most), now),
		x.T.Count(values[least]), x.T.Day(day(least), now))
	if size.Small() {
		head = x.T.Get("%s %d days, %s to %s", names.State(x.T, x.chart.state), len(values),
			x.T.Count(values[least]), x.T.Count(values[most]))
		words = ""
	}

	lines := []string{" " + t.Strong.Render(widget.Clip(head, size.Width-2))}
	if size.Class == tui.Narrow {
		lines = nil
		for _, line := range widget.Wrap(head, size.Width) {
			lines = append(lines, t.Strong.Render(line))
		}
	}

	if words != "" {
		lines = append(lines, " "+t.Muted.Render(widget.Clip(words, size.Width-2)))
	}

	scale := []string{x.T.Count(values[most]), "0"}
	margin := max(len(scale[0]), 1) + 2
	cell := max(1, min(6, (size.Width-margin-1)/len(values)))
	shown := values[max(0, len(values)-(size.Width-margin-1)/cell):]
	rows := columns(shown, values[most], cell, chartHeight(size, values[most], height-len(lines)-1))
	for i, row := range rows {
		label := ""
		switch {
		case i == 0:
			label = scale[0]
		case i == len(rows)-1:
			label = scale[1]
		}

		lines = append(lines, t.Muted.Render(widget.Right(label, margin-1))+" "+t.Accent.Render(row))
	}

	begin := day(len(values) - len(shown))
	first, last := x.T.Date(begin), x.T.Day(now, now)
	if size.Class == tui.Narrow {
		first = x.T.DayOfYear(begin)
	}

	return append(
		lines,
		strings.Repeat(" ",
			margin)+t.Muted.Render(widget.Between(first, last, max(len(first)+len(last)+1, cell*len(shown)))),
	)
}

// chartHeight returns the height of the columns. On large screens it depends on the greatest
// value, so that one piece does not fill it.
func chartHeight(size tui.Size, most int64, room int) int {
	if size.Class < tui.Wide {
		return room
	}
	return min(room, int(max(4, 2*min(most, 12))))
}

var eighths = []rune(" ▁▂▃▄▅▆▇█")

// columns draws one column per value, cell cells wide and scaled so that most fills
// the height. Every positive value is visible.
func columns(values []int64, most int64, cell, height int) []string {
	out := make([]string, max(0, height))
	for y := range out {
		var b strings.Builder
		for _, v := range values {
			parts := 0
			if most > 0 && v > 0 {
				parts = max(1, int(float64(v)/float64(most)*float64(height*8)))
			}

			r := eighths[max(0, min(8, parts-(height-1-y)*8))]
			gap := 0
			if cell > 1 {
				gap = 1
			}

			b.WriteString(strings.Repeat(string(r), cell-gap) + strings.Repeat(" ", gap))
		}

		out[y] = b.String()
	}

	return out
}
