package panel

import (
	"errors"
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// askDamaged asks how many of the counted items are damaged. If serials are counted,
// the next scans mark serials as damaged instead.
func (p *CountPanel) askDamaged() tea.Cmd {
	t := p.T()

	line := p.Line()
	if len(line.Count.Serials) > 0 {
		p.markingDamaged = true
		return nil
	}
	number := func(text string) (int64, error) {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || n < 0 {
			return 0, errors.New(t.Get("%q is not a quantity: type how many are damaged", text))
		}
		return n, nil
	}
	return tui.Prompt(tui.Request{Text: t.Get("How many of the %s are damaged?", t.Count(line.Count.Quantity)),
		Check: func(text string) error {
			n, err := number(text)
			if err != nil {
				return err
			}
			l := *line
			return l.SetDamaged(t, n)
		},
		OnText: func(text string) tea.Cmd {
			n, _ := number(text)
			p.beginChange()
			entry, err := p.SetDamaged(n)
			if err != nil {
				return tui.Fail(err)
			}
			p.changed(entry)
			return nil
		}})
}

// markDamaged toggles whether the scanned serial is damaged.
func (p *CountPanel) markDamaged(r count.Label) tea.Cmd {
	p.beginChange()
	entry, err := p.ToggleDamaged(r)
	if err != nil {
		return tui.Fail(err)
	}
	p.changed(entry)
	return tui.Accepted()
}
