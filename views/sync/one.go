package sync

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// one is the screen of one piece of work.
type one struct {
	follower
	key   string
	work  *api.Work
	fault string
	none  bool // nobody knows it
	sheet bool // a form of what takes its place was opened
	top   int  // the first fact shown, where not all fit
}

type (
	workMsg struct {
		work  *api.Work // nil where there is none
		stamp string
		err   error
	}
	decidedMsg struct {
		words string
		next  string // the key of what is to be decided next, or ""
		err   error
	}
)

func newOne(site *dock.Site, key string) *one { return &one{follower: follower{site: site}, key: key} }

func (s *one) Init(env tui.Env) tea.Cmd {
	s.env = env
	return tea.Batch(s.reload(), s.look())
}

func (s *one) reload() tea.Cmd {
	return s.fetch(func(ctx context.Context) tea.Msg {
		st, err := s.site.Stand(ctx)
		if err != nil {
			return workMsg{err: err}
		}
		w, err := find(ctx, s.site, s.key)
		return workMsg{w, stamp(&st), err}
	})
}

// find reads the work with a key, nil where there is none.
func find(ctx context.Context, site *dock.Site, key string) (*api.Work, error) {
	list, err := dock.AskNode(ctx, site, api.ListWork, api.ListWorkInput{Key: key})
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	return &list.Items[0], nil
}

func (s *one) Title() string {
	if s.work == nil {
		return nameScreen
	}
	return nameScreen + " › " + deed(s.work)
}

func (s *one) ShortTitle() string { return nameScreen }
func (s *one) Refresh() tea.Cmd   { return s.reload() }

func (s *one) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, mine := s.follows(msg, s.reload); mine {
		return s, cmd
	}
	switch msg := msg.(type) {
	case workMsg:
		s.answered(msg.stamp, msg.err)
		s.ended = dock.Missing(msg.err) || msg.err == nil && msg.work == nil
		switch {
		case msg.err != nil:
			s.fault = dock.Words(msg.err)
			if dock.Missing(msg.err) {
				s.fault = noSync
			}
		case msg.work == nil:
			s.fault, s.none = unknownWork, true
		default:
			s.work, s.fault = msg.work, ""
			if s.sheet && msg.work.State == api.WorkReplaced {
				s.sheet = false
				return s, s.decide("", func(context.Context) error { return nil })
			}
		}
	case filedMsg:
		s.busy = false
		return s, msg.told()
	case decidedMsg:
		return s, s.decided(msg)
	case tea.KeyMsg:
		switch msg.Type {
		case tea.KeyUp, tea.KeyPgUp:
			s.top--
		case tea.KeyDown, tea.KeyPgDown:
			s.top++
		}
	}
	return s, nil
}

// decide takes a decision, and looks what is to be decided next.
func (s *one) decide(words string, fn func(ctx context.Context) error) tea.Cmd {
	s.busy = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		if err := fn(ctx); err != nil {
			return decidedMsg{err: err}
		}
		return decidedMsg{words: words, next: following(ctx, s.site, s.work)}
	})
}

// following is the key of the work to be decided after one, or "".
func following(ctx context.Context, site *dock.Site, after *api.Work) string {
	rows, _, err := load(ctx, site, showDecide)
	if err != nil {
		return ""
	}
	first := ""
	for _, w := range rows {
		switch {
		case w.Key == after.Key:
		case w.N > after.N:
			return w.Key
		case first == "":
			first = w.Key
		}
	}
	return first
}

func (s *one) decided(m decidedMsg) tea.Cmd {
	s.busy = false
	if m.err != nil {
		return tea.Batch(tui.Fail(worded(m.err)), s.reload())
	}
	return onward(m)
}

// onward says what was decided, and goes to the next decision, or back.
func onward(m decidedMsg) tea.Cmd {
	leave := tui.Back()
	if m.next != "" {
		leave = tui.Replace(routeOf(m.next))
	}
	if m.words == "" {
		return leave
	}
	return tea.Batch(tui.Toast(m.words), tui.Accepted(), leave)
}

// drop asks for the reason, and whether it is meant.
func (s *one) drop() tea.Cmd {
	name := deed(s.work)
	return tui.Prompt(tui.Request{Text: askReason, Check: func(text string) error {
		if text == "" {
			return errors.New(askReason)
		}
		return nil
	}, OnText: func(why string) tea.Cmd {
		return tui.Confirm(tui.Question{Text: sprintf(askDrop, name), OnYes: func() tea.Cmd {
			return s.decide(sprintf(doneDrop, name), func(ctx context.Context) error {
				_, err := dock.AskNode(ctx, s.site, api.DropWork, api.DropWorkInput{Key: s.key, Reason: why})
				return err
			})
		}})
	}})
}

func (s *one) again() tea.Cmd {
	return s.decide(doneAgain, func(ctx context.Context) error {
		_, err := dock.AskNode(ctx, s.site, api.RetryWork, api.WorkKeyInput{Key: s.key})
		return err
	})
}
