package entry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen makes the screen of a making.
func Screen(site *dock.Site, m Making) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &screen{site: site, making: m}, nil }
}

// screen is a form, or what came of it.
type screen struct {
	site   *dock.Site
	making Making
	env    tui.Env
	form   *widget.Form
	fields []widget.Field
	start  map[string]string // the values before anything was typed
	plan   *dock.Plan        // what was sent and is not known to be made
	sent   map[string]string // the values of the plan
	busy   bool
	made   *Made
}

// draft is the work that is kept. Plan stands under the name by which work that
// has no answer is found from home.
type draft struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
	Plan   *dock.Plan        `json:"plan,omitempty"`
	Sent   map[string]string `json:"sent,omitempty"`
}

type (
	aimedMsg struct {
		field, value string
		err          error
	}
	sentMsg struct {
		res *api.Response
		err error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.begin(false)
	kept, ok := env.Draft()
	if !ok {
		return nil
	}
	var d draft
	if err := json.Unmarshal(kept, &d); err != nil {
		env.Log.Error("draft not understood", "route", env.Route.Path, "error", err)
		return nil
	}
	for name, value := range d.Values {
		s.form.Fill(name, value)
	}
	s.plan, s.sent = d.Plan, d.Sent
	return nil
}

// begin shows the form as it is at first, or again.
func (s *screen) begin(again bool) {
	s.fields = s.making.Fields()
	s.form = widget.NewForm(s.fields...)
	s.made, s.plan, s.sent = nil, nil, nil
	s.making.Start(s.form, again)
	s.start = s.form.Values()
}

func (s *screen) Title() string      { return s.making.Title }
func (s *screen) ShortTitle() string { return s.making.Short }
func (s *screen) Busy() bool         { return s.busy }

// waiting tells that something was sent of which nobody knows whether it is made.
func (s *screen) waiting() bool { return s.plan != nil && s.plan.Sent }

// open tells that the form takes keys and scans.
func (s *screen) open() bool { return s.made == nil && !s.busy && !s.waiting() }

func (s *screen) AcceptsKey(k tea.KeyMsg) bool { return s.open() && s.form.AcceptsKey(k) }

func (s *screen) Snapshot() []byte {
	values := s.form.Values()
	if s.made != nil || s.plan == nil && maps.Equal(values, s.start) {
		return nil
	}
	raw, err := json.Marshal(draft{Name: s.making.Name(values), Values: values, Plan: s.plan, Sent: s.sent})
	if err != nil {
		s.env.Log.Error("draft not written", "error", err)
		return nil
	}
	return raw
}

// OnScan fills the field that the code is for. After something was made, it
// begins the next one.
func (s *screen) OnScan(x scan.Scan) tea.Cmd {
	if s.made != nil {
		s.begin(true)
	}
	if !s.open() {
		return tui.Fail(errors.New(saidWhatWasSentHas))
	}
	field, value, err := s.making.Aim(s.form, dock.Read(x))
	if err != nil {
		return tui.Fail(err)
	}
	if s.making.Free == nil {
		return s.aimed(aimedMsg{field: field, value: value})
	}
	s.busy = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		return aimedMsg{field, value, s.making.Free(ctx, field, value)}
	})
}

// aimed takes a scanned value, unless it is in use elsewhere.
func (s *screen) aimed(m aimedMsg) tea.Cmd {
	s.busy = false
	if m.err != nil {
		var actions []tui.Action
		if e := (*api.Error)(nil); errors.As(m.err, &e) {
			actions = s.making.Offer(e)
		}
		return tui.Fail(errors.New(dock.Words(m.err)), actions...)
	}
	if before := s.form.Value(m.field); !s.form.Fill(m.field, m.value) {
		s.form.Fill(m.field, before)
		return tui.Fail(fmt.Errorf(saidDoesNotFitThat, m.value))
	}
	if s.form.Focused() == m.field {
		s.form.Key(tea.KeyMsg{Type: tea.KeyTab})
	}
	return tui.Accepted()
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case aimedMsg:
		return s, s.aimed(msg)
	case sentMsg:
		return s, s.answered(msg)
	case tea.KeyMsg:
		if s.open() && s.form.Key(msg) {
			return s, s.submit()
		}
	}
	return s, nil
}
