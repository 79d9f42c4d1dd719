package entry

import (
	"context"
	"errors"
	"maps"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// submit sends the values. It reuses the key of a previous attempt with the same
// values.
func (s *screen) submit() tea.Cmd {
	if !s.acceptsInput() || !s.form.Validate() {
		return tui.Bell(2)
	}

	values := s.form.Values()
	if s.submission != nil && maps.Equal(values, s.sentValues) {
		return s.sendNext()
	}

	s.working = true
	operator, approver := s.Operator, s.ApprovedBy() // of this action, not of when the step is built

	return s.Do(func(ctx context.Context) tea.Msg {
		step, err := s.config.BuildStep(ctx, values)
		step.Operator, step.ApprovedBy = operator, approver
		return builtMsg{step, values, err}
	})
}

// built sends the request for the values.
func (s *screen) built(m builtMsg) tea.Cmd {
	s.working = false
	if fieldErr := (*FieldError)(nil); errors.As(m.err, &fieldErr) {
		s.form.SetProblem(fieldErr.Field, errors.New(fieldErr.Short))
	}
	if m.err != nil {
		return tui.Fail(errors.New(submit.UserMessage(s.T, m.err)))
	}

	s.submission, s.sentValues = submit.New(m.step), m.values

	return s.sendNext()
}

func (s *screen) sendNext() tea.Cmd { return s.submission.Send(s.Env, s.site) }

func (s *screen) answered(a submit.Answer) tea.Cmd {
	t := s.T

	err := s.submission.Answered(a)
	if err == nil {
		created := s.config.Created(a.Response)
		if a.Response.CommittedBy != "" {
			created.Text = t.Get("Saved, not synced. %s", created.Text)
		}
		s.created, s.submission, s.sentValues = &created, nil, nil
		if created.Route != "" {
			return tea.Batch(tui.Toast(created.Text), tui.Accepted(), tui.Replace(created.Route))
		}
		return tui.Accepted()
	}

	switch state := s.submission.State(); {
	case api.HasCode(err, api.RateLimited), api.HasCode(err, api.Unauthorized):
		return tui.Fail(errors.New(submit.UserMessage(t, err)))
	case state == submit.Unknown:
		return tui.Fail(
			t.NewError("No answer, so it may not be saved. Press enter to retry; it is saved only once."),
		)
	case state == submit.Idle:
		return tui.Fail(t.NewError(
			"Nothing was saved: the service cannot be reached. Your input is kept; save again in a moment (ctrl+s)."))
	}

	s.submission, s.sentValues = nil, nil
	var e *api.Error
	if !errors.As(err, &e) {
		return tui.Fail(errors.New(submit.UserMessage(t, err)))
	}

	list := s.config.fieldErrors(t, e)
	for i := len(list) - 1; i >= 0; i-- { // last to first, so that the first one gets the focus
		s.form.SetProblem(list[i].Field, errors.New(list[i].Short))
	}

	if e.Code == api.VersionConflict && s.config.Reread != nil {
		return tui.Fail(
			t.NewError(
				"Nothing was saved: %s has changed meanwhile. F4 shows both values.",
				s.config.Name(s.form.Values()),
			),
			tui.Action{
				ID:    "entry.show",
				Key:   "f4",
				Label: t.Get("show both values"),
				Short: t.Get("show"),
				Run:   s.reread,
			},
		)
	}

	return tui.Fail(errors.New(s.config.errorText(t, e, s.fields)), s.config.ConflictActions(e)...)
}

// reread opens the form again, with what the service has now beside what was entered.
func (s *screen) reread() tea.Cmd {
	s.working = true
	values := s.form.Values()

	return s.Do(func(ctx context.Context) tea.Msg {
		route, err := s.config.Reread(ctx, values)
		return rereadMsg{route, err}
	})
}

func (s *screen) showReread(m rereadMsg) tea.Cmd {
	s.working = false
	if m.err != nil {
		return tui.Fail(errors.New(submit.UserMessage(s.T, m.err)))
	}

	s.startValues = s.form.Values() // the new form has them

	return tui.Replace(m.route)
}

// Actions returns save, retry, or the next steps.
func (s *screen) Actions() []tui.Action {
	t := s.T

	sending := func() string {
		if s.Busy() {
			return t.Get("Wait for the answer")
		}
		return ""
	}

	switch {
	case s.created != nil:
		return append(
			append([]tui.Action{}, s.created.Actions...),
			tui.Action{ID: "entry.another", Key: "f3", Label: t.Get("create another"),
				Short: t.Get("another"), Run: func() tea.Cmd { s.showForm(true); return nil }},
		)

	case s.awaitingAnswer():
		return []tui.Action{
			{
				ID:       "entry.again",
				Key:      "enter",
				Label:    t.Get("retry"),
				Short:    t.Get("retry"),
				Disabled: sending,
				Run:      s.sendNext,
			},
			{
				ID:        "entry.change",
				Key:       "f8",
				Label:     t.Get("change it"),
				Short:     t.GetC("change", "entry"),
				Disabled:  sending,
				Dangerous: true,
				Ask:       t.Get("It may already be saved. Check the list first. Change the form?"),
				Yes:       t.Get("change the form"),
				No:        t.Get("keep waiting"),
				Help:      t.Get("Edit the form, although the first one may be saved"),
				Run:       func() tea.Cmd { s.submission, s.sentValues = nil, nil; return nil },
			},
		}
	}

	save := s.saveAction()
	save.Disabled = sending

	return []tui.Action{save, s.clearAction()}
}

// saveAction creates what is entered.
func (s *screen) saveAction() tui.Action {
	t := s.T

	return tui.Action{
		ID:  "entry.save",
		Key: "ctrl+s", MoreKeys: []string{"f10"},
		Label:   t.Get("save"),
		Needs:   s.config.Needs,
		Help:    t.Get("Save it as entered"),
		Approve: func() string { return t.Get("save %s", s.config.Name(s.form.Values())) },
		Run:     s.submit,
	}
}

// clearAction clears the form.
func (s *screen) clearAction() tui.Action {
	t := s.T

	return tui.Action{
		ID:        "entry.clear",
		Key:       panel.CancelKey, // F8 goes back to a form that has no answer
		Label:     t.Get("clear"),
		NoFooter:  maps.Equal(s.form.Values(), s.startValues),
		Help:      t.Get("Clear the form and discard its draft"),
		Dangerous: true,
		Ask:       t.Get("Discard everything entered here?"),
		Yes:       t.Get("discard the form"),
		No:        t.Get("keep it"),
		Run: func() tea.Cmd {
			s.showForm(true)
			return nil
		},
	}
}

// InUseError returns the error for a value that belongs to another product, in the
// form that the service uses.
func InUseError(t *i18n.Translator, field, code string, owner *api.Product) error {
	return api.Fail(api.AlreadyExists,
		api.Details{"resource": "product", "field": field, "productId": owner.ID, "sku": owner.SKU},
		t.Get("%s already belongs to %s (%s). Nothing was changed."), widget.Clean(code), owner.SKU, owner.Name)
}
