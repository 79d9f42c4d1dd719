package scan_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui/scan"
)

// codesAndEnters returns the codes of scans and the number of a person's enters.
func codesAndEnters(events []scan.Event) (codes []string, enters int) {
	for _, e := range events {
		switch {
		case e.Scan != nil:
			codes = append(codes, e.Scan.Text)
		case e.Key.Type == tea.KeyEnter && !e.Late:
			enters++
		}
	}
	return codes, enters
}

// The program does not get to run for a while, before the tick that is due or before the enter.
func TestCollector_LateEnterBelongsToTheScan(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{60 * time.Millisecond, 300 * time.Millisecond, 1500 * time.Millisecond} {
		c, clock := newCollector()
		var events []scan.Event
		for _, p := range typed(0, time.Millisecond, "OAT-1L") {
			*clock = start.Add(p.at)
			events = append(events, c.Key(p.key).Events...)
		}
		*clock = start.Add(late) // the due tick has not come
		events = append(events, c.Key(key(tea.KeyEnter)).Events...)
		events = append(events, c.Tick().Events...)
		codes, enters := codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes, late)
		require.Zero(t, enters, late)

		c, clock = newCollector()
		events = nil
		for _, p := range typed(0, time.Millisecond, "OAT-1L") {
			*clock = start.Add(p.at)
			events = append(events, c.Key(p.key).Events...)
		}
		*clock = start.Add(late + 50*time.Millisecond) // the tick comes late
		events = append(events, c.Tick().Events...)
		*clock = start.Add(late + 100*time.Millisecond) // and so does enter
		events = append(events, c.Key(key(tea.KeyEnter)).Events...)
		codes, enters = codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes, late)
		require.Zero(t, enters, late)
	}
}

// A person presses a key immediately after a scan, then enter.
func TestCollector_EnterAfterAnotherKeyIsAPersons(t *testing.T) {
	t.Parallel()
	for _, between := range []tea.KeyMsg{key(tea.KeyF4), runes("+")} {
		scanned := append(typed(0, time.Millisecond, "OAT-1L"), press{7 * time.Millisecond, key(tea.KeyEnter)})
		events := play(append(scanned, press{40 * time.Millisecond, between}, press{90 * time.Millisecond, key(tea.KeyEnter)}), 0)
		codes, enters := codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes)
		require.Equal(t, 1, enters)
	}
}
