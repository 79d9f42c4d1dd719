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
	if !s.open() || !s.form.Validate() {
		return tui.Bell(2)
	}
	values := s.form.Values()
	if s.plan == nil || !maps.Equal(values, s.sent) {
		step, err := s.making.Step(values)
		if fault := (*Fault)(nil); errors.As(err, &fault) {
			s.form.SetProblem(fault.Field, errors.New(fault.Short))
		}
		if err != nil {
			return tui.Fail(err)
		}
		s.plan, s.sent = &dock.Plan{Steps: []dock.Step{step}}, values
	}
	return s.send()
}

func (s *screen) send() tea.Cmd {
	s.busy, s.plan.Sent = true, true
	step := s.plan.Steps[0]
	return s.env.Do(func(ctx context.Context) tea.Msg {
		res, err := s.site.Send(ctx, step)
		return sentMsg{res, err}
	})
}

func (s *screen) answered(m sentMsg) tea.Cmd {
	s.busy = false
	if m.err == nil {
		made := s.making.Made(m.res)
		if m.res.CommittedBy != "" {
			made.Text += " " + saidHereItWaitsFor
		}
		s.made, s.plan, s.sent = &made, nil, nil
		return tui.Accepted()
	}
	var e *api.Error
	errors.As(m.err, &e)
	switch {
	case dock.Unsure(m.err) && !stayed(e):
		return tui.Fail(errors.New(unknown))
	case e != nil && stayed(e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized):
		s.plan.Sent = false
		return tui.Fail(errors.New(dock.Words(e)))
	case stayed(e):
		s.plan.Sent = false
		return tui.Fail(errors.New(unreached))
	}
	s.plan, s.sent = nil, nil
	if e == nil {
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	list := s.making.faults(e)
	for i := len(list) - 1; i >= 0; i-- { // the first one last: it gets the keys
		s.form.SetProblem(list[i].Field, errors.New(list[i].Short))
	}
	return tui.Fail(errors.New(s.making.words(e, s.fields)), s.making.Offer(e)...)
}

// stayed tells that a write certainly did not reach the service.
func stayed(e *api.Error) bool {
	return e != nil && (e.Details["outcome"] == "not_sent" || e.Code == api.RateLimited || e.Code == api.Unauthorized)
}

// Actions are save, or send again, or what comes after.
func (s *screen) Actions() []tui.Action {
	sending := func() string {
		if s.busy {
			return saidWaitTheServiceIs
		}
		return ""
	}
	switch {
	case s.made != nil:
		return append(append([]tui.Action{}, s.made.Actions...), tui.Action{ID: "entry.another", Keys: []string{"f3"}, Label: labelMakeAnother,
			Short: shortAnother, Run: func() tea.Cmd { s.begin(true); return nil }})
	case s.waiting():
		return []tui.Action{
			{ID: "entry.again", Keys: []string{"enter"}, Label: labelSendAgain, Short: shortAgain, Disabled: sending, Run: s.send},
			{ID: "entry.change", Keys: []string{"f8"}, Label: labelChangeIt, Short: shortChange, Disabled: sending, Dangerous: true,
				Ask:  askPerhapsItWasSaved,
				Help: helpTypeOnWithoutKnowing,
				Run:  func() tea.Cmd { s.plan, s.sent = nil, nil; return nil }},
		}
	}
	return []tui.Action{{ID: "entry.save", Keys: []string{"ctrl+s", "f10"}, Label: labelSave, Disabled: sending,
		Help: helpMakeItAsThe, Run: s.submit}, s.clear()}
}

// clear empties the form.
func (s *screen) clear() tui.Action {
	return tui.Action{ID: "entry.clear", Keys: []string{"f8"}, Label: labelClear, NoFooter: maps.Equal(s.form.Values(), s.start),
		Help: helpEmptyTheFormAnd, Dangerous: true, Ask: askDropWhatIsTyped,
		Run: func() tea.Cmd {
			s.begin(true)
			return nil
		}}
}

// Taken is the error of a value that a thing has already, in the form in which
// the service refuses it.
func Taken(field, code string, owner *api.Product) error {
	return api.Fail(api.AlreadyExists, api.Details{"resource": "product", "field": field, "productId": owner.ID, "sku": owner.SKU},
		saidIsThatOfAlready, widget.Clean(code), owner.SKU, owner.Name)
}
