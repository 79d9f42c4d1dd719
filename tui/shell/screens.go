package shell

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/input"
	"bincard/tui/shell/internal/paint"

	tea "github.com/charmbracelet/bubbletea"
)

// screens are the operator's open screens, with their commands, dialogs and drafts.
type screens struct {
	parts
	ctx   context.Context // of all screens
	saved savedWork

	list    []*openScreen // the last is on top
	nextID  int
	firstID int // of the operator's screens; those before are of others
}

// openScreen is a screen on the stack.
type openScreen struct {
	id       int // the address of its answers
	cancel   context.CancelFunc
	env      tui.Env
	screen   tui.Screen
	draft    string // the draft on disk
	hasDraft bool   // whether there is one
	from     string // the operator whom it was taken over from, or ""

	shared     bool // operators share the work of its route
	opened     time.Time
	sharedWith string // the operator at another terminal who is known to have it open, or ""
}

// takeOverMsg makes a draft the operator's and opens its screen.
type takeOverMsg struct {
	draft   tui.Draft
	replace bool
}

// busy reports whether the screen is submitting.
func (s *openScreen) busy() bool {
	w, ok := s.screen.(tui.Busy)
	return ok && w.Busy()
}

// accepts reports whether the screen has an input that accepts a key.
func (s *openScreen) accepts(k tea.KeyMsg) bool {
	t, ok := s.screen.(tui.TextInput)
	return ok && t.AcceptsKey(k)
}

// refusal returns why the screen refuses to be closed, or "".
func (s *openScreen) refusal() string {
	if l, ok := s.screen.(tui.Leaver); ok {
		if ok, reason := l.CanLeave(); !ok {
			return reason
		}
	}

	return ""
}

// byID returns the open screen with an ID, or nil.
func (w *screens) byID(id int) *openScreen {
	for _, s := range w.list {
		if s.id == id {
			return s
		}
	}

	return nil
}

// top returns the screen on top, or nil before the first one.
func (w *screens) top() *openScreen {
	if len(w.list) == 0 {
		return nil
	}
	return w.list[len(w.list)-1]
}

// topID returns the ID of the screen on top, or 0.
func (w *screens) topID() int {
	if s := w.top(); s != nil {
		return s.id
	}
	return 0
}

// routes returns the routes of all open screens, the last on top.
func (w *screens) routes() []string {
	routes := make([]string, len(w.list))
	for i, s := range w.list {
		routes[i] = s.env.Route.Path
	}
	return routes
}

// sending reports whether any screen is submitting in the operator's name.
func (w *screens) sending() bool { return slices.ContainsFunc(w.list, (*openScreen).busy) }

// openFirst opens the operator's first screens, if none is open.
func (w *screens) openFirst() tea.Cmd {
	if len(w.list) > 0 {
		return nil
	}
	var cmds []tea.Cmd
	for _, route := range w.saved.routes() { // a warning is enough for what was open here before
		cmds = append(cmds, w.open(tui.OpenMsg{Route: route, Anyway: true}))
	}
	return tea.Batch(cmds...)
}

// open opens a screen above the one on top, or in its place. If another operator has the
// draft that it would open, it asks first.
func (w *screens) open(msg tui.OpenMsg) tea.Cmd {
	entry, route, err := w.opts.Registry.Find(msg.Route)
	if err != nil {
		return w.alerts.error(w.t.Message(err.Error()))
	}

	top := w.top()
	if top != nil && route.Path == top.env.Route.Path && !msg.Replace {
		return nil
	}

	w.nextID++
	id := w.nextID
	env, cancel := tui.Env{
		Theme:      w.opts.Theme,
		Keys:       w.opts.Keys,
		Clock:      w.opts.screenClock(),
		Log:        w.opts.Log,
		Supervisor: w.login.Supervisor,
		Limited:    w.login.Limited,
		Allowed:    w.login.Allows,
		Approver:   func() string { return w.pending.ApprovedBy(id) },
		Operator:   w.saved.operator,
		T:          w.t,
		Route:      route,
		Drafts:     w.opts.Drafts,
		Presence:   w.opts.Presence,
	}.Bind(w.ctx, id, w.opts.Limit)
	denied := ""
	if entry.Denied != nil {
		denied = entry.Denied(env)
	}
	if denied != "" {
		cancel()
		return w.alerts.error(w.t.Message(denied))
	}

	if d, asks, err := w.saved.claim(entry, route.Path, msg.DraftOf); asks || err != nil {
		cancel()
		if err != nil {
			return w.alerts.error(w.t.Get("Cannot open the draft: %v", err))
		}
		return w.askTakeOver(d, msg)
	}

	other, elsewhere := w.openElsewhere(route.Path)
	if _, own, _ := w.saved.load(route.Path); elsewhere && !own && !msg.Anyway {
		cancel()
		return w.askShared(other, msg)
	}

	screen, err := entry.Factory(env)
	if err != nil {
		cancel()
		return w.alerts.error(w.t.Message(err.Error()))
	}
	if msg.Replace && top != nil {
		w.dispose(top)
		w.disposeRoute(route.Path)
	}

	s := &openScreen{id: id, cancel: cancel, env: env, screen: screen, shared: entry.Shared(), opened: env.Now()}
	if d, ok, err := w.saved.load(route.Path); ok && err == nil {
		s.draft, s.hasDraft, s.from = string(d.Data), true, d.From
	}

	w.list = append(w.list, s)
	source := input.Source{Screen: id, ApprovedBy: w.pending.Source().ApprovedBy}
	init := w.pending.From(source, func() tea.Cmd { return screen.Init(env) })
	cmd := w.pending.WithCause(input.Opening, func() tea.Cmd { return w.run(s, init) })
	w.saveRoutes()
	if s.from != "" {
		cmd = tea.Batch(cmd, w.alerts.success(w.t.Get("Taken over from %s", s.from)))
	}
	cmd = tea.Batch(cmd, w.warnShared())
	if problems := w.keyProblems(); len(problems) > 0 {
		cmd = tea.Batch(cmd, w.alerts.warn(strings.Join(problems, "; ")))
	}

	return cmd
}

// askTakeOver asks whether to take over a draft of another operator, which msg opens.
func (w *screens) askTakeOver(d tui.Draft, msg tui.OpenMsg) tea.Cmd {
	var leave func() tea.Cmd
	if top := w.top(); msg.Redirect && top != nil {
		leave = func() tea.Cmd { return w.close(top.id) }
	}
	return tui.Confirm(
		tui.Question{
			Text:  w.saved.takeOverQuestion(d),
			Yes:   w.t.Get("take over"),
			No:    w.t.Get("keep as is"),
			OnNo:  leave,
			OnYes: func() tea.Cmd { return func() tea.Msg { return takeOverMsg{d, msg.Replace} } },
		},
	)
}

// takeOver makes a draft of another operator the operator's and opens its screen.
func (w *screens) takeOver(msg takeOverMsg) tea.Cmd {
	if problem := w.saved.takeOver(msg.draft); problem != "" {
		return w.alerts.error(problem)
	}
	return w.open(tui.OpenMsg{Route: msg.draft.Route, Replace: msg.replace})
}

// update sends a message to a screen and saves its draft.
func (w *screens) update(s *openScreen, msg tea.Msg) tea.Cmd {
	screen, cmd := s.screen.Update(msg)
	s.screen = screen
	return w.run(s, cmd)
}

// run starts the command of a screen whose state has changed, and saves its draft.
func (w *screens) run(s *openScreen, cmd tea.Cmd) tea.Cmd {
	w.save(s)
	return w.pending.Start(s.id, cmd)
}

// start runs fn for the screen with an ID, or for the shell if it is closed.
func (w *screens) start(id int, fn func() tea.Cmd) tea.Cmd {
	if s := w.byID(id); s != nil {
		return w.run(s, fn())
	}
	return w.pending.Start(0, fn())
}

// save saves or discards a screen's draft if it has changed.
func (w *screens) save(s *openScreen) {
	saver, ok := s.screen.(tui.DraftSaver)
	if !ok {
		return
	}

	data := saver.Snapshot()
	route := s.env.Route.Path
	var err error
	switch {
	case data == nil && s.hasDraft:
		err = w.opts.Drafts.Discard(route, s.env.Operator)
	case data != nil && (!s.hasDraft || string(data) != s.draft):
		err = w.opts.Drafts.Save(tui.Draft{Route: route, Owner: s.env.Operator, From: s.from, Data: data})
	default:
		return
	}

	if err != nil {
		w.opts.Log.Error("draft not saved", "route", route, "error", err)
		w.alerts.warn(w.t.Get("Draft not saved: %v", err))
		return
	}

	began := !s.hasDraft
	s.draft, s.hasDraft = string(data), data != nil
	if began || data == nil {
		w.sharePresence()
	}
	if data == nil {
		s.from = "" // the next work is the operator's own
	}
}

// saveAll saves all drafts and the open routes. A screen that panics keeps its previous
// draft.
func (w *screens) saveAll() {
	for _, s := range w.list {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					w.opts.Log.Error("draft not taken", "route", s.env.Route.Path, "cause", cause)
				}
			}()
			w.save(s)
		}()
	}

	w.saveRoutes()
}

func (w *screens) saveRoutes() {
	w.saved.saveRoutes(w.routes())
	w.sharePresence()
}

// dispose removes a screen with its pending commands and dialogs. Its draft stays.
func (w *screens) dispose(s *openScreen) {
	w.save(s)
	s.cancel()
	w.list = slices.DeleteFunc(w.list, func(other *openScreen) bool { return other == s })
	w.pending.RemoveScreen(s.id)
	if w.alerts.fault.Screen == s.id {
		w.alerts.fault.Detach()
	}
	w.dialogs.CloseScreen(s.id)
}

// disposeRoute removes the screen with a route below a new one, so that only one screen
// writes the draft of the route. The first screen stays.
func (w *screens) disposeRoute(path string) {
	for i, s := range w.list {
		if i > 0 && s.env.Route.Path == path {
			w.dispose(s)
			return
		}
	}
}

// back closes the screen on top, or says why it cannot be closed.
func (w *screens) back() tea.Cmd {
	s := w.top()
	if s == nil || len(w.list) == 1 {
		return nil
	}
	if reason := w.cannotLeave(s); reason != "" {
		return w.alerts.warn(reason)
	}
	return w.close(s.id)
}

// cannotLeave returns why a screen cannot be closed now, or "".
func (w *screens) cannotLeave(s *openScreen) string {
	if s.busy() {
		return w.t.Get("Still sending. Wait a moment.")
	}
	return s.refusal()
}

// close closes the screen with an ID, or the one on top if id is 0. The last screen stays.
func (w *screens) close(id int) tea.Cmd {
	top := w.top()
	s := w.byID(id)
	if id == 0 {
		s = top
	}
	if s == nil || len(w.list) == 1 {
		return nil
	}

	w.dispose(s)
	w.saveRoutes()
	var cmd tea.Cmd
	if s.hasDraft {
		name := w.saved.name(tui.Draft{Route: s.env.Route.Path, Owner: s.env.Operator, Data: []byte(s.draft)})
		cmd = w.alerts.success(w.t.Get("Draft saved: %s", name))
	}
	if s == top {
		cmd = tea.Batch(cmd, w.refresh())
	}

	return cmd
}

// refresh refreshes the screen on top.
func (w *screens) refresh() tea.Cmd {
	if s := w.top(); s != nil {
		if r, ok := s.screen.(tui.Refresher); ok {
			return w.run(s, r.Refresh())
		}
	}

	return nil
}

// goHome closes all screens but the first.
func (w *screens) goHome() tea.Cmd {
	if len(w.list) < 2 {
		return nil
	}

	for len(w.list) > 1 {
		if reason := w.cannotLeave(w.top()); reason != "" {
			return tea.Batch(w.alerts.warn(reason), w.refresh())
		}
		w.dispose(w.top())
	}

	w.saveRoutes()

	return w.refresh()
}

// changeOperator tells Login.OnChange who is signed in. What belongs to another operator
// closes: openFirst opens the screens of the new one.
func (w *screens) changeOperator() {
	name, before := w.login.Operator(), w.saved.operator
	if name != "" && name != before {
		w.dialogs.Close() // they, and the right to answer them, are those of the operator
		if before != "" {
			w.saved.left[before] = w.routes()
			w.alerts.fault = dialog.Fault{}
		}
		for len(w.list) > 0 {
			w.dispose(w.top())
		}
		if n := w.input.Discard(); n > 0 {
			w.opts.Log.Warn("scans discarded: another operator signed in", "count", n)
		}

		w.firstID = w.nextID + 1
		w.saved.operator, w.saved.session = name, ""
	}

	if w.opts.Login.OnChange != nil {
		w.opts.Login.OnChange(name)
	}
}

// quitReasons saves the drafts and returns what to ask before the program ends.
func (w *screens) quitReasons() (reasons []string) {
	for _, s := range w.list {
		w.save(s)
		if s.busy() {
			reasons = append(reasons, w.t.Get("Still sending: %s. Quit anyway?", paint.ShortTitle(s.screen)))
		} else if reason := s.refusal(); reason != "" {
			reasons = append(reasons, w.t.Get("%s Quit anyway?", reason))
		}
	}

	if unsent := w.saved.unsent(); unsent != "" {
		reasons = append(reasons, unsent)
	}

	return reasons
}

// conflicts returns the keys that have two actions on the screen on top.
func (w *screens) conflicts() []tui.Conflict {
	s := w.top()
	if s == nil {
		return nil
	}
	return w.opts.Keys.Conflicts(append(shellActions(w.t, w.login.Enabled()), s.screen.Actions()...))
}

// keyProblems describes those keys.
func (w *screens) keyProblems() (problems []string) {
	for _, c := range w.conflicts() {
		problems = append(problems,
			w.t.Get("%s is bound to %s: the first one wins", input.KeyLabel(w.t, c.Key), strings.Join(c.Actions, ", ")))
		w.opts.Log.Warn("key claimed twice", "key", c.Key, "actions", c.Actions)
	}

	return problems
}

// unfinished returns the work that the operator has not finished. Nobody else can sign in while
// the screens still work on the input, or would lose it. Anybody can sign in on a terminal that
// is locked.
func (w *screens) unfinished() dialog.Unfinished {
	waiting := !w.login.Required()
	if w.sending() || waiting && !w.input.Empty() {
		return dialog.Unfinished{Refusal: w.t.Get("Still sending. Wait a moment.")}
	}

	out := dialog.Unfinished{Unsent: w.dialogs.Open()}
	for _, s := range w.list {
		if reason := s.refusal(); waiting && reason != "" && out.Refusal == "" {
			out.Refusal = paint.ShortTitle(s.screen) + ": " + reason
		}
		out.Unsent = out.Unsent || s.hasDraft
	}

	return out
}
