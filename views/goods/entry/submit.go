package entry

import (
	"context"
	"errors"
	"maps"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// submit sends what the form says. Values that were sent before and never left
// go with the same key again.
func (s *screen) submit() tea.Cmd {
	if !s.acceptsInput() || !s.form.Validate() {
		return tui.Bell(2)
	}
	values := s.form.Values()
	if s.submission == nil || !maps.Equal(values, s.sentValues) {
		step, err := s.config.BuildStep(values)
		if fault := (*FieldError)(nil); errors.As(err, &fault) {
			s.form.SetProblem(fault.Field, errors.New(fault.Short))
		}
		if err != nil {
			return tui.Fail(err)
		}
		s.submission, s.sentValues = &dock.Submission{Steps: []dock.Step{step}}, values
	}
	return s.sendNext()
}

func (s *screen) sendNext() tea.Cmd {
	s.busy, s.submission.Sent = true, true
	step := s.submission.Steps[0]
	return s.env.Do(func(ctx context.Context) tea.Msg {
		res, err := s.site.Send(ctx, step)
		return answerMsg{res, err}
	})
}

func (s *screen) answered(m answerMsg) tea.Cmd {
	s.busy = false
	if m.err == nil {
		made := s.config.Created(m.res)
		if m.res.CommittedBy != "" {
			made.Text += " " + saidHereItWaitsFor
		}
		s.created, s.submission, s.sentValues = &made, nil, nil
		return tui.Accepted()
	}
	var e *api.Error
	errors.As(m.err, &e)
	switch {
	case dock.OutcomeUnknown(m.err) && !neverSent(e):
		return tui.Fail(errors.New(unknown))
	case e != nil && neverSent(e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized):
		s.submission.Sent = false
		return tui.Fail(errors.New(dock.UserMessage(e)))
	case neverSent(e):
		s.submission.Sent = false
		return tui.Fail(errors.New(unreached))
	}
	s.submission, s.sentValues = nil, nil
	if e == nil {
		return tui.Fail(errors.New(dock.UserMessage(m.err)))
	}
	list := s.config.fieldErrors(e)
	for i := len(list) - 1; i >= 0; i-- { // the first one last: it gets the keys
		s.form.SetProblem(list[i].Field, errors.New(list[i].Short))
	}
	return tui.Fail(errors.New(s.config.errorText(e, s.fields)), s.config.ConflictActions(e)...)
}

// neverSent reports whether a write certainly did not reach the service.
func neverSent(e *api.Error) bool {
	return e != nil && (e.Details["outcome"] == "not_sent" || e.Code == api.RateLimited || e.Code == api.Unauthorized)
}

// Actions are save, or retry, or what comes after.
func (s *screen) Actions() []tui.Action {
	sending := func() string {
		if s.busy {
			return saidWaitTheServiceIs
		}
		return ""
	}
	switch {
	case s.created != nil:
		return append(append([]tui.Action{}, s.created.Actions...), tui.Action{ID: "entry.another", Keys: []string{"f3"}, Label: labelMakeAnother,
			Short: shortAnother, Run: func() tea.Cmd { s.showForm(true); return nil }})
	case s.awaitingAnswer():
		return []tui.Action{
			{ID: "entry.again", Keys: []string{"enter"}, Label: labelSendAgain, Short: shortAgain, Disabled: sending, Run: s.sendNext},
			{ID: "entry.change", Keys: []string{"f8"}, Label: labelChangeIt, Short: shortChange, Disabled: sending, Dangerous: true,
				Ask:  askPerhapsItWasSaved,
				Help: helpTypeOnWithoutKnowing,
				Run:  func() tea.Cmd { s.submission, s.sentValues = nil, nil; return nil }},
		}
	}
	return []tui.Action{{ID: "entry.save", Keys: []string{"ctrl+s", "f10"}, Label: labelSave, Disabled: sending,
		Help: helpMakeItAsThe, Run: s.submit}, s.clearAction()}
}

// clearAction empties the form.
func (s *screen) clearAction() tui.Action {
	return tui.Action{ID: "entry.clear", Keys: []string{"f8"}, Label: labelClear, NoFooter: maps.Equal(s.form.Values(), s.startValues),
		Help: helpEmptyTheFormAnd, Dangerous: true, Ask: askDropWhatIsTyped,
		Run: func() tea.Cmd {
			s.showForm(true)
			return nil
		}}
}

// InUseError is the error of a value that a thing has already, in the form in which
// the service refuses it.
func InUseError(field, code string, owner *api.Product) error {
	return api.Fail(api.AlreadyExists, api.Details{"resource": "product", "field": field, "productId": owner.ID, "sku": owner.SKU},
		saidIsThatOfAlready, widget.Clean(code), owner.SKU, owner.Name)
}
