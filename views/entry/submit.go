package entry

import (
	"context"
	"errors"
	"maps"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// submit sends the values. It reuses the key of a previous attempt with the same
// values.
func (s *screen) submit() tea.Cmd {
	if !s.acceptsInput() || !s.form.Validate() {
		return tui.Bell(2)
	}
	values := s.form.Values()
	if s.submission == nil || !maps.Equal(values, s.sentValues) {
		step, err := s.config.BuildStep(values)
		if fieldErr := (*FieldError)(nil); errors.As(err, &fieldErr) {
			s.form.SetProblem(fieldErr.Field, errors.New(fieldErr.Short))
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
	t := s.site.T()

	s.busy = false
	if m.err == nil {
		created := s.config.Created(m.res)
		if m.res.CommittedBy != "" {
			created.Text += " " + t.Get("(saved here; waiting to sync)")
		}
		s.created, s.submission, s.sentValues = &created, nil, nil
		return tui.Accepted()
	}
	var e *api.Error
	errors.As(m.err, &e)
	switch {
	case dock.OutcomeUnknown(m.err) && !neverSent(e):
		return tui.Fail(errors.New(t.Get("No answer, so it may not be saved. Press enter to retry; it is created only once.")))
	case e != nil && neverSent(e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized):
		s.submission.Sent = false
		return tui.Fail(errors.New(dock.UserMessage(t, e)))
	case neverSent(e):
		s.submission.Sent = false
		return tui.Fail(errors.New(t.Get("Nothing was saved: the service cannot be reached. Your input is kept; save again in a moment (ctrl+s).")))
	}
	s.submission, s.sentValues = nil, nil
	if e == nil {
		return tui.Fail(errors.New(dock.UserMessage(t, m.err)))
	}
	list := s.config.fieldErrors(t, e)
	for i := len(list) - 1; i >= 0; i-- { // last to first, so that the first one gets the focus
		s.form.SetProblem(list[i].Field, errors.New(list[i].Short))
	}
	return tui.Fail(errors.New(s.config.errorText(t, e, s.fields)), s.config.ConflictActions(e)...)
}

// neverSent reports whether a request certainly did not reach the service.
func neverSent(e *api.Error) bool {
	return e != nil && (e.Details["outcome"] == "not_sent" || e.Code == api.RateLimited || e.Code == api.Unauthorized)
}

// Actions returns save, retry, or the next steps.
func (s *screen) Actions() []tui.Action {
	t := s.site.T()

	sending := func() string {
		if s.busy {
			return t.Get("Wait for the answer")
		}
		return ""
	}
	switch {
	case s.created != nil:
		return append(append([]tui.Action{}, s.created.Actions...), tui.Action{ID: "entry.another", Keys: []string{"f3"}, Label: t.Get("create another"),
			Short: t.Get("another"), Run: func() tea.Cmd { s.showForm(true); return nil }})
	case s.awaitingAnswer():
		return []tui.Action{
			{ID: "entry.again", Keys: []string{"enter"}, Label: t.Get("retry"), Short: t.Get("retry"), Disabled: sending, Run: s.sendNext},
			{ID: "entry.change", Keys: []string{"f8"}, Label: t.Get("change it"), Short: t.GetC("change", "entry"), Disabled: sending, Dangerous: true,
				Ask:  t.Get("It may already be saved. Check the list first. Change the form?"),
				Help: t.Get("Edit the form, although the first one may be saved"),
				Run:  func() tea.Cmd { s.submission, s.sentValues = nil, nil; return nil }},
		}
	}
	return []tui.Action{{ID: "entry.save", Keys: []string{"ctrl+s", "f10"}, Label: t.Get("save"), Disabled: sending,
		Help: t.Get("Create it as entered"), Run: s.submit}, s.clearAction()}
}

// clearAction clears the form.
func (s *screen) clearAction() tui.Action {
	t := s.site.T()

	return tui.Action{ID: "entry.clear", Keys: []string{"f8"}, Label: t.Get("clear"), NoFooter: maps.Equal(s.form.Values(), s.startValues),
		Help: t.Get("Clear the form and discard its draft"), Dangerous: true, Ask: t.Get("Discard everything entered here?"),
		Run: func() tea.Cmd {
			s.showForm(true)
			return nil
		}}
}

// InUseError returns the error for a value that belongs to another product, in the
// form that the service uses.
func InUseError(t *i18n.Translator, field, code string, owner *api.Product) error {
	return api.Fail(api.AlreadyExists, api.Details{"resource": "product", "field": field, "productId": owner.ID, "sku": owner.SKU},
		t.Get("%s already belongs to %s (%s). Nothing was changed."), widget.Clean(code), owner.SKU, owner.Name)
}
