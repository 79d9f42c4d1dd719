package printlabels

import (
	"cmp"
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
	"bincard/views/labels"
	"bincard/views/session"
	"bincard/views/submit"
)

// screen prints a batch of labels.
type screen struct {
	tui.Env
	site    *session.Site
	service *printing.Service
	// load returns the labels to print. It may ask the service.
	load func(ctx context.Context) ([]printing.Copies, error)

	newNumbers bool // the only label is a sample, and gets new numbers when it is printed

	batch    []printing.Copies // empty until loaded
	sets     int64             // how often all of several labels are printed
	draft    *printing.Draft   // the first label
	opts     printing.Options  // what was chosen
	errText  string            // why there is no label
	quantity widget.Question   // how many
	busy     bool              // labels are added to the queue or saved
}

type (
	batchMsg struct {
		batch []printing.Copies
		err   error
	}
	// doneMsg ends what makes a screen busy.
	doneMsg struct {
		text string // what was done
		err  error
		then tea.Cmd // what follows if there is no error; may be nil
	}
)

// cmd shows the result.
func (m doneMsg) cmd() tea.Cmd {
	if m.err != nil {
		return tui.Fail(m.err)
	}
	return tea.Batch(tui.Toast(m.text), tui.Accepted(), m.then)
}

// requestScreen returns the factory of the screen for the label of a request.
func requestScreen(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		r := labels.RequestOf(env.Route, env.Now())
		if r.Next {
			return newNumbersScreen(site, r), nil
		}
		return newScreen(site, func(ctx context.Context) ([]printing.Copies, error) {
			l, err := labels.Make(ctx, site, r)
			return []printing.Copies{{Label: l, Count: 1}}, err
		}), nil
	}
}

// newNumbersScreen returns the screen for labels of new serial numbers or of a new lot.
func newNumbersScreen(site *session.Site, r labels.Request) *screen {
	s := newScreen(site, func(ctx context.Context) ([]printing.Copies, error) {
		l, err := labels.MakeSample(ctx, site, site.Labels(), r)
		return []printing.Copies{{Label: l, Count: int(min(max(1, r.Quantity), maxLabels))}}, err
	})
	s.newNumbers = true
	return s
}

// receivedScreen returns the factory of the screen for the labels of the last receipt.
func receivedScreen(site *session.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) {
		return newScreen(site, func(context.Context) ([]printing.Copies, error) {
			batch := site.Received()
			if len(batch) == 0 {
				return nil, site.T().NewError("Nothing was received on this terminal since it started")
			}
			return batch, nil
		}), nil
	}
}

func newScreen(site *session.Site, load func(context.Context) ([]printing.Copies, error)) *screen {
	return &screen{site: site, service: site.Labels(), load: load, sets: 1, quantity: widget.Number("")}
}

func (s *screen) Init(env tui.Env) tea.Cmd { s.Env = env; return s.find() }

// find loads the labels.
func (s *screen) find() tea.Cmd {
	s.errText = ""
	return s.Latest("labels", func(ctx context.Context) tea.Msg {
		batch, err := s.load(ctx)
		return batchMsg{batch, err}
	})
}

func (s *screen) Title() string { return s.T.Get("Print label") + " › " + s.name() }

func (s *screen) ShortTitle() string { return s.name() }

// name names what the labels are of.
func (s *screen) name() string {
	if len(s.batch) > 0 {
		return widget.Clean(s.batch[0].Label.Subject())
	}
	return widget.Clean(cmp.Or(s.Route.Param("subject"), "…"))
}

func (s *screen) Busy() bool { return s.busy }

func (s *screen) AcceptsKey(k tea.KeyMsg) bool {
	return len(s.batch) > 0 && !s.busy && s.quantity.AcceptsKey(k)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case batchMsg:
		s.loaded(msg)
	case doneMsg:
		s.busy = false
		return s, msg.cmd()
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			return s, s.typed(msg)
		}
	}

	return s, nil
}

func (s *screen) loaded(m batchMsg) {
	if m.err != nil {
		s.errText = submit.UserMessage(s.T, m.err)
		return
	}
	s.batch = m.batch
	if err := s.draw(); err != nil {
		s.batch, s.errText = nil, widget.Capitalize(s.T.Message(err.Error()))
	}
}

// draw draws the first label with the chosen options.
func (s *screen) draw() error {
	draft, err := s.service.Draw(s.batch[0].Label, s.options())
	if err == nil {
		s.draft = draft
	}
	return err
}

func (s *screen) options() printing.Options {
	opts := s.opts
	opts.Location, opts.Language = s.site.Location().Code, s.T
	return opts
}

// printer returns the chosen printer; ok is false without a printer.
func (s *screen) printer() (p printing.Printer, ok bool) {
	if s.draft == nil || s.draft.NoPrinter != nil {
		return p, false
	}
	return s.draft.Printer, true
}

// noPrinter says how to set up a printer, or returns "".
func (s *screen) noPrinter() string {
	if _, ok := s.printer(); ok || s.draft == nil {
		return ""
	}
	return labels.NoPrinterText(s.site)
}

// total returns how many labels are printed.
func (s *screen) total() int64 { return int64(printing.Total(s.batch)) * s.sets }
