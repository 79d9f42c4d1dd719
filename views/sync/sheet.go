package sync

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// A kind is what takes the place of work: the same with other numbers, or an
// adjustment.
type kind interface {
	// lacks tells why it cannot take the place of that work, or "".
	lacks(w *api.Work) string
	ask() string
	title() string
	// fields are its questions, filled in by fill.
	fields(w *api.Work) []widget.Field
	fill(f *widget.Form, w *api.Work)
	// make is what is kept in the place of work; it may ask the service here.
	make(ctx context.Context, site *dock.Site, w *api.Work, v map[string]string) (api.ReplaceWorkInput, error)
	// words are what it will be.
	words(w *api.Work, v map[string]string) string
}

// sheet is the form of what takes the place of a piece of work.
type sheet struct {
	kind
	site   *dock.Site
	env    tui.Env
	key    string
	next   string // the key of what takes its place: one however often it is sent
	work   *api.Work
	form   *widget.Form
	insist bool
	fault  string
	busy   bool
}

func newSheet(site *dock.Site, key string, k kind) *sheet {
	return &sheet{kind: k, site: site, key: key, next: api.NewKey()}
}

func (s *sheet) Init(env tui.Env) tea.Cmd {
	s.env = env
	return s.reload()
}

func (s *sheet) reload() tea.Cmd {
	s.fault = ""
	return s.env.Latest("work", func(ctx context.Context) tea.Msg {
		w, err := find(ctx, s.site, s.key)
		return workMsg{work: w, err: err}
	})
}

func (s *sheet) Title() string {
	if s.work == nil {
		return nameScreen
	}
	return nameScreen + " › " + deed(s.work) + " › " + s.title()
}

func (s *sheet) ShortTitle() string { return s.title() }
func (s *sheet) Busy() bool         { return s.busy }

// Types tells whether a key is text for the form.
func (s *sheet) AcceptsKey(k tea.KeyMsg) bool {
	return s.form != nil && !s.busy && s.form.AcceptsKey(k)
}

func (s *sheet) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case workMsg:
		s.found(msg)
	case decidedMsg:
		s.busy = false
		if msg.err == nil {
			return s, tea.Batch(tui.Toast(msg.words), tui.Accepted(), tui.Back())
		}
		return s, s.refused(msg.err)
	case tea.KeyMsg:
		if s.form != nil && s.form.Key(msg) {
			return s, s.send()
		}
	}
	return s, nil
}

func (s *sheet) found(m workMsg) {
	switch {
	case m.err != nil:
		s.fault = dock.Words(m.err)
	case m.work == nil:
		s.fault = unknownWork
	case replaceable(m.work) != "":
		s.fault = replaceable(m.work)
	case s.lacks(m.work) != "":
		s.fault = s.lacks(m.work)
	default:
		s.work = m.work
		s.form = newForm(s.kind, m.work)
	}
}

// newForm is the form of what takes the place of work, filled in.
func newForm(k kind, w *api.Work) *widget.Form {
	f := widget.NewForm(k.fields(w)...)
	k.fill(f, w)
	return f
}

// send has what the form says kept in the place of the work.
func (s *sheet) send() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	s.busy = true
	v := s.form.Values()
	return s.env.Do(func(ctx context.Context) tea.Msg {
		in, err := s.make(ctx, s.site, s.work, v)
		if err == nil {
			in.Key, in.Insist = s.key, s.insist
			_, err = dock.AskNode(ctx, s.site, api.ReplaceWork, in, api.Key(s.next))
		}
		if err != nil {
			return decidedMsg{err: err}
		}
		return decidedMsg{words: sprintf(doneEdit, s.words(s.work, v))}
	})
}

// refused says why it is not kept, beside the field that is at fault, and
// offers to keep it all the same where the goods have moved.
func (s *sheet) refused(err error) tea.Cmd {
	var fault *faultError
	if errors.As(err, &fault) {
		s.form.SetProblem(fault.field, errors.New(fault.words))
		return tui.Bell(2)
	}
	var offers []tui.Action
	if api.AsError(err).Details["insist"] == true {
		offers = append(offers, tui.Action{ID: "sync.insist", Keys: []string{"f10"}, Label: labelInsist, Help: helpInsist,
			Run: func() tea.Cmd { s.insist = true; return s.send() }})
	}
	return tui.Fail(worded(err), offers...)
}

// A faultError is what is wrong with a field.
type faultError struct{ field, words string }

func (e *faultError) Error() string { return e.words }

func (s *sheet) Actions() []tui.Action {
	if s.form == nil {
		return []tui.Action{{ID: "sync.reload", Keys: []string{"enter"}, Label: labelReload, Run: s.reload}}
	}
	return []tui.Action{{ID: "sync.save", Keys: []string{"f9"}, Label: labelSave, Help: helpSave, Command: tui.DoConfirm, Disabled: func() string {
		if s.busy {
			return offBusy
		}
		return ""
	}, Run: s.send}}
}

func (s *sheet) View(size tui.Size) string {
	t := s.env.Theme
	if s.form == nil {
		return dock.Absent(t, size, askDocument, s.fault)
	}
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 100)
	}
	var lines []string
	put := func(text string) { lines = append(lines, margin+widget.Clip(text, width)) }
	if !size.Small() {
		put(t.Strong.Render(s.ask()))
		lines = append(lines, "")
	}
	now := t.Strong.Render(s.words(s.work, s.form.Values()))
	if size.Small() {
		put(now)
	} else {
		put(widget.Left(fieldWas, 8) + " " + deed(s.work))
		put(widget.Left(fieldNow, 8) + " " + now)
	}
	if !size.Small() {
		if words := reason(s.work); words != "" {
			put(t.Refused(widget.Clean(words)))
		}
		for _, p := range sides(s.work, false) {
			put(t.Muted.Render(widget.Left(p.Label, 8) + " " + p.Value))
		}
		lines = append(lines, "")
	}
	for _, line := range strings.Split(s.form.View(t, width), "\n") {
		lines = append(lines, margin+line)
	}
	return strings.Join(lines, "\n")
}
