package reports

import (
	"fmt"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// chart counts the rows of a report by day. It knows only what was read: the
// oldest day is marked with "+" while more rows follow.
type chart[T any] struct {
	at func(row T) time.Time
}

// date is the calendar day of a moment, in the zone of now.
func (c *chart[T]) date(env tui.Env, row T) time.Time {
	y, m, d := c.at(row).In(env.Now().Location()).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// day is the position of the first row of the day before (1) or after (-1)
// that of the row at.
func (c *chart[T]) day(env tui.Env, rows []T, at, way int) int {
	if len(rows) == 0 {
		return 0
	}
	here := c.date(env, rows[at])
	i := at
	for i >= 0 && i < len(rows) && c.date(env, rows[i]).Equal(here) {
		i += way
	}
	if i < 0 || i >= len(rows) {
		return max(0, min(i, len(rows)-1))
	}
	if way < 0 { // the first of the day after stands above
		next := c.date(env, rows[i])
		for i > 0 && c.date(env, rows[i-1]).Equal(next) {
			i--
		}
	}
	return i
}

// tally is a day with how many rows it has.
type tally struct {
	day  time.Time
	rows int64
}

// tallies counts the rows by day, oldest first, days without any included.
func (c *chart[T]) tallies(env tui.Env, rows []T) []tally {
	var out []tally
	for i := len(rows) - 1; i >= 0; i-- {
		day := c.date(env, rows[i])
		for n := len(out); n > 0 && out[n-1].day.Before(day.AddDate(0, 0, -1)); n = len(out) {
			out = append(out, tally{day: out[n-1].day.AddDate(0, 0, 1)})
		}
		if n := len(out); n > 0 && out[n-1].day.Equal(day) {
			out[n-1].rows++
			continue
		}
		out = append(out, tally{day: day, rows: 1})
	}
	return out
}

// eighths are the ends of bars.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bars is the chart in one line: a bar and a number for each of a few days, or
// the days as small columns where there are many.
func bars(t theme.Theme, days []tally, complete bool, width int) string {
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
		for i, d := range days {
			values[i] = d.rows
		}
		n := min(len(values), width-20)
		return t.Muted.Render(fmt.Sprintf("%d%s days ", n, more)) + t.Accent.Render(widget.Spark(values, n))
	}
	most := int64(1)
	for _, d := range days {
		most = max(most, d.rows)
	}
	cells := make([]string, len(days))
	for i, d := range days {
		number := widget.Count(d.rows)
		if i == 0 {
			number += more
		}
		bar := max(1, room-4-len(number))
		parts := int(float64(d.rows) / float64(most) * float64(bar*8))
		if d.rows > 0 {
			parts = max(1, parts)
		}
		cells[i] = t.Muted.Render(d.day.Format("Mon")[:2]) + " " +
			t.Accent.Render(strings.Repeat("█", parts/8)+eighths[parts%8]) + " " + number
	}
	return strings.Join(cells, "  ")
}
