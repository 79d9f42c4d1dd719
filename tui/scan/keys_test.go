package scan_test

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui/scan"
)

// press is a key at a time after start.
type press struct {
	at  time.Duration
	key tea.KeyMsg
}

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func pasted(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// keyFor returns the key that a program reads from a byte.
func keyFor(r rune) tea.KeyMsg {
	switch {
	case r == ' ':
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	case r < ' ':
		return key(tea.KeyType(r))
	}
	return runes(string(r))
}

// typed returns the presses of a text from a time on, with a gap between characters. More pairs of
// time and text use the same gap.
func typed(from, gap time.Duration, text string, more ...any) []press {
	var keys []press
	for i, r := range []rune(text) {
		keys = append(keys, press{from + time.Duration(i)*gap, keyFor(r)})
	}
	for ; len(more) > 1; more = more[2:] {
		keys = append(keys, typed(more[0].(time.Duration), gap, more[1].(string))...)
	}
	return keys
}

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// newCollector returns a collector on a clock that only the test moves.
func newCollector() (*scan.Collector, *time.Time) {
	clock := start
	return scan.NewCollector(func() time.Time { return clock }), &clock
}

// play presses keys like a program: it sends the requested ticks, late by delay.
func play(keys []press, delay time.Duration) []scan.Event {
	c, clock := newCollector()
	var events []scan.Event
	var ticks []time.Time
	record := func(s scan.Step) {
		events = append(events, s.Events...)
		if s.Wait > 0 {
			ticks = append(ticks, clock.Add(s.Wait+delay))
		}
	}
	until := func(t time.Time) {
		for len(ticks) > 0 {
			next := 0
			for i := range ticks {
				if ticks[i].Before(ticks[next]) {
					next = i
				}
			}
			if ticks[next].After(t) {
				return
			}
			*clock = ticks[next]
			ticks = append(ticks[:next], ticks[next+1:]...)
			record(c.Tick())
		}
	}
	for _, p := range keys {
		until(start.Add(p.at - 1))
		*clock = start.Add(p.at)
		record(c.Key(p.key))
	}
	until(start.Add(time.Hour))
	return events
}

// names returns events as names of keys and texts of scans in brackets.
func names(events []scan.Event) []string {
	var all []string
	for _, e := range events {
		if e.Scan != nil {
			all = append(all, "["+e.Scan.Text+"]")
		} else {
			name := e.Key.String()
			if e.Late {
				name = "late " + name
			}
			all = append(all, name)
		}
	}
	return all
}
