package dock

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A Posting is the one write that makes a new document. It is frozen when it is
// first sent: while nobody knows whether it arrived it is sent again as it was,
// with the key it had, and so made once.
type Posting struct {
	Site *Site
	// Step is what was sent and has no answer; nil while the document may change.
	Step *Step
	// Lost is said when no answer came; "" says what is said of every booking.
	Lost string

	busy bool
	open bool // a try of it failed for sure before it left, and none may have arrived
}

// PostedMsg is the answer to a posting.
type PostedMsg struct {
	Res *api.Response
	Err error
}

// Busy tells whether the posting is under way.
func (p *Posting) Busy() bool { return p.busy }

// Freeze takes the write and sends it for the first time.
func (p *Posting) Freeze(env tui.Env, step Step) tea.Cmd {
	p.Step, p.open = &step, true
	return p.Send(env)
}

// Send sends the write, or sends it again.
func (p *Posting) Send(env tui.Env) tea.Cmd {
	p.busy = true
	step := *p.Step
	return env.Do(func(ctx context.Context) tea.Msg {
		res, err := p.Site.Send(ctx, step)
		return PostedMsg{res, err}
	})
}

// Answered takes the answer: nil when the document is made, else what to say.
// A write that was refused, or never left, may be changed and gets a new key.
func (p *Posting) Answered(m PostedMsg) (fail tea.Cmd) {
	p.busy = false
	switch {
	case m.Err == nil:
		p.Step = nil
		return nil
	case !Unsure(m.Err):
		p.Step = nil
		return tui.Fail(errors.New(Words(m.Err)))
	}
	p.open = p.open && neverSent(m.Err)
	if p.open {
		p.Step = nil
	}
	text := wordsOfSending(m.Err, !p.open)
	if text == unknown && p.Lost != "" {
		text = p.Lost
	}
	return tui.Fail(errors.New(text))
}
