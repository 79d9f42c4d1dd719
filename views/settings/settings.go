package settings

import (
	"cmp"
	"context"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Route is where the settings open.
const Route = "settings"

// Open makes the factory of the settings screen.
func Open(hooks Hooks) tui.Factory {
	return func(tui.Env) (tui.Screen, error) {
		s := &settings{hooks: hooks}
		if hooks.Load != nil {
			s.loaded = hooks.Load()
		}
		s.fields = fields(s.loaded)
		s.form = widget.NewForm(s.fields...)
		s.fill(s.loaded)
		return s, nil
	}
}

func fields(v Values) []widget.Field {
	return []widget.Field{
		{Name: "operator", Label: fieldOperator, Hint: hintOperator},
		{Name: "theme", Label: fieldTheme, Kind: widget.ChoiceField, Options: themes()},
		{Name: "sounds", Label: fieldSounds, Kind: widget.ChoiceField, Options: []string{wordOn, wordOff}},
		{Name: "resume", Label: fieldStart, Kind: widget.ChoiceField, Options: []string{startLeft, startHome}},
		{Name: "lock", Label: fieldLock, Kind: widget.NumberField, Hint: hintLock, Check: checkLock},
		{Name: "url", Label: fieldService, Hint: hintService, Check: checkURL},
		{Name: "organization", Label: fieldOrganization, Hint: hintOrganization, Check: checkOrganization},
		{Name: "offline", Label: fieldOffline, Kind: widget.ChoiceField, Options: []string{offlineStops, offlineKeeps}},
		{Name: "key", Label: fieldKey, Secret: true, Hint: cmp.Or(v.MaskedKey, noKey)},
	}
}

// settings is the screen on which a terminal is set up.
type settings struct {
	env    tui.Env
	hooks  Hooks
	loaded Values
	fields []widget.Field
	form   *widget.Form
	busy   bool
	result string // of the last test, in words
	failed bool
}

type (
	testedMsg struct {
		answer Tested
		err    error
	}
	savedMsg struct {
		values Values
		err    error
	}
)

func (s *settings) Init(env tui.Env) tea.Cmd { s.env = env; return nil }

func (s *settings) Title() string { return nameSettings }

func (s *settings) Busy() bool { return s.busy }

func (s *settings) AcceptsKey(k tea.KeyMsg) bool { return s.form.AcceptsKey(k) }

func (s *settings) OnScan(got scan.Scan) tea.Cmd { return takeScan(s.form, got) }

// takeScan fills the focused text field: a connection may be on a QR code.
func takeScan(form *widget.Form, got scan.Scan) tea.Cmd {
	if form.Fill(form.Focused(), got.Text) {
		return tui.Accepted()
	}
	return tui.Warn(takesNoScan)
}

func (s *settings) fill(v Values) {
	s.form.Fill("operator", v.Operator)
	s.form.Fill("theme", v.Theme)
	s.form.Fill("sounds", boolText(v.Sounds, wordOn, wordOff))
	s.form.Fill("resume", boolText(v.Resume, startLeft, startHome))
	s.form.Fill("lock", "")
	if v.Lock > 0 {
		s.form.Fill("lock", strconv.FormatInt(v.Lock, 10))
	}
	s.form.Fill("offline", boolText(v.Offline, offlineKeeps, offlineStops))
	s.form.Fill("url", v.URL)
	s.form.Fill("organization", v.Organization)
	s.form.Fill("key", "")
}

func boolText(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func (s *settings) values() Values {
	return Values{
		Connection: Connection{URL: s.form.Value("url"), Organization: s.form.Value("organization"), Key: s.form.Value("key")},
		MaskedKey:  s.loaded.MaskedKey, Theme: s.form.Value("theme"), Sounds: s.form.Value("sounds") == wordOn, Operator: s.form.Value("operator"),
		Resume: s.form.Value("resume") == startLeft, Lock: s.form.Number("lock"),
		Offline: s.form.Value("offline") == offlineKeeps,
	}
}

func (s *settings) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.result = ""
		if s.form.AcceptsKey(msg) && s.form.Key(msg) && !s.busy {
			return s, s.save()
		}
	case testedMsg:
		s.busy, s.failed = false, msg.err != nil
		if msg.err != nil {
			s.result = errorText(msg.err)
			return s, tui.Bell(2)
		}
		s.result = describeAccess(msg.answer)
		return s, tui.Accepted()
	case savedMsg:
		s.busy = false
		if msg.err != nil {
			return s, tui.Fail(msg.err)
		}
		return s, s.saved(msg.values)
	}
	return s, nil
}

func (s *settings) saved(v Values) tea.Cmd {
	if s.hooks.Load != nil {
		v = s.hooks.Load()
	}
	s.loaded = v
	s.form.Fill("key", "")
	s.form.Hint("key", cmp.Or(v.MaskedKey, noKey))
	cmds := []tea.Cmd{tui.Toast(keptWords)}
	if s.hooks.Apply != nil {
		cmds = append(cmds, s.hooks.Apply(v))
	}
	return tea.Batch(cmds...)
}

// test tries the connection as it stands in the form, saved or not.
func (s *settings) test() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	s.busy, s.result = true, ""
	c, test := s.values().Connection, s.hooks.Test
	return s.env.Do(func(ctx context.Context) tea.Msg {
		a, err := test(ctx, c)
		return testedMsg{a, err}
	})
}

func (s *settings) save() tea.Cmd {
	if s.hooks.Save == nil {
		return tui.Warn(notKept)
	}
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	s.busy = true
	v, save := s.values(), s.hooks.Save
	return s.env.Do(func(ctx context.Context) tea.Msg { return savedMsg{v, save(ctx, v)} })
}

func (s *settings) changed() bool {
	v := s.values()
	return v.Key != "" || v.URL != s.loaded.URL || v.Organization != s.loaded.Organization ||
		v.Theme != s.loaded.Theme || v.Sounds != s.loaded.Sounds || v.Operator != s.loaded.Operator ||
		v.Resume != s.loaded.Resume || v.Lock != s.loaded.Lock || v.Offline != s.loaded.Offline
}

func (s *settings) Actions() []tui.Action {
	busy := func() string {
		if s.busy {
			return waitAnswer
		}
		return ""
	}
	return []tui.Action{
		{ID: "settings.save", Keys: []string{"f10", "ctrl+s"}, Label: labelSave, Help: helpSave,
			Disabled: func() string {
				if !s.changed() {
					return nothingChanged
				}
				return busy()
			}, Run: s.save},
		{ID: "settings.test", Keys: []string{"f4"}, Label: labelTest, Short: shortTest,
			Help: helpTest,
			Disabled: func() string {
				if s.hooks.Test == nil || s.form.Value("url") == "" {
					return noConnection
				}
				return busy()
			}, Run: s.test},
		{ID: "settings.undo", Keys: []string{"f5"}, Label: labelUndo, Help: helpUndo,
			Disabled: func() string {
				if !s.changed() {
					return nothingChanged
				}
				return ""
			}, Run: func() tea.Cmd { s.fill(s.loaded); return nil }},
		{ID: "settings.scanner", Keys: []string{"f6"}, Label: labelScanner, Help: helpScanner,
			Run: func() tea.Cmd { return tui.Open("scanner") }},
	}
}

// errorText is an error as a person reads it.
func errorText(err error) string {
	if e := api.AsError(err); e.Code != api.InternalError {
		return e.Message
	}
	return err.Error()
}
