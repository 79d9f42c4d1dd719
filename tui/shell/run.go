package shell

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	_ "bincard/tui/background" // before Bubble Tea asks
	"bincard/tui/stage"

	tea "github.com/charmbracelet/bubbletea"
)

// Run runs a session until the operator leaves, the line hangs up or ctx ends.
// It leaves the terminal as it found it; an error tells why it ended by itself.
func Run(ctx context.Context, opts Options) error {
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	out := stage.New(opts.Output)
	opts.Output = out.Output()
	m := New(opts)
	defer m.cancel()
	if width, height, ok := out.Size(); ok { // else the first frame would be of another size
		m.width, m.height = width, height
	}
	paint := newRenderer(out, m.opts.FPS)
	done, painted := make(chan struct{}), make(chan struct{})
	go func() { defer close(painted); paint.run(done) }()
	defer func() { close(done); <-painted }()
	p := tea.NewProgram(newRenderedModel(m, paint), m.programOptions(ctx)...)
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

// signals ends the session sanely when the line hangs up or somebody ends the process.
func (m *Model) signals(p *tea.Program) (stop func()) {
	if m.opts.NoSignals {
		return func() {}
	}
	heard := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(heard, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for {
			select {
			case <-heard:
				p.Send(hangupMsg{})
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(heard); close(done) }
}

// Hangup tells a session that its line is gone: it keeps what is open and ends.
func Hangup() tea.Msg { return hangupMsg{} }
