package shell

import (
	"slices"
	"time"
	"unicode"

	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

func hasKey(keys []string, key string) bool { return slices.Contains(keys, key) }

// handleKey handles a key that a person pressed. It goes to the first of these that
// wants it: the login, the dialog, the shell's actions, the error, the screen.
func (m *Model) handleKey(k tea.KeyMsg) tea.Cmd {
	key := actionKey(k)
	now := m.opts.Clock.Now()
	quiet := now.Sub(m.lastKey)
	m.lastKey = now
	if key == "ctrl+c" {
		return m.interrupt(now)
	}
	m.lastCtrlC = time.Time{}
	m.login.lastInput = now
	if m.loginRequired() && !m.dialogTakesKeys() {
		return m.loginKey(k, key)
	}
	if m.dialog != nil {
		return m.dialogKey(k, key, quiet)
	}
	if a, ok := m.shellAction(key, m.fault.active()); ok {
		return m.runAction(m.top(), a)
	}
	if m.fault.active() {
		return m.faultKey(key)
	}
	if m.keyMustWait(k) {
		m.scans.queue = append(m.scans.queue, scan.Event{Key: k})
		return nil
	}
	return m.screenKey(k)
}

// screenKey handles a key of the screen on top: its input first, then its actions, then
// its Update.
func (m *Model) screenKey(k tea.KeyMsg) tea.Cmd {
	f, key := m.top(), actionKey(k)
	if f == nil {
		return nil
	}
	if t, ok := f.screen.(tui.TextInput); ok && t.AcceptsKey(k) {
		return m.update(f, k)
	}
	a, ok := m.actionFor(m.actions(f), key)
	if m.partOfTypedCode(k, ok) {
		return m.showToast(tui.ToastMsg{Text: m.t.Get("Nothing was done. Press F2 to type a code"), Warn: true})
	}
	if ok {
		return m.runAction(f, a)
	}
	switch key {
	case "?":
		return m.showHelp()
	case "esc":
		return m.back()
	}
	return m.update(f, k)
}

// typedCodeWindow is how long after a letter without a meaning a digit or enter still
// belongs to a typed code.
const typedCodeWindow = time.Second

// partOfTypedCode reports whether a key belongs to a code that the operator types where
// the screen accepts no text. Its digits and enter must not run actions.
func (m *Model) partOfTypedCode(k tea.KeyMsg, claimed bool) bool {
	now := m.opts.Clock.Now()
	typing := !m.lastLetter.IsZero() && now.Sub(m.lastLetter) < typedCodeWindow
	text := k.Type == tea.KeyRunes && !k.Paste && !k.Alt // several runes if they arrive together
	switch {
	case typing && k.Type == tea.KeyEnter:
		m.lastLetter = time.Time{}
		return true
	case typing && text && slices.ContainsFunc(k.Runes, unicode.IsDigit), text && slices.ContainsFunc(k.Runes, unicode.IsLetter) && !claimed:
		m.lastLetter = now
		return typing && claimed
	}
	return false
}

// actionKey returns the name of a key as actions name it.
func actionKey(k tea.KeyMsg) string {
	if k.Type == tea.KeySpace {
		return "space"
	}
	return k.String()
}

// actionFor returns the action of a key: an enabled one if there is one, otherwise a
// disabled one for its reason.
func (m *Model) actionFor(actions []tui.Action, key string) (tui.Action, bool) {
	var disabled *tui.Action
	for i, a := range actions {
		if !hasKey(m.opts.Keys.KeysFor(a), key) {
			continue
		}
		if a.DisabledReason() == "" {
			return a, true
		}
		if disabled == nil {
			disabled = &actions[i]
		}
	}
	if disabled != nil {
		return *disabled, true
	}
	return tui.Action{}, false
}

// runAction runs an action, asks first if it is dangerous, or says why it cannot run.
func (m *Model) runAction(f *frame, a tui.Action) tea.Cmd {
	if reason := a.DisabledReason(); reason != "" {
		return m.showToast(tui.ToastMsg{Text: reason, Warn: true})
	}
	if a.Run == nil {
		return nil
	}
	if a.Dangerous {
		question := a.Ask
		if question == "" {
			question = a.Label + "?"
		}
		return m.openDialog(m.screenID(f), tui.DialogMsg{Question: &tui.Question{Text: question, Yes: a.Label, OnYes: a.Run}})
	}
	switch {
	case a.Shell:
		return a.Run()
	case f == nil:
		return m.route(0, a.Run())
	}
	return m.run(f, a.Run())
}

func (m *Model) screenID(f *frame) int {
	if f == nil {
		return 0
	}
	return f.id
}

// globalActions returns the actions of the shell, which can be remapped too.
func (m *Model) globalActions() []tui.Action {
	act := func(id, label string, run func() tea.Cmd, keys ...string) tui.Action {
		return tui.Action{ID: "shell." + id, Label: label, Keys: keys, Run: run, NoFooter: true, Shell: true}
	}
	actions := []tui.Action{
		act("palette", m.t.Get("all actions"), m.showPalette, "ctrl+p"),
		act("help", m.t.Get("help"), m.showHelp, "f1"),
		act("find", m.t.Get("find"), m.showFind, "f2"),
		act("home", m.t.Get("home"), m.goHome, "ctrl+g"),
		act("mouse", m.t.Get("mouse on/off"), m.toggleMouse, "f12"),
		act("quit", m.t.Get("quit"), m.askQuit, "ctrl+q"),
	}
	if len(m.opts.Login.Operators) > 0 {
		actions = append(actions, act("logoff", m.t.Get("sign out"), m.logOut, "ctrl+l"))
	}
	return actions
}

// shellAction returns the shell's action of a key. While an error is shown, only help and
// quit are available.
func (m *Model) shellAction(key string, fault bool) (tui.Action, bool) {
	for _, a := range m.globalActions() {
		if hasKey(m.opts.Keys.KeysFor(a), key) {
			if fault && a.ID != "shell.help" && a.ID != "shell.quit" {
				continue
			}
			return a, true
		}
	}
	return tui.Action{}, false
}

// checkKeys warns about keys with two actions on the screen on top.
func (m *Model) checkKeys() tea.Cmd {
	f := m.top()
	if f == nil {
		return nil
	}
	m.keyConflicts = ""
	for _, c := range m.Conflicts() {
		if m.keyConflicts != "" {
			m.keyConflicts += "; "
		}
		m.keyConflicts += m.t.Get("%s is bound to %s: the first one wins", keyName(c.Key), joinWords(c.Actions))
		m.opts.Log.Warn("key claimed twice", "key", c.Key, "actions", c.Actions)
	}
	if m.keyConflicts == "" {
		return nil
	}
	return m.showToast(tui.ToastMsg{Text: m.keyConflicts, Warn: true})
}

// Conflicts returns the keys that have two actions on the screen on top.
func (m *Model) Conflicts() []tui.Conflict {
	f := m.top()
	if f == nil {
		return nil
	}
	return m.opts.Keys.Conflicts(append(m.globalActions(), m.actions(f)...))
}
