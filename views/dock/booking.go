package dock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

type plannedMsg struct {
	steps  []Step
	pieces int64
	toast  string
	err    error
}

type stepMsg struct {
	step Step
	res  *api.Response
	err  error
	was  bool // whether it had been sent before without an answer
}

// Book books what is counted, or goes on with a booking that was begun.
func (b *Bench) Book() tea.Cmd {
	switch {
	case b.sending:
		return nil
	case b.plan != nil:
		return b.send()
	}
	if ask := b.askAbroad(b.Book); ask != nil {
		return ask
	}
	return b.book("")
}

// BookThen books what is counted and then does the steps; toast is what is
// said when all is done.
func (b *Bench) BookThen(toast string, then ...Step) tea.Cmd {
	if b.Busy() || b.waiting() {
		return tui.Fail(errors.New(sendingAlready))
	}
	return b.book(toast, then...)
}

func (b *Bench) book(toast string, then ...Step) tea.Cmd {
	for _, l := range b.Lines {
		if err := l.bookable(); err != nil {
			return tui.Fail(err)
		}
	}
	var lines []Line
	for _, l := range b.Lines {
		if l.Count.Now > 0 || l.Count.None {
			line := *l
			line.Count.Serials = slices.Clone(l.Count.Serials)
			line.Count.DamagedSerials = slices.Clone(l.Count.DamagedSerials)
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return tui.Fail(errors.New(nothingCounted))
	}
	b.sending = true
	pieces, plan := b.Total(), b.Plan(lines)
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		steps, err := plan(ctx)
		for i := range then {
			then[i].Stands = true
		}
		return plannedMsg{steps: append(steps, then...), pieces: pieces, toast: toast, err: err}
	})
}

// bookable tells what is still missing before a line can be booked.
func (l *Line) bookable() error {
	c, n := &l.Count, int64(len(l.Count.Serials))
	switch {
	case c.Now == 0:
		return nil
	case c.Now > l.most():
		return errorf(fewerPending,
			widget.Count(l.Pending), l.Goods.SKU, l.pending(), widget.Count(c.Now), widget.Count(l.most()))
	case (l.BySerial() || n > 0) && n != c.Now:
		return errorf(fewSerials, widget.Count(n), widget.Count(c.Now))
	}
	return nil
}

func (b *Bench) planned(m plannedMsg) tea.Cmd {
	if m.err != nil {
		b.sending = false
		return tui.Fail(errorf("%s", Words(m.err)))
	}
	b.plan = &Plan{Steps: m.steps, Touched: m.pieces, Toast: m.toast}
	return b.send()
}

// Submit does a write that is no count, such as closing the document, and those
// that follow from it; toast is what is said when all is done. It is kept and
// sent again like a booking.
func (b *Bench) Submit(toast string, step Step, err error, then ...Step) tea.Cmd {
	return b.submit(&Plan{Steps: append([]Step{step}, then...), Toast: toast}, err)
}

func (b *Bench) submit(plan *Plan, err error) tea.Cmd {
	if err != nil {
		return tui.Fail(err)
	}
	if b.sending || b.waiting() {
		return tui.Fail(errors.New(sendingAlready))
	}
	b.plan = plan
	return b.send()
}

// send sends the next step. The plan says so before it leaves: the shell keeps
// the draft before it runs what is returned.
func (b *Bench) send() tea.Cmd {
	b.sending = true
	was := b.plan.Sent
	b.plan.Sent = true
	step := b.plan.Steps[b.plan.Next]
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		res, err := b.Site.Send(ctx, step)
		return stepMsg{step: step, res: res, err: err, was: was}
	})
}

func (b *Bench) answered(m stepMsg) tea.Cmd {
	if b.plan == nil || b.plan.Steps[b.plan.Next].Key != m.step.Key {
		return b.belated(m)
	}
	b.sending = false
	if m.err != nil {
		return b.failed(m)
	}
	step := b.plan.Steps[b.plan.Next]
	over, err := b.plan.Answered(m.res)
	if b.Booked != nil {
		b.Booked(step, m.res)
	}
	switch {
	case err != nil:
		return tui.Fail(err)
	case !over:
		return b.send()
	}
	return b.finish(m.res, b.plan.Toast)
}

// belated takes the answer to a booking that was given up meanwhile: what it
// did is told, so that nobody does it again.
func (b *Bench) belated(m stepMsg) tea.Cmd {
	if b.plan == nil {
		b.sending = false
	}
	if m.err != nil {
		return nil
	}
	if b.Booked != nil {
		b.Booked(m.step, m.res)
	}
	return tui.Fail(errorf(bookedAfterAll, m.step.Words))
}

// finish empties the bench and says what was booked: text, else what Done says.
func (b *Bench) finish(res *api.Response, text string) tea.Cmd {
	pieces, keep := b.plan.Touched, b.plan.Keep
	taken := b.taken()
	if b.plan = nil; !keep {
		b.clear()
	}
	switch {
	case text != "":
	case b.Done != nil:
		text = b.Done(pieces)
	default:
		text = fmt.Sprintf(bookedWords, widget.Count(pieces))
	}
	if res != nil && res.CommittedBy != "" {
		text += " " + bookedHere
	}
	b.note(Said{What: text})
	cmds := []tea.Cmd{tui.Toast(text), tui.Accepted()}
	if b.after != nil {
		cmds = append(cmds, tui.Scanned(*b.after))
		b.after = nil
	} else if b.shelved() && !keep {
		cmds = append(cmds, b.lookAtShelf(false, taken...))
	}
	return tea.Batch(cmds...)
}

// taken are the goods that a booking takes from the shelf.
func (b *Bench) taken() (goods []Goods) {
	if b.plan.Touched == 0 {
		return nil
	}
	for _, l := range b.Lines {
		if l.Count.Now > 0 && !l.BySerial() {
			goods = append(goods, l.Goods)
		}
	}
	return goods
}

func (b *Bench) clear() {
	b.plan, b.said, b.wants, b.past, b.before = nil, nil, false, nil, nil
	for _, l := range b.Lines {
		l.Count = Count{}
	}
}
