package outbox

import (
	"cmp"
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// replacementForm is the screen with the form of a replacement.
type replacementForm struct {
	replacement
	tui.Env
	site   *session.Site
	key    string
	next   string // idempotency key of the replacement; retries use it again
	work   *api.Work
	form   *widget.Form
	insist bool
	// approvedBy is the supervisor who approved it, or "" before.
	approvedBy string
	errText    string
	busy       bool
}

func newReplacementForm(site *session.Site, key string, k replacement) *replacementForm {
	return &replacementForm{replacement: k, site: site, key: key, next: api.NewKey()}
}

func (s *replacementForm) Init(env tui.Env) tea.Cmd {
	s.Env, s.approvedBy = env, env.ApprovedBy()
	return s.reload()
}

func (s *replacementForm) reload() tea.Cmd {
	s.errText = ""
	return s.Latest("work", func(ctx context.Context) tea.Msg {
		if _, err := s.site.FetchSyncStatus(ctx); err != nil {
			return workMsg{err: err}
		}
		w, err := findWork(ctx, s.site, s.key)
		return workMsg{work: w, err: err}
	})
}

func (s *replacementForm) Title() string {
	if s.work == nil {
		return s.T.Get("Sync")
	}
	return s.T.Get("Sync") + " › " + workTitle(s.T, s.work) + " › " + s.title()
}

func (s *replacementForm) ShortTitle() string { return s.title() }

func (s *replacementForm) Busy() bool { return s.busy }

// AcceptsKey reports whether k is text input for the form.
func (s *replacementForm) AcceptsKey(k tea.KeyMsg) bool {
	return s.form != nil && !s.busy && s.form.AcceptsKey(k)
}

func (s *replacementForm) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case workMsg:
		s.workLoaded(msg)
	case decidedMsg:
		s.busy = false
		if msg.err == nil {
			return s, tea.Batch(tui.Toast(msg.text), tui.Accepted(), tui.Back())
		}
		return s, s.refused(msg.err)

	case tea.KeyMsg:
		if s.form != nil && s.form.Key(msg) {
			return s, tui.Perform(s.Actions()[0])
		}
	}

	return s, nil
}

func (s *replacementForm) workLoaded(m workMsg) {
	switch {
	case session.IsUnsupported(m.err):
		s.errText = noQueueText(s.site)
	case m.err != nil:
		s.errText = submit.UserMessage(s.T, m.err)
	case m.work == nil:
		s.errText = s.T.Get(
			"This entry is no longer listed: resolved entries are removed after a week. Press esc to go back.")
	case cannotReplace(s.T, m.work) != "":
		s.errText = cannotReplace(s.T, m.work)
	case s.unavailable(m.work) != "":
		s.errText = s.unavailable(m.work)
	default:
		s.work = m.work
		s.form = newForm(s.T, s.replacement, m.work)
	}
}

// newForm returns the form of a replacement, filled in.
func newForm(t *i18n.Translator, k replacement, w *api.Work) *widget.Form {
	f := widget.NewForm(t, k.fields(w)...)
	k.fill(f, w)
	return f
}

// send replaces the work with the values of the form.
func (s *replacementForm) send() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}

	s.busy = true
	s.approvedBy = cmp.Or(s.approvedBy, s.ApprovedBy())
	v, by := s.form.Values(), api.ApprovedBy(s.approvedBy)

	return s.Do(func(ctx context.Context) tea.Msg {
		in, err := s.build(ctx, s.site, s.work, v)
		if err == nil {
			in.Key, in.Insist = s.key, s.insist
			_, err = session.CallNode(ctx, s.site, api.ReplaceWork, in, api.Key(s.next), by)
		}
		if err != nil {
			return decidedMsg{err: err}
		}

		return decidedMsg{text: s.T.Get("Replaced with: %s", s.describe(s.work, v))}
	})
}

// refused shows an error, at its field if it has one. If the items have moved, it
// offers to save the replacement anyway.
func (s *replacementForm) refused(err error) tea.Cmd {
	var fault *fieldError
	if errors.As(err, &fault) {
		s.form.SetProblem(fault.field, errors.New(fault.text))
		return tui.Bell(2)
	}

	var offers []tui.Action
	if api.AsError(err).Details["insist"] == true {
		offers = append(offers, tui.Action{
			ID:    "sync.insist",
			Key:   "f10",
			Label: s.T.Get("save anyway"),
			Help:  s.T.Get("Save it although the local ledger rejects it. The service decides."),
			Run:   func() tea.Cmd { s.insist = true; return s.send() },
		})
	}

	return tui.Fail(userError(s.T, err), offers...)
}

func (s *replacementForm) Actions() []tui.Action {
	t := s.T

	if s.form == nil {
		return []tui.Action{{ID: "sync.reload", Key: "enter", Label: t.Get("refresh"), Run: s.reload}}
	}

	return []tui.Action{
		{
			ID:  "sync.save",
			Key: "ctrl+s", MoreKeys: []string{"f10"},
			Label:      t.Get("send"),
			Help:       t.Get("Save this in place of the original and send it"),
			Command:    tui.DoConfirm,
			Supervisor: s.approvedBy == "",
			Disabled: func() string {
				if s.busy {
					return t.Get("Already in progress")
				}
				return ""
			},
			Run: s.send,
		},
	}
}

func (s *replacementForm) View(size tui.Size) string {
	t := s.Theme
	if s.form == nil {
		return panel.LoadingView(s.T, t, size, s.T.Get("the operation"), s.errText)
	}

	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 100)
	}

	var lines []string
	put := func(text string) { lines = append(lines, margin+widget.Clip(text, width)) }
	if !size.Small() {
		put(t.Strong.Render(s.question()))
		lines = append(lines, "")
	}

	now := t.Strong.Render(s.describe(s.work, s.form.Values()))
	if size.Small() {
		put(now)
	} else {
		put(widget.Left(s.T.Get("Was"), 8) + " " + workTitle(s.T, s.work))
		put(widget.Left(s.T.Get("Now"), 8) + " " + now)
	}

	if !size.Small() {
		if why := reason(s.T, s.work); why != "" {
			put(t.Refused(widget.Clean(why)))
		}
		for _, p := range comparison(s.T, s.work, false) {
			put(t.Muted.Render(widget.Left(p.Label, 8) + " " + p.Value))
		}
		lines = append(lines, "")
	}

	for _, line := range strings.Split(s.form.View(t, width), "\n") {
		lines = append(lines, margin+line)
	}

	return strings.Join(lines, "\n")
}

// A replacement replaces work that is not synced: the same operation with other
// values, or an adjustment.
type replacement interface {
	// unavailable returns why it cannot replace w, or "".
	unavailable(w *api.Work) string
	question() string
	title() string
	// fields returns the fields of the form, which fill fills in.
	fields(w *api.Work) []widget.Field
	fill(f *widget.Form, w *api.Work)
	// build returns the request that replaces w. It may call the service.
	build(ctx context.Context, site *session.Site, w *api.Work, v map[string]string) (api.ReplaceWorkInput, error)
	// describe describes the replacement.
	describe(w *api.Work, v map[string]string) string
}

// A fieldError is an error about one field.
type fieldError struct{ field, text string }

func (e *fieldError) Error() string { return e.text }

// cannotReplace returns why w cannot be replaced, or "".
func cannotReplace(t *i18n.Translator, w *api.Work) string {
	switch {
	case w.State == api.WorkSent:
		return t.Get("It was sent and may already be recorded. Wait for the answer, or press F5 to sync now.")
	case !w.State.Unresolved():
		return t.Get("It is already resolved")
	}

	return ""
}
