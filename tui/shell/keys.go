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

// handleKey handles a key that a person pressed: dialogs first, then the error
// that stands, then what the screen types, its actions, the shell's, the screen.
func (m *Model) handleKey(k tea.KeyMsg) tea.Cmd {
	key := actionKey(k)
	now := m.opts.Clock.Now()
	quiet := now.Sub(m.lastKey)
	m.lastKey = now
	m.keyCount++
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

// screenKey handles a key of the screen on top: what it types, its actions, the
// rest.
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

// typedCodeWindow is how soon after a letter that means nothing a digit or enter is part
// of what is typed: a code, on a screen that takes none.
const typedCodeWindow = time.Second

// partOfTypedCode tells whether a key belongs to a code that is typed where no text is
// taken: what its digits and its enter would do is not meant.
func (m *Model) partOfTypedCode(k tea.KeyMsg, claimed bool) bool {
	now := m.opts.Clock.Now()
	among := !m.lastLetter.IsZero() && now.Sub(m.lastLetter) < typedCodeWindow
	text := k.Type == tea.KeyRunes && !k.Paste && !k.Alt // more than one rune where they come at once
	switch {
	case among && k.Type == tea.KeyEnter:
		m.lastLetter = time.Time{}
		return true
	case among && text && slices.ContainsFunc(k.Runes, unicode.IsDigit), text && slices.ContainsFunc(k.Runes, unicode.IsLetter) && !claimed:
		m.lastLetter = now
		return among && claimed
	}
	return false
}

// actionKey is the key as actions name it; a paste is text and fires nothing.
func actionKey(k tea.KeyMsg) string {
	if k.Type == tea.KeySpace {
		return "space"
	}
	return k.String()
}

// actionFor finds the action a key belongs to: one that can be done, else one
// that says why it cannot.
func (m *Model) actionFor(actions []tui.Action, key string) (tui.Action, bool) {
	var off *tui.Action
	for i, a := range actions {
		if !hasKey(m.opts.Keys.KeysFor(a), key) {
			continue
		}
		if a.DisabledReason() == "" {
			return a, true
		}
		if off == nil {
			off = &actions[i]
		}
	}
	if off != nil {
		return *off, true
	}
	return tui.Action{}, false
}

// runAction does an action, asks first when it is dangerous, or says why not.
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

// globalActions are the shell's own actions; their keys can be remapped too.
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

// shellAction finds the shell's action on a key; while an error stands only
// help and quit are left.
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

// checkKeys looks for keys claimed twice on the present screen and tells once.
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

// Conflicts are the keys claimed twice on the present screen, for settings.
func (m *Model) Conflicts() []tui.Conflict {
	f := m.top()
	if f == nil {
		return nil
	}
	return m.opts.Keys.Conflicts(append(m.globalActions(), m.actions(f)...))
}
