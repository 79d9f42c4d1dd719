package entry

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/submit"
)

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case scanRoutedMsg:
		return s, s.scanRouted(msg)
	case builtMsg:
		return s, s.built(msg)
	case rereadMsg:
		return s, s.showReread(msg)
	case submit.Answer:
		return s, s.answered(msg)
	case tea.KeyMsg:
		switch {
		case !s.acceptsInput() || !s.form.Key(msg):
		case len(s.config.Needs) > 0:
			return s, tui.Perform(s.saveAction())
		default:
			return s, s.submit()
		}
	}

	return s, nil
}

// OnScan fills the field that the code belongs to. After a creation it starts the
// next form.
func (s *screen) OnScan(x scan.Scan) tea.Cmd {
	if s.created != nil {
		s.showForm(true)
	}
	if !s.acceptsInput() {
		return tui.Fail(s.T.NewError("No answer yet, so nothing was changed. Retry first (enter)."))
	}

	field, value, err := s.config.RouteScan(s.form, count.ParseLabel(s.T, x))
	if err != nil {
		return tui.Fail(err)
	}
	if s.config.CheckScan == nil {
		return s.scanRouted(scanRoutedMsg{field: field, value: value})
	}

	s.working = true

	return s.Do(func(ctx context.Context) tea.Msg {
		value, err := s.config.CheckScan(ctx, field, value)
		return scanRoutedMsg{field, value, err}
	})
}

// scanRouted fills in a scanned value unless it is in use.
func (s *screen) scanRouted(m scanRoutedMsg) tea.Cmd {
	s.working = false
	if m.err != nil {
		var actions []tui.Action
		if e := (*api.Error)(nil); errors.As(m.err, &e) {
			actions = s.config.ConflictActions(e)
		}
		return tui.Fail(errors.New(submit.UserMessage(s.T, m.err)), actions...)
	}

	if !s.form.Scan(m.field, m.value) {
		return tui.Fail(s.T.NewError("%s is not valid in that field. Nothing was changed.", m.value))
	}
	if s.form.Focused() == m.field && m.field != s.config.Collecting {
		s.form.Key(tea.KeyMsg{Type: tea.KeyTab})
	}

	return tui.Accepted()
}
