package dialog

import (
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Login signs operators in and out.
type Login struct {
	config tui.Login
	t      *i18n.Translator
	now    func() time.Time
	state
}

// state is what a login or sign-out resets.
type state struct {
	operator     *tui.Operator // nil while nobody is signed in
	locked       bool          // the operator has to sign in again
	candidate    *tui.Operator // who has to enter a PIN, or to confirm the sign-in
	switching    bool          // esc leaves the operator signed in instead of the candidate
	input        widget.Input
	problem      string
	lastInput    time.Time // the last key or scan
	failures     int       // wrong PINs in a row
	blockedUntil time.Time // no PIN is accepted before
	question     *int      // identifies the question in State
	approval     *Approval // the action that waits for a supervisor; nil if none does
}

// Unfinished is the work that the operator has not finished.
type Unfinished struct {
	Refusal string // why nobody else can sign in now, or ""
	Unsent  bool   // a badge asks before it signs in somebody else
}

// A LoginResult says what to do after an input.
type LoginResult struct {
	Bells  int
	Toast  string
	Warn   bool // the toast is a warning
	AskEnd bool // the operator wants to leave the program
	SignIn bool // an operator signed in
	// Approval is an action that a supervisor approved; nil if none did.
	Approval *Approval
}

// An Approval is an action of a screen that needs a supervisor.
type Approval struct {
	Screen     int // 0 is the shell
	Action     tui.Action
	Supervisor string // who approved it

	text string // what is done
}

const (
	pinAttempts = 3                // wrong PINs before a pause
	pinPause    = 30 * time.Second // in which no PIN is accepted
)

// NewLogin returns a Login without an operator.
func NewLogin(config tui.Login, t *i18n.Translator, now func() time.Time) *Login {
	return &Login{config: config, t: t, now: now}
}

// Enabled reports whether operators sign in at all.
func (l *Login) Enabled() bool { return len(l.config.People()) > 0 }

// Required reports whether the terminal waits for a badge or a name.
func (l *Login) Required() bool {
	return l.Enabled() && (l.operator == nil || l.locked || l.switching || l.approval != nil || l.isGone())
}

// isGone reports whether the operator may no longer work here.
func (l *Login) isGone() bool {
	return l.find(func(o tui.Operator) bool { return o.Name == l.operator.Name }) == nil
}

// Switching reports whether the badge of another operator was scanned, who has to enter a PIN
// or to confirm the sign-in.
func (l *Login) Switching() bool { return l.switching }

// asksPIN reports whether the input is a PIN.
func (l *Login) asksPIN() bool { return l.candidate != nil && l.candidate.Check != nil }

// AskApproval asks for a supervisor who approves an action of a screen. The operator stays
// signed in.
func (l *Login) AskApproval(screen int, a tui.Action) {
	l.approval = &Approval{Screen: screen, Action: a, text: l.approvalText(a)}
	l.ask(nil)
}

// approvalText describes an action that a supervisor has to approve. If only the operator's
// earlier changes make approval necessary, it names them.
func (l *Login) approvalText(a tui.Action) string {
	var earlier int64
	for i, n := range a.Needs {
		alone := a
		alone.Needs = slices.Clone(a.Needs)
		alone.Needs[i].Earlier = 0
		if n.Earlier != 0 && l.Allowed(alone) {
			earlier = n.Earlier
		}
	}

	text := a.Label
	if a.Approve != nil {
		text = a.Approve()
	}
	if earlier == 0 {
		return text
	}

	return l.t.Get("%s, after %s in the last 24 hours", text, l.t.Change(earlier))
}

// ask asks for the PIN of an operator, or for a badge or name if that is nil.
func (l *Login) ask(candidate *tui.Operator) {
	l.candidate, l.problem, l.question = candidate, "", nil
	l.input.Set("")
}

// Operator returns the name of the operator, or "".
func (l *Login) Operator() string {
	if l.operator == nil {
		return ""
	}
	return l.operator.Name
}

// Supervisor reports whether the operator is a supervisor. Without operators, everyone is.
func (l *Login) Supervisor() bool {
	return !l.Enabled() || l.operator != nil && l.operator.Supervisor
}

// Allowed reports whether the operator may run an action without an approval.
func (l *Login) Allowed(a tui.Action) bool {
	return l.Supervisor() || !a.Supervisor && l.Allows(a.Needs...)
}

// Allows reports whether the operator's role covers needs.
func (l *Login) Allows(needs ...tui.Need) bool {
	return l.Supervisor() || l.operator != nil && l.operator.Permissions.Allow(needs...)
}

// Limited reports whether the operator's role limits a permission to a quantity.
func (l *Login) Limited(p tui.Permission) bool {
	return !l.Supervisor() && l.operator != nil && l.operator.Permissions[p].Limited()
}

// Start signs in Login.Current.
func (l *Login) Start() {
	l.set(l.find(func(o tui.Operator) bool { return o.Name == l.config.Current }))
}

// set signs in an operator, or nobody if it is nil.
func (l *Login) set(o *tui.Operator) { l.state = state{operator: o, lastInput: l.now()} }

// find returns the first operator of which is is true, or nil.
func (l *Login) find(is func(o tui.Operator) bool) *tui.Operator {
	people := l.config.People()
	if i := slices.IndexFunc(people, is); i >= 0 {
		return &people[i]
	}
	return nil
}

// Touch says that there was input.
func (l *Login) Touch() { l.lastInput = l.now() }

// ByBadge returns the operator with a badge, or nil.
func (l *Login) ByBadge(code string) *tui.Operator {
	return l.find(func(o tui.Operator) bool { return hasBadge(o, strings.TrimSpace(code)) })
}

func hasBadge(o tui.Operator, code string) bool {
	return o.Badge != "" && strings.EqualFold(code, o.Badge) || o.OpenBadge != nil && o.OpenBadge(code)
}

// Present signs in an operator by badge or name, or asks for the PIN or a confirmation first:
// a supervisor's badge may be scanned before an approval is asked for.
func (l *Login) Present(o *tui.Operator, unfinished Unfinished) LoginResult {
	switch {
	case l.approval != nil && !o.Supervisor:
		l.problem = l.t.Get("%s is not a supervisor", widget.Clean(o.Name))
		return LoginResult{Bells: 2}
	case l.approval != nil && o.Check == nil:
		return l.approve(o)
	case l.approval != nil:
		l.ask(o)
		return LoginResult{Bells: 1}
	case l.operator != nil && o.Name == l.operator.Name && !l.locked:
		l.Cancel()
		return LoginResult{Bells: 1, Toast: l.t.Get("Signed in as %s", o.Name)}
	case unfinished.Refusal != "":
		return LoginResult{Bells: 2, Toast: unfinished.Refusal, Warn: true}
	case o.Check == nil && (l.operator == nil || l.locked || !unfinished.Unsent):
		return l.signIn(o)
	}

	l.ask(o)
	l.switching = l.operator != nil && !l.locked

	return LoginResult{Bells: 1}
}

func (l *Login) approve(o *tui.Operator) LoginResult {
	approval := l.approval
	approval.Supervisor = o.Name
	l.approval = nil
	l.ask(nil)
	return LoginResult{Bells: 1, Approval: approval}
}

func (l *Login) signIn(o *tui.Operator) LoginResult {
	l.set(o)
	return LoginResult{Bells: 1, Toast: l.t.Get("Signed in as %s", o.Name), SignIn: true}
}

// SignOut signs the operator out.
func (l *Login) SignOut() { l.set(nil) }

// Idle reports whether nobody has used the terminal for Login.LockAfter, so that it should
// lock.
func (l *Login) Idle() bool {
	limit := l.config.LockAfter
	return limit > 0 && l.operator != nil && !l.locked && l.now().Sub(l.lastInput) >= limit
}

// Lock makes the operator sign in again.
func (l *Login) Lock() {
	if l.switching {
		l.Cancel()
	}
	l.locked = true
}

// Scan handles a scan while a login is required. Digits that begin no badge are a PIN that
// was typed fast, if one is asked for.
func (l *Login) Scan(s scan.Scan, unfinished Unfinished) LoginResult {
	o := l.ByBadge(s.Text)
	if o == nil && l.asksPIN() && l.maybePIN(s.Raw) {
		l.problem = ""
		l.input.Set(l.input.Value() + s.Raw)
		if s.Unterminated {
			return LoginResult{}
		}
		return l.enter(unfinished)
	}

	if o == nil {
		l.problem = l.t.Get("Unknown badge or name. Try again.")
		return LoginResult{Bells: 2}
	}

	return l.Present(o, unfinished)
}

// maybePIN reports whether a text has only digits and begins no operator's badge.
func (l *Login) maybePIN(text string) bool {
	return strings.Trim(text, "0123456789") == "" &&
		!slices.ContainsFunc(l.config.People(), func(o tui.Operator) bool {
			return strings.HasPrefix(o.Badge, text)
		})
}

// Key handles a key while a login is required.
func (l *Login) Key(k tea.KeyMsg, key string, unfinished Unfinished) LoginResult {
	switch key {
	case "ctrl+q":
		return LoginResult{AskEnd: true}
	case "esc":
		l.Cancel()
	case "enter":
		return l.enter(unfinished)
	default:
		l.problem = ""
		l.input.Key(k)
	}

	return LoginResult{}
}

// Cancel stops asking for a PIN, a confirmation or an approval. A signed-in operator continues.
func (l *Login) Cancel() {
	l.switching, l.approval = false, nil
	l.ask(nil)
}

// Enter handles a typed badge, name or PIN.
func (l *Login) Enter(text string, unfinished Unfinished) LoginResult {
	l.input.Set(text)
	return l.enter(unfinished)
}

func (l *Login) enter(unfinished Unfinished) LoginResult {
	text := strings.TrimSpace(l.input.Value())
	switch {
	case text == "" && l.switching && !l.asksPIN():
		unfinished.Unsent = false
		return l.Present(l.candidate, unfinished)
	case text == "":
		return LoginResult{}
	}

	l.input.Set("")
	now := l.now()
	switch {
	case !l.asksPIN():
		if o := l.named(text); o != nil {
			return l.Present(o, unfinished)
		}
		l.problem = l.t.Get("Unknown badge or name. Try again.")
	case now.Before(l.blockedUntil):
		l.problem = l.t.Get("Too many wrong PINs. Wait %d s.", int(l.blockedUntil.Sub(now).Seconds())+1)
	case l.candidate.Check(text) && l.approval != nil:
		return l.approve(l.candidate)
	case l.candidate.Check(text):
		return l.signIn(l.candidate)
	default:
		l.problem = l.t.Get("Wrong PIN. Try again")
		if l.failures++; l.failures%pinAttempts == 0 {
			l.blockedUntil = now.Add(pinPause)
			l.problem = l.t.Get("Too many wrong PINs. Wait %d s.", int(pinPause.Seconds()))
		}
	}

	return LoginResult{Bells: 2}
}

// named returns the operator with a badge, or with a name where that is enough, or nil.
func (l *Login) named(text string) *tui.Operator {
	return l.find(func(o tui.Operator) bool {
		return strings.EqualFold(text, o.Name) && (!o.RequireProof || o.Check != nil) || hasBadge(o, text)
	})
}
