package shell

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	_ "bincard/tui/background" // answers before Bubble Tea asks the terminal
	"bincard/tui/stage"

	tea "github.com/charmbracelet/bubbletea"
)

// Run runs a session on a terminal until the operator quits, the connection is gone or
// ctx ends, and restores the terminal. Its error says why the session failed.
func Run(ctx context.Context, opts Options) error {
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	out := stage.New(opts.Output)
	opts.Output = out.Output()
	m := New(opts)
	defer m.cancel()
	if width, height, ok := out.Size(); ok { // for the first frame
		m.width, m.height = width, height
	}
	r := newRenderer(out, m.opts.FPS)
	done, painted := make(chan struct{}), make(chan struct{})
	go func() { defer close(painted); r.run(done) }()
	defer func() { close(done); <-painted }()
	p := tea.NewProgram(newRenderedModel(m, r), m.programOptions(ctx)...)
	m.send = p.Send
	if m.opts.Program != nil {
		m.opts.Program(p.Send)
	}
	stop := m.signals(p)
	defer stop()
	_, err := p.Run()
	if m.panicErr != nil {
		return m.panicErr
	}
	if err != nil && ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		m.saveAll()
		return nil
	}
	return err
}

func (m *Model) programOptions(ctx context.Context) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(),
		tea.WithFPS(1), tea.WithOutput(m.opts.Output), tea.WithoutSignalHandler()}
	if m.opts.Input != nil {
		options = append(options, tea.WithInput(m.opts.Input))
	}
	return options
}

// signals ends the session on a hangup or termination signal, with all drafts saved.
func (m *Model) signals(p *tea.Program) (stop func()) {
	if m.opts.NoSignals {
		return func() {}
	}
	signals := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for {
			select {
			case <-signals:
				p.Send(hangupMsg{})
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}

// Hangup returns a message that ends a session whose connection is gone, with all drafts
// saved.
func Hangup() tea.Msg { return hangupMsg{} }
