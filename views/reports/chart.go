package reports

import (
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// chart counts the loaded rows by day. While more rows follow, the oldest day is
// marked with "+".
type chart struct {
	timeOf func(row any) time.Time
}

// date returns the calendar day of a row, in the zone of now.
func (c *chart) date(env tui.Env, row any) time.Time {
	y, m, d := c.timeOf(row).In(env.Now().Location()).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// day returns the position of the first row of the previous day with rows (direction 1) or
// the next one (-1). found is false if no such row is loaded.
func (c *chart) day(env tui.Env, rows []any, at, direction int) (position int, found bool) {
	if len(rows) == 0 {
		return 0, false
	}

	here := c.date(env, rows[at])
	i := at
	for i >= 0 && i < len(rows) && c.date(env, rows[i]).Equal(here) {
		i += direction
	}
	if i < 0 || i >= len(rows) {
		return max(0, min(i, len(rows)-1)), false
	}

	if direction < 0 { // find the first row of the next day
		next := c.date(env, rows[i])
		for i > 0 && c.date(env, rows[i-1]).Equal(next) {
			i--
		}
	}

	return i, true
}

// dayCount is the number of rows of a day.
type dayCount struct {
	day   time.Time
	count int64
}

// dayCounts counts the rows by day, oldest first, including days without rows.
func (c *chart) dayCounts(env tui.Env, rows []any) []dayCount {
	var out []dayCount
	for i := len(rows) - 1; i >= 0; i-- {
		out = addToDay(out, c.date(env, rows[i]), 1)
	}
	return out
}

// addToDay adds rows to a day that is not before the last one.
func addToDay(days []dayCount, day time.Time, rows int64) []dayCount {
	for n := len(days); n > 0 && days[n-1].day.Before(day.AddDate(0, 0, -1)); n = len(days) {
		days = append(days, dayCount{day: days[n-1].day.AddDate(0, 0, 1)})
	}
	if n := len(days); n > 0 && days[n-1].day.Equal(day) {
		days[n-1].count += rows
		return days
	}
	return append(days, dayCount{day: day, count: rows})
}

// prependDays merges the counts of older rows with those of newer ones.
func prependDays(older, newer []dayCount) []dayCount {
	for _, t := range newer {
		older = addToDay(older, t.day, t.count)
	}
	return older
}

// eighths are the ends of bars.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// barText draws rows as a bar, scaled so that most is width cells. Every positive
// value is visible.
func barText(rows, most int64, width int) string {
	parts := int(float64(rows) / float64(max(1, most)) * float64(width*8))
	if rows > 0 {
		parts = max(1, parts)
	}
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}

// chartLine draws the chart in one line: a bar and a number for each of a few days,
// or a column for each of many.
func chartLine(t *i18n.Translator, th widget.Theme, days []dayCount, complete bool, width int) string {
	if len(days) == 0 {
		return ""
	}

	more := ""
	if !complete {
		more = "+"
	}

	room := min(24, width/len(days)-2)
	if room < 9 || len(days) > 7 {
		values := make([]int64, len(days))
		var most dayCount
		for i, d := range days {
			values[i] = d.count
			if d.count > most.count {
				most = d
			}
		}

		n := max(1, min(len(values), width-50))

		return th.Muted.Render(t.Get("%d%s days", n, more)+" ") + th.Accent.Render(widget.Spark(values, n)) +
			th.Muted.Render("  "+t.Get("most %s on %s", t.Count(most.count), t.Date(most.day)))
	}

	most := int64(1)
	for _, d := range days {
		most = max(most, d.count)
	}

	cells := make([]string, len(days))
	for i, d := range days {
		number := t.Count(d.count)
		if i == 0 {
			number += more
		}
		cells[i] = th.Muted.Render(t.Weekday(d.day)) + " " +
			th.Accent.Render(barText(d.count, most, max(1, room-4-widget.Width(number)))) + " " + number
	}

	return strings.Join(cells, "  ")
}
