package settings

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Route is the route of the settings.
const Route = "settings"

// Open returns the factory of the settings screen.
func Open(hooks Hooks) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &settings{hooks: hooks, Env: env}
		if hooks.Load != nil {
			s.loaded = hooks.Load()
		}
		s.form = widget.NewForm(env.T, fields(env.T, s.loaded)...)
		s.fill(s.loaded)
		return s, nil
	}
}

func fields(t *i18n.Translator, v Values) []widget.Field {
	fields := []widget.Field{
		{Name: "operator", Label: t.Get("Operator"), Hint: t.Get("your name")},
		{
			Name:    "theme",
			Label:   t.Get("Theme"),
			Kind:    widget.ChoiceField,
			Options: widget.ThemeLabels(t),
			Values:  widget.ThemeNames(),
		},
		{
			Name:    "sounds",
			Label:   t.Get("Sounds"),
			Kind:    widget.ChoiceField,
			Options: []string{t.Get("on"), t.Get("off")},
			Values:  onOff,
		},
		{
			Name:    "resume",
			Label:   t.Get("Start at"),
			Kind:    widget.ChoiceField,
			Options: []string{t.Get("last screen"), t.Get("home")},
			Values:  onOff,
		},
		{
			Name:  "lock",
			Label: t.Get("Lock (min)"),
			Kind:  widget.NumberField,
			Hint:  t.Get("min (empty: off)"),
			Check: checkLock(t),
		},
		{Name: "url", Label: t.Get("Service"), Hint: t.Get("empty: this machine"), Check: checkURL(t)},
		{Name: "organization", Label: t.Get("Organization"), Hint: t.Get("its ID"), Check: checkOrganization(t)},
		{
			Name:    "offline",
			Label:   t.Get("Work offline"),
			Kind:    widget.ChoiceField,
			Options: []string{t.Get("on"), t.Get("off")},
			Values:  onOff,
		},
		{Name: "key", Label: t.Get("Key"), Secret: true, Hint: cmp.Or(v.MaskedKey, t.Get("none"))},
	}

	if v.URL == "" { // the ledger on this machine needs no connection
		fields = slices.DeleteFunc(fields, func(f widget.Field) bool { return f.Name == "offline" })
	}

	if len(v.Languages) > 1 {
		fields = slices.Insert(fields, 2, widget.Field{
			Name:    "language",
			Label:   t.Get("Language"),
			Kind:    widget.ChoiceField,
			Options: languageNames(v.Languages),
			Values:  v.Languages.Codes(),
		})
	}

	return fields
}

// changeFields shows the fields for values, in the present language, and keeps what is typed.
func (s *settings) changeFields(v Values) {
	hidden := s.form.Value("offline") == ""
	s.fields = fields(s.T, v)
	s.form.Change(s.fields...)
	if hidden {
		s.form.Fill("offline", boolText(s.loaded.Offline))
	}
}

// onOff are the values of a field with two options.
var onOff = []string{"on", "off"}

// settings is the settings screen.
type settings struct {
	tui.Env
	hooks  Hooks
	loaded Values
	fields []widget.Field
	form   *widget.Form
	sent   map[string]string // the values of the form while they are saved
	busy   bool
	result string // of the last test
	failed bool
	small  bool // the last view was on a small terminal
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

func (s *settings) Init(tui.Env) tea.Cmd { return nil }

func (s *settings) Title() string { return s.T.Get("Settings") }

func (s *settings) Busy() bool { return s.busy }

func (s *settings) AcceptsKey(k tea.KeyMsg) bool {
	return s.readOnly() == "" && s.form.AcceptsKey(k)
}

func (s *settings) OnScan(got scan.Scan) tea.Cmd {
	if reason := s.readOnly(); reason != "" {
		return tui.Warn(reason)
	}
	if s.form.Focused() == "operator" { // a barcode is not a name
		return tui.Warn(s.T.Get("This field does not accept scans"))
	}
	defer func() { s.changeFields(s.values()) }()
	return takeScan(s.T, s.form, got)
}

// readOnly returns why the operator cannot change the settings, or "".
func (s *settings) readOnly() string {
	switch {
	case s.loaded.ReadOnly != "":
		return s.T.Message(s.loaded.ReadOnly)
	case !s.IsSupervisor():
		return s.T.Get("Only a supervisor can change the settings.")
	}

	return ""
}

// takeScan fills the focused field with a scan: a key may be a QR code.
func takeScan(t *i18n.Translator, form *widget.Form, got scan.Scan) tea.Cmd {
	if form.Scan(form.Focused(), got.Text) {
		return tui.Accepted()
	}
	return tui.Warn(t.Get("This field does not accept scans"))
}

func (s *settings) fill(v Values) {
	for name, text := range texts(v) {
		s.form.Fill(name, text)
	}
	s.changeFields(v)
}

// texts returns values as the fields of the form.
func texts(v Values) map[string]string {
	lock := ""
	if v.Lock > 0 {
		lock = strconv.FormatInt(v.Lock, 10)
	}

	return map[string]string{
		"operator":     v.Operator,
		"theme":        v.Theme,
		"language":     languageCode(v.Languages, v.Language),
		"sounds":       boolText(v.Sounds),
		"resume":       boolText(v.Resume),
		"lock":         lock,
		"offline":      boolText(v.Offline),
		"url":          v.URL,
		"organization": v.Organization,
		"key":          "",
	}
}

func languageNames(languages i18n.Languages) (names []string) {
	for _, l := range languages {
		names = append(names, l.Name)
	}
	return names
}

// languageCode returns the code of the language used for a code such as "de-AT".
func languageCode(languages i18n.Languages, code string) string {
	l, _ := languages.Find(code)
	return l.Code
}

func boolText(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

func (s *settings) values() Values {
	v := Values{
		Connection: Connection{
			URL:          s.form.Value("url"),
			Organization: s.form.Value("organization"),
			Key:          s.form.Value("key"),
		},
		MaskedKey: s.loaded.MaskedKey,
		Theme:     s.form.Value("theme"),
		Languages: s.loaded.Languages,
		Language:  s.form.Value("language"),
		Sounds:    s.form.Value("sounds") == "on",
		Operator:  s.form.Value("operator"),
		Resume:    s.form.Value("resume") == "on",
		Lock:      s.form.Number("lock"),
		Offline:   s.loaded.Offline,
	}

	if offline := s.form.Value("offline"); offline != "" {
		v.Offline = offline == "on"
	}

	return v
}

func (s *settings) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if hidden := s.small && s.result != ""; hidden && msg.Type == tea.KeyEnter {
			s.result = "" // it shows the form again, which may not be complete
			return s, nil
		}

		s.result = ""
		if !s.AcceptsKey(msg) {
			return s, nil
		}

		submit := s.form.Key(msg)
		s.changeFields(s.values()) // an address adds a field
		if submit && !s.busy {
			return s, s.save()
		}

	case testedMsg:
		s.busy, s.failed = false, msg.err != nil
		if msg.err != nil {
			s.result = errorText(s.T, msg.err)
			return s, tui.Bell(2)
		}
		s.result = describeAccess(s.T, msg.answer)
		return s, tui.Accepted()

	case savedMsg:
		s.busy = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(errorText(s.T, msg.err)))
		}
		return s, s.saved(msg.values)
	}

	return s, nil
}

func (s *settings) saved(v Values) tea.Cmd {
	if s.hooks.Load != nil {
		v = s.hooks.Load()
	}

	s.loaded, s.result = v, ""
	var apply tea.Cmd
	if s.hooks.Apply != nil {
		apply = s.hooks.Apply(v) // may change the language
	}

	typed := s.form.Values()
	s.changeFields(v)
	for name, text := range texts(v) {
		if typed[name] == s.sent[name] && typed[name] != text { // not typed since
			s.form.Fill(name, text)
		}
	}

	return tea.Batch(tui.Toast(s.T.Get("Settings saved")), apply)
}

// test tests the connection in the form, saved or not.
func (s *settings) test() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	if s.form.Value("organization") == "" {
		s.form.SetProblem("organization", s.T.NewError("enter the ID that the key belongs to"))
		return tui.Bell(2)
	}

	s.busy, s.result = true, ""
	c, test := s.values().Connection, s.hooks.Test

	return s.Do(func(ctx context.Context) tea.Msg {
		a, err := test(ctx, c)
		return testedMsg{a, err}
	})
}

func (s *settings) save() tea.Cmd {
	if reason := s.readOnly(); reason != "" {
		return tui.Warn(reason)
	}
	if s.hooks.Save == nil {
		return tui.Warn(s.T.Get("Settings cannot be saved here"))
	}
	if !s.form.Validate() {
		return tui.Bell(2)
	}

	s.busy, s.sent = true, s.form.Values()
	v, save := s.values(), s.hooks.Save

	return s.Do(func(ctx context.Context) tea.Msg { return savedMsg{v, save(ctx, v)} })
}

func (s *settings) changed() bool {
	v := s.values()
	return v.Key != "" || v.URL != s.loaded.URL || v.Organization != s.loaded.Organization ||
		v.Theme != s.loaded.Theme || v.Language != "" && v.Language != languageCode(s.loaded.Languages, s.loaded.Language) || v.Sounds != s.loaded.Sounds || v.Operator != s.loaded.Operator ||
		v.Resume != s.loaded.Resume || v.Lock != s.loaded.Lock || v.Offline != s.loaded.Offline
}

func (s *settings) Actions() []tui.Action {
	t := s.T

	busy := func() string {
		if s.busy {
			return t.Get("Wait for the answer")
		}
		return ""
	}

	scanner := tui.Action{
		ID:    "settings.scanner",
		Key:   "ctrl+o",
		Label: t.Get("scanner"),
		Help:  t.Get("Test the scanner"),
		Run:   tui.Opens("scanner"),
	}

	if s.readOnly() != "" {
		return []tui.Action{
			{
				ID:  "settings.save",
				Key: "ctrl+s", MoreKeys: []string{"f10"},
				Label:    t.Get("save"),
				Help:     t.Get("Save these settings"),
				Disabled: s.readOnly,
			},
			scanner,
		}
	}

	return []tui.Action{
		{
			ID:       "settings.save",
			Key:      "ctrl+s",
			MoreKeys: []string{"f10"},
			Label:    t.Get("save"),
			Help:     t.Get("Save these settings"),
			Disabled: func() string {
				if !s.changed() {
					return t.Get("There are no changes")
				}
				return busy()
			},
			Run: s.save,
		},
		{ID: "settings.test", Key: "f4", Label: t.Get("test connection"), Short: t.Get("test"),
			Help: t.Get("Test the connection without saving"),
			Disabled: func() string {
				if s.hooks.Test == nil || s.form.Value("url") == "" {
					return t.Get("The ledger is on this machine. There is no connection to test.")
				}
				return busy()
			}, Run: s.test},
		{
			ID:    "settings.undo",
			Key:   "ctrl+z",
			Label: t.GetC("undo", "settings"),
			Help:  t.Get("Undo unsaved changes"),
			Disabled: func() string {
				if !s.changed() {
					return t.Get("There are no changes")
				}
				return ""
			},
			Run: func() tea.Cmd { s.fill(s.loaded); s.result = ""; return nil },
		},
		scanner,
	}
}

// CanLeave keeps unsaved changes on the screen.
func (s *settings) CanLeave() (ok bool, reason string) {
	if s.changed() {
		return false, s.T.Get("Unsaved changes. Save them with ctrl+s, or undo them with ctrl+z.")
	}
	return true, ""
}

// errorText returns the text of an error for people.
func errorText(t *i18n.Translator, err error) string {
	if e := api.AsError(err); e.Code != api.InternalError {
		return t.Message(e.Message)
	}
	return widget.Capitalize(t.Message(err.Error()))
}
