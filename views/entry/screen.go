package entry

import (
	"encoding/json"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"
	"bincard/views/submit"
)

// Screen returns the factory of the form that m describes.
func Screen(site *session.Site, m Config) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &screen{site: site, config: m}, nil }
}

// screen shows a form, or what it created.
type screen struct {
	tui.Env
	site        *session.Site
	config      Config
	form        *widget.Form
	fields      []widget.Field
	startValues map[string]string  // before any input
	submission  *submit.Submission // sent, with an unknown outcome
	sentValues  map[string]string  // the values of the submission
	working     bool               // a scan is being checked, or a request being built
	created     *Created
}

// draft is the saved state. Other screens find unanswered work by the JSON name
// "plan".
type draft struct {
	Name       string             `json:"name"`
	Values     map[string]string  `json:"values"`
	Submission *submit.Submission `json:"plan,omitempty"`
	SentValues map[string]string  `json:"sent,omitempty"`
}

type (
	scanRoutedMsg struct {
		field, value string
		err          error
	}
	builtMsg struct {
		step   submit.Step
		values map[string]string
		err    error
	}
	rereadMsg struct {
		route string
		err   error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env = env
	s.showForm(false)
	saved, ok := env.Draft()
	if !ok {
		return nil
	}

	var d draft
	if err := json.Unmarshal(saved, &d); err != nil {
		env.Log.Error("cannot parse draft", "route", env.Route.Path, "error", err)
		return nil
	}
	for name, value := range d.Values {
		s.form.Fill(name, value)
	}

	s.submission, s.sentValues = d.Submission, d.SentValues

	return nil
}

// showForm shows the form with its start values.
func (s *screen) showForm(again bool) {
	s.fields = s.config.Fields()
	s.form = widget.NewForm(s.T, s.fields...)
	s.created, s.submission, s.sentValues = nil, nil, nil
	s.config.StartValues(s.form, again)
	s.startValues = s.form.Values()
}

func (s *screen) Title() string { return s.config.Title }

func (s *screen) ShortTitle() string { return s.config.Short }

func (s *screen) Busy() bool { return s.working || s.submission.Sending() }

// awaitingAnswer reports whether a request with an unknown outcome was sent.
func (s *screen) awaitingAnswer() bool { return s.submission.Unfinished() }

// acceptsInput reports whether the form accepts keys and scans.
func (s *screen) acceptsInput() bool { return s.created == nil && !s.Busy() && !s.awaitingAnswer() }

func (s *screen) AcceptsKey(k tea.KeyMsg) bool { return s.acceptsInput() && s.form.AcceptsKey(k) }

func (s *screen) Snapshot() []byte {
	values := s.form.Values()
	if s.created != nil || s.submission == nil && maps.Equal(values, s.startValues) {
		return nil
	}

	for _, f := range s.config.Fields() { // a draft keeps no badge and no PIN
		if f.Secret {
			delete(values, f.Name)
			delete(s.sentValues, f.Name)
		}
	}

	raw, err := json.Marshal(
		draft{Name: s.config.Name(values), Values: values, Submission: s.submission, SentValues: s.sentValues})
	if err != nil {
		s.Log.Error("cannot save draft", "error", err)
		return nil
	}

	return raw
}
